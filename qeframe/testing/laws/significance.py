"""The laws of significance tests."""

from collections.abc import Iterator
from concurrent.futures import Executor, ProcessPoolExecutor, ThreadPoolExecutor
from functools import partial
from itertools import product
from random import Random
from typing import Any

import numpy as np
from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

from qeframe.core.batch import Batch, FloatArray
from qeframe.core.significance import Pairwise, Sided, SignificanceTest
from qeframe.execution.executors import follow_parent
from qeframe.kinds.registered import kind_of
from qeframe.testing.error_rates import error_rate
from qeframe.testing.laws import probes
from qeframe.testing.laws.any_component import array_fault, basic_laws, shape_law
from qeframe.testing.laws.law import Law, having
from qeframe.testing.laws.probes import probed, trial_of

_SLACK = 1e-12
_SIDES: tuple[Sided, ...] = ("one", "two")


def p_of(test: SignificanceTest, sided: Sided, *batches: Batch, **options: Any) -> float:
    """Return p for two submissions."""
    return float(test.run(trial_of(batches, **options), sided).p[0])


def _pairs(most: int, test: SignificanceTest, _kind: Any) -> SearchStrategy[tuple[Any, ...]]:
    """Draw two submissions on at most so many units."""
    drawn = [kind_of(probe.kind).submissions for probe in probed(test)]
    return st.one_of([submissions(max_units=most) for submissions in drawn if submissions is not None])


_pair_examples, _few_examples = partial(_pairs, 8), partial(_pairs, 6)


def is_exact(test: SignificanceTest) -> bool:
    """Return whether a test enumerates all exchanges where there are few."""
    return test.needs in {"exchange", "outcomes"}


def _p_values(test: SignificanceTest, _kind: Any, first: Batch, second: Batch) -> tuple[Any, ...]:
    """Return p of each side, after a look whether the scores that the test was given are still the same."""
    p_values = []
    for sided in sorted(test.sides):
        contest = trial_of((first, second))
        before = contest.oriented.copy()
        p_values.append(test.run(contest, sided))
        assert np.array_equal(before, contest.oriented, equal_nan=True), "it changes the scores that it was given"
    return tuple(p_values)


def _p_fault(_test: SignificanceTest, returned: Any, *_batches: Batch) -> str:
    for value in returned:
        if not isinstance(value, Pairwise):
            return f"it returns {type(value).__name__} instead of a Pairwise"
        fault = array_fault(value.p, (1,), what="for one pair p is")
        if fault:
            return fault
    return ""


def _defined(test: SignificanceTest, _kind: Any) -> None:
    first, second, *_ = _sample_batches(test)
    for sided in sorted(test.sides):
        p = p_of(test, sided, first, second)
        assert np.isfinite(p), f"{sided}-sided p of two different submissions is {p}"


def _symmetry(test: SignificanceTest, _kind: Any, first: Batch, second: Batch) -> None:
    forth, back = p_of(test, "two", first, second), p_of(test, "two", second, first)
    same = np.isclose(forth, back, rtol=0, atol=_SLACK, equal_nan=True)
    assert same, f"two-sided p of (a, b) is {forth}, of (b, a) {back}"


def _complement(test: SignificanceTest, _kind: Any, first: Batch, second: Batch) -> None:
    forth, back = p_of(test, "one", first, second), p_of(test, "one", second, first)
    assert not forth + back < 1 - _SLACK, f"one-sided p of (a, b) is {forth}, of (b, a) {back}: less than 1 together"


def _identity(test: SignificanceTest, _kind: Any, first: Batch, _second: Batch) -> None:
    for sided in sorted(test.sides):
        p = p_of(test, sided, first, first)
        equal = p >= 0.5 - _SLACK if sided == "one" else abs(p - 1) <= _SLACK
        assert equal or np.isnan(p), f"{sided}-sided p of a submission against itself is {p}"


def _probability(test: SignificanceTest, _kind: Any, first: Batch, second: Batch) -> None:
    for sided in sorted(test.sides):
        p = p_of(test, sided, first, second)
        assert np.isnan(p) or -_SLACK <= p <= 1 + _SLACK, f"{sided}-sided p is {p}"


def _never_zero(test: SignificanceTest, _kind: Any, first: Batch, second: Batch) -> None:
    for sided in sorted(test.sides):
        p = p_of(test, sided, first, second)
        assert not p <= 0, f"{sided}-sided p is {p}, from a limited number of draws"


def _many_pairs(test: SignificanceTest, _kind: Any, first: Batch, second: Batch) -> None:
    for sided in sorted(test.sides):
        together = test.run(trial_of((first, second, first)), sided).p
        assert together.shape == (3,), f"{together.shape} p-values for 3 pairs"
        apart = [p_of(test, sided, *pair) for pair in ((first, second), (first, first), (second, first))]
        same = np.allclose(together, apart, rtol=0, atol=_SLACK, equal_nan=True)
        assert same, f"p of three pairs together {together.tolist()}, apart {apart}"
        beside = test.run(trial_of((first, second, probes.giant(first))), sided).p[0]
        same = np.isclose(beside, apart[0], rtol=0, atol=_SLACK, equal_nan=True)
        assert same, f"p beside a submission of giant scores {beside}, without it {apart[0]}"


def _interval(test: SignificanceTest, _kind: Any, first: Batch, second: Batch) -> None:
    assert test.interval is not None
    contest = trial_of((first, second))
    low, high, draws = test.interval(contest, 0.9)
    wide_low, wide_high, _ = test.interval(contest, 0.99)
    assert low.shape == high.shape == (2,) == draws.shape[1:], "an interval needs two ends for every submission"
    defined = ~np.isnan(low)
    ends = np.stack([wide_low, low, high, wide_high])[:, defined]
    assert (np.diff(ends, axis=0) >= -_SLACK).all(), f"ends out of order: {ends.tolist()}"
    seen = draws[:, defined]
    if not len(seen):
        return
    inside = np.nanmin(seen, axis=0) - _SLACK <= ends[0], ends[-1] <= np.nanmax(seen, axis=0) + _SLACK
    assert np.all(inside), "an end lies outside all draws"


def _sample_batches(test: SignificanceTest) -> tuple[Batch, ...]:
    fixed = kind_of(probed(test)[0].kind).fixed_submissions
    assert fixed is not None
    return tuple(fixed(Random(11), 30))


def _executors(test: SignificanceTest, _kind: Any) -> None:
    batches = _sample_batches(test)
    for sided in sorted(test.sides):
        expected = test.run(trial_of(batches), sided).p
        for name, executor in _pools():
            with executor:
                p = test.run(trial_of(batches, executor=executor), sided).p
            assert np.array_equal(p, expected, equal_nan=True), f"{name} give p {p}, one worker {expected}"


def _pools() -> Iterator[tuple[str, Executor]]:
    yield "two threads", ThreadPoolExecutor(2)
    yield "two processes", ProcessPoolExecutor(2, initializer=follow_parent)


def _swap(test: SignificanceTest, _kind: Any, first: Batch, second: Batch) -> None:
    for sided in sorted(test.sides):
        contest = trial_of((first, second))
        test.run(contest, sided)
        swapped = ", ".join(map(str, contest.swapped)) or "nothing"
        assert contest.swapped == {test.swap}, f"it swaps {swapped}, and states {test.swap}"


def _super_uniform(test: SignificanceTest, _kind: Any, first: Batch, second: Batch) -> None:
    masks = [np.array(mask, dtype=np.bool_) for mask in product((False, True), repeat=len(first))]
    for sided in sorted(test.sides):
        p = np.array([p_of(test, sided, *first.swap_answers(second, mask)) for mask in masks])
        too_often = _too_often(p)
        assert too_often is None, (
            f"{sided}-sided p <= {too_often} for {int((p <= too_often + _SLACK).sum())} of {len(masks)} exchanges"
        )


def _too_often(p: FloatArray) -> float | None:
    """Return a level alpha that more than a share alpha of the p-values do not exceed, if there is one."""
    for alpha in np.unique(p[~np.isnan(p)]):
        if (p <= alpha + _SLACK).sum() > alpha * len(p) + 1e-9:
            return float(alpha)
    return None


_SIZE_RUNS, _MOST_REJECTED = 400, 0.09
"""How many data sets are drawn; .09 is .05 and 3.7 standard errors of so many."""


def _exchanged(kind: type[Batch], rng: np.random.Generator, units: int, _submissions: int) -> tuple[Batch, Batch]:
    """Draw two submissions that exchange their answers to each unit at random, so that both are equally good."""
    fixed = kind_of(kind).fixed_submissions
    assert fixed is not None
    first, second, *_ = fixed(Random(int(rng.integers(2**32))), units)
    swapped: tuple[Batch, Batch] = first.swap_answers(second, rng.random(units) < 0.5)
    return swapped


def _size(test: SignificanceTest, _kind: Any) -> None:
    for metric, sided in product(probed(test), sorted(test.sides)):
        law = partial(_exchanged, metric.kind)
        found = error_rate(test, metric, law=law, runs=_SIZE_RUNS, units=50, sided=sided)
        assert not found.value > _MOST_REJECTED, (
            f"{sided}-sided p <= .05 in {found.value:.3f} of {found.runs} data sets of two equal submissions "
            f"(standard error {found.error:.3f}), under {metric.name}"
        )


TEST_LAWS: tuple[Law[SignificanceTest], ...] = (
    shape_law(_p_values, _pair_examples, _p_fault, "a test returns a Pairwise with one p for each pair"),
    *basic_laws(_p_values, _pair_examples),
    Law(
        name="defined",
        states="p of two submissions that differ in 30 units is a number",
        holds=_defined,
        exact=True,
        first=True,
    ),
    Law(
        name="symmetry",
        states="two-sided p(a, b) = p(b, a)",
        examples=_pair_examples,
        holds=_symmetry,
        concerns=lambda test: "two" in test.sides,
    ),
    Law(
        name="complement",
        states="one-sided p(a, b) + p(b, a) >= 1",
        examples=_pair_examples,
        holds=_complement,
        concerns=lambda test: "one" in test.sides,
    ),
    Law(name="identity", states="p(a, a) is 1, one-sided at least .5", examples=_pair_examples, holds=_identity),
    Law(name="probability", states="p lies in [0, 1] or is NaN", examples=_pair_examples, holds=_probability),
    Law(
        name="never_zero",
        states="a p-value from draws is never 0",
        examples=_pair_examples,
        holds=_never_zero,
        concerns=lambda test: test.needs in {"bind", "exchange", "smooth", "grid"},
    ),
    Law(
        name="many_pairs",
        states="many pairs together have the p-values that they have one by one",
        examples=_pair_examples,
        holds=_many_pairs,
    ),
    Law(
        name="interval",
        states="intervals are ordered and nested, and inside the draws where there are any",
        examples=_pair_examples,
        holds=_interval,
        concerns=having("interval"),
    ),
    Law(
        name="swap",
        states="what it counts are the exchanges along the swap that it states",
        examples=_pair_examples,
        holds=_swap,
        concerns=having("swap"),
    ),
    Law(name="executors", states="threads and processes give the same bits as one worker", holds=_executors, slow=True),
    Law(
        name="super_uniform",
        states="of all exchanges as the observation, at most a share alpha has p <= alpha (draws must be 64 or more)",
        examples=_few_examples,
        holds=_super_uniform,
        concerns=is_exact,
        slow=True,
    ),
    Law(
        name="size",
        states="of 400 data sets of two submissions with exchanged answers, at most a share .09 has p <= .05",
        holds=_size,
        exact=True,
        costly=True,
    ),
)
"""The laws of significance tests."""
