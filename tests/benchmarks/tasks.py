"""Row 30 of the formulations: aggregates without each unit, against aggregating all tasks anew."""

from collections.abc import Callable, Mapping

import attrs
import numpy as np
from rows import Row, Side

import qeframe
from qeframe.core.contest import Contest
from qeframe.core.metric import Metric
from qeframe.core.ranking import Aggregation
from qeframe.core.sample import Sample
from qeframe.kinds.scores.batch import Scores

LIMIT_SECONDS = 300

SIZES = {"T": 100, "n": 200, "S": 10}


def across(aggregation: str, sizes: Mapping[str, int]) -> Contest:
    """Return normal scores of S systems on T tasks of n units; the jackknife within the tasks is done."""
    registry, tasks = qeframe.load(), []
    for nth in range(sizes["T"]):
        rng = np.random.default_rng(nth)
        gold = rng.normal(size=sizes["n"])
        batches = tuple(Scores.from_plain(gold, gold + rng.normal(size=sizes["n"])) for _ in range(sizes["S"]))
        task = Sample(metrics=(registry.get(Metric, "pearson"),), batches=batches, key=(nth,))
        task.left_out(0)
        tasks.append(Contest.of(task))
    return Contest.across(
        [each.terms[0] for each in tasks],
        (np.arange(sizes["S"]),) * sizes["T"],
        submissions=sizes["S"],
        aggregation=registry.get(Aggregation, aggregation),
        weights=np.ones(sizes["T"]),
    )


def ours(aggregation: str) -> Callable[[Mapping[str, int]], Side]:
    """Replace the part of one task."""
    return lambda sizes: across(aggregation, sizes).jackknife


def anew(aggregation: str) -> Callable[[Mapping[str, int]], tuple[Side, float]]:
    """Aggregate all tasks anew, as for an aggregation that does not state its part."""

    def loop(sizes: Mapping[str, int]) -> tuple[Side, float]:
        stated = across(aggregation, sizes)
        plain = attrs.evolve(stated, aggregation=attrs.evolve(stated.aggregation, part=None))
        assert np.allclose(plain.jackknife(), stated.jackknife(), rtol=0, atol=5e-15)
        return plain.jackknife, 1.0

    return loop


ROWS = [
    Row("30", f"units left out, {name} over tasks", SIZES, ours(name), anew(name), target=20.0)
    for name in ("mean", "average_rank", "share_better")
]
