"""What components are tried on: fixed submissions, and probe metrics for tests, since the core has no metric."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import Executor
from functools import cache
from random import Random
from typing import Any

import attrs
import numpy as np

from qeframe.core.batch import Batch, FloatArray
from qeframe.core.batch_kind import BatchKind
from qeframe.core.contest import Contest
from qeframe.core.metric import Metric
from qeframe.core.ranking import Aggregation
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


def trial_of(
    batches: Sequence[Batch],
    *,
    key: tuple[int, ...] = _KEY,
    executor: Executor | None = None,
    metric: Metric | None = None,
) -> Contest:
    """Return submissions as given as a `Contest`, under a metric, or the probe metric for their kind of batch."""
    metric = metric or kind_of(type(batches[0])).probe
    assert metric is not None
    sample = Sample(metrics=(metric,), batches=tuple(batches), key=key, runner=Runner(executor))
    return Contest.of(sample, as_given=True)


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


_CHANGES_AT = (7, 20, 50, 100)
"""Numbers of units below which tests take another way, or say that they are few."""


def off_grid_contests(probe: Metric, *, smooth: bool) -> Iterator[tuple[str, Contest]]:
    """Yield contests of large submissions, one of which comes twice, by name, under a probe metric.

    Some are under the same metric on a curved scale, with answers that have none; unless only smooth ones are asked
    for, one is under the same metric that is not smooth.
    """
    (batches,), word = off_grid_submissions(probe.kind).values(), probe.kind.__name__.lower()
    large = [*batches, batches[0]]
    scaled = (
        probe if probe.per_unit else attrs.evolve(probe, working_scale="arctanh", claims=("location_scale_invariant",))
    )
    yield f"{word} off the grid", trial_of(_evenly(large, 40), metric=probe)
    if not smooth:
        yield f"{word} not smooth", trial_of(_evenly(large, 40), metric=attrs.evolve(probe, smooth=False))
    for units in _CHANGES_AT:
        yield f"{word} {units} off the grid", trial_of(_evenly(large, units), metric=scaled)
    third = np.arange(len(large[0])) // (len(large[0]) // 3)
    yield (
        f"{word} skewed",
        trial_of(_evenly([each.take(np.flatnonzero(third == 1)) for each in large], 60), metric=scaled),
    )
    yield f"{word} degenerate", trial_of(_degenerate(_evenly(batches, 30)), metric=scaled)
    if probe.kind.crossed:
        yield f"{word} of ten systems", trial_of(_of_ten_systems(probe.kind), metric=scaled)
    tasks = [trial_of(_evenly(large[:some], units), metric=scaled) for some, units in ((4, 40), (3, 25))]
    positions = [np.arange(task.submissions) for task in tasks]
    yield (
        f"{word} of two tasks",
        Contest.across(tasks, positions, aggregation=_MEAN, weights=np.array([1.0, 3.0]), submissions=4, as_given=True),
    )


def _evenly(batches: Sequence[Any], units: int) -> list[Any]:
    """Return about so many units, from all parts of batches."""
    size = len(batches[0])
    return [batch.take(np.arange(min(units, size)) * size // min(units, size)) for batch in batches]


def _of_ten_systems(kind: type[Batch]) -> list[Any]:
    regular, with_answers = kind_of(kind).regular, kind_of(kind).with_answers
    assert regular is not None
    assert with_answers is not None
    batch: Any = regular(np.random.default_rng(10), 12)
    return [batch, with_answers(batch, batch.predicted[::-1]), with_answers(batch, batch.predicted + batch.gold)]


def _degenerate(batches: Sequence[Any]) -> list[Any]:
    """Return answers that are the gold, twice all equal, on another scale, reversed, and with one far away."""
    first, second = batches[:2]
    kind, answers = kind_of(type(first)), first.predicted
    far = second.predicted + 1e3 * (np.arange(answers.size) == 7).reshape(answers.shape)
    assert kind.with_answers is not None
    made = [
        kind.with_answers(first, each) for each in (0 * answers + 1, 0 * answers + 3, 2 * answers + 1, -answers, far)
    ]
    return [first, *made, *([] if kind.audit is None else [kind.audit.perfect(first)])]


def _mean_of_tasks(scores: FloatArray, weights: FloatArray, _higher_is_better: bool) -> FloatArray:
    return np.asarray((scores * weights).sum(axis=-1) / weights.sum())


_MEAN = Aggregation(name="probe_mean_of_tasks", summary="A weighted mean", aggregate=_mean_of_tasks)
