"""What components are tried on: fixed submissions, and probe metrics for tests, since the core has no metric."""

from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Executor
from functools import cache
from random import Random
from typing import Any

import numpy as np

from qeframe.core.batch import Batch
from qeframe.core.batch_kind import BatchKind
from qeframe.core.contest import Contest
from qeframe.core.metric import Metric
from qeframe.core.runner import Runner
from qeframe.core.sample import Sample
from qeframe.core.significance import SignificanceTest
from qeframe.kinds.registered import find_kind, kind_of, registered_kinds


def giant(batch: Any) -> Batch:
    """Return a submission with answers so large that a sum over all submissions rounds the others to equal values."""
    with_answers = kind_of(type(batch)).with_answers
    assert with_answers is not None
    answers: Batch = with_answers(
        batch, 1e13 * (2.0 + np.arange(batch.predicted.size) % 3).reshape(batch.predicted.shape)
    )
    return answers


_KEY = (20, 1, 4)


def trial_of(batches: tuple[Batch, ...], *, key: tuple[int, ...] = _KEY, executor: Executor | None = None) -> Contest:
    """Return submissions as given as a `Contest`, under the probe metric for their kind of batch."""
    metric = kind_of(type(batches[0])).probe
    assert metric is not None
    return Contest.of(Sample(metrics=(metric,), batches=batches, key=key, runner=Runner(executor)), as_given=True)


def probed(test: SignificanceTest) -> tuple[Metric, ...]:
    """Return the probe metrics that have the capability that a test needs, of kinds that say which answers to try."""
    kinds = [kind for kind in registered_kinds() if kind.submissions and kind.fixed_submissions and kind.with_answers]
    return tuple(kind.probe for kind in kinds if kind.probe is not None and _fits(test, kind.probe))


def _fits(test: SignificanceTest, probe: Metric) -> bool:
    if test.needs in ("vectors", "per_unit", "outcomes"):
        return getattr(probe, "vectors" if test.needs == "vectors" else "per_unit") is not None
    return probe.kind.crossed == (test.needs == "grid")


SIZES = (1, 2, 3, 5, 8, 13, 34)
"""How many units the inputs have."""


def fixed_submissions(batch: type[Batch]) -> Mapping[str, Sequence[Any]]:
    """Return three submissions on the same gold for each size, by name, smallest first; none for an unknown kind."""
    kind = find_kind(batch)
    if kind is None or kind.fixed_submissions is None:
        return {}
    names = {f"{kind.batch.__name__.lower()}-{size}": size for size in SIZES}
    return {name: _drawn(kind.fixed_submissions, name, size) for name, size in names.items()}


def off_grid_submissions(batch: type[Batch]) -> Mapping[str, Sequence[Any]]:
    """Return three large submissions whose numbers are off any grid, by their name; none for a kind without them."""
    kind = find_kind(batch)
    if kind is None or kind.off_grid is None:
        return {}
    name = f"{kind.batch.__name__.lower()} off the grid"
    return {name: _drawn(kind.off_grid, name)}


@cache
def _drawn(draw: Callable[..., Sequence[Any]], name: str, *units: int) -> Sequence[Any]:
    return draw(Random(name), *units)


_ORDINARY, _ORDINARY_UNITS = 100, 24


def ordinary_batches(kind: BatchKind, count: int = _ORDINARY) -> tuple[Batch, ...]:
    """Return batches of ordinary data, always the same; empty if the kind has neither such data nor fixed inputs."""
    rngs = (Random(f"ordinary-{number}") for number in range(count))
    if kind.ordinary is not None:
        return tuple(kind.ordinary(rng, _ORDINARY_UNITS) for rng in rngs)
    generated = kind.fixed_submissions
    return () if generated is None else tuple(generated(rng, _ORDINARY_UNITS)[0] for rng in rngs)


def degenerate_submissions(batch: type[Batch]) -> Mapping[str, Any]:
    """Return five units answered perfectly, five with the same answer, and a unit again and again, by their names."""
    kind = find_kind(batch)
    if kind is None or kind.fixed_submissions is None:
        return {}
    word = kind.batch.__name__.lower()
    first = kind.fixed_submissions(Random(word), 5)[0]
    degenerate = {f"{word} one unit again": first.take(np.zeros(4, dtype=np.int64))}
    if kind.audit is not None:
        degenerate[f"{word} perfect"] = kind.audit.perfect(first)
    if kind.constants is not None and kind.with_answers is not None:
        degenerate[f"{word} constant"] = kind.with_answers(first, kind.constants(first)[0])
    return degenerate
