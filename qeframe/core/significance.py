"""`SignificanceTest` and `Correction`, the pairs that they compare, and what they return, checked."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Literal, get_args

import numpy as np
from attrs import field, frozen

from qeframe.core.batch import BoolArray, FloatArray, IntArray
from qeframe.core.component import (
    Component,
    WrongReturnError,
    as_names,
    at_work,
    check_functions,
    check_least_p,
    check_returned,
    check_words,
    describe,
    is_foreign,
    refuse,
)
from qeframe.core.ragged import read_only_view

if TYPE_CHECKING:
    from qeframe.core.contest import Contest
    from qeframe.core.exchange import Swap


Pairs = tuple[IntArray, IntArray]
"""The positions of both submissions of every pair, (pairs,) each."""
Scheme = Literal["multinomial", "poisson"]
IsExtreme = Callable[[FloatArray, slice], BoolArray]
"""A function that finds extreme differences: from differences (b, p) and the slice of their pairs to bool (b, p)."""


@frozen(kw_only=True, eq=False)
class Pairwise:
    """The result of a test for every pair.

    Parameters
    ----------
    p : (pairs,) float64
        NaN where the test is undefined.
    statistic : (pairs,) float64, optional
        The test statistic, positive when the first submission of the pair is better.
    least_p : float, optional
        The smallest p that is possible on these data, for the side that was asked for: 2 / 2**n two-sided where all
        2**n exchanges were enumerated, since each has an opposite one. None: that of the test.
    reasons : (pairs,) sequence of str, optional
        Why the test is undefined for each pair; empty text where it is defined.
    p_of : mapping of str to (pairs,) float64
        By the tests of which p is the largest, the p of each; NaN where it is undefined. Empty for a test of one p.

    Examples
    --------
    >>> import numpy as np
    >>> from qeframe.plugin import Pairwise
    >>> Pairwise(p=np.array([0.03, np.nan]), reasons=("", "the scores are equal")).reasons
    ('', 'the scores are equal')
    """

    p: FloatArray
    statistic: FloatArray | None = None
    least_p: float | None = None
    reasons: Sequence[str] = ()
    p_of: Mapping[str, FloatArray] = field(factory=dict)


def ordered_pairs(oriented: FloatArray, *, as_given: bool = False, compared_with_all: int | None = None) -> Pairs:
    """Return every unordered pair once, the better first.

    `oriented` (S,).
    `as_given`: whether the first submission of a pair is the one that comes first in `oriented`.
    `compared_with_all`: the submission of which every pair has one side: its pairs are a family of their own. None: all
    pairs.

    Returns `first, second`: equal scores are in the given order, undefined ones last. The order goes by the exact
    scores: which of two that differ by rounding is first says nothing, and tests call them equal.
    """
    order = np.arange(len(oriented))
    if not as_given:
        order = np.lexsort((order, -np.nan_to_num(oriented, nan=-np.inf)))
    first, second = (order[side] for side in np.triu_indices(len(order), 1))
    if compared_with_all is None:
        return first, second
    with_it = (first == compared_with_all) | (second == compared_with_all)
    return first[with_it], second[with_it]


def select_pairs(differences: FloatArray, pairs: Pairs, wanted: Pairs) -> FloatArray | None:
    """Return the differences of wanted pairs from those of `pairs`, (draws, pairs) both; None if one is not among them.

    A pair is found in either order.
    """
    if wanted is pairs:  # all of them in their order: no copy is made
        return differences
    submissions = 1 + max(int(side.max(initial=0)) for side in (*pairs, *wanted))
    column, sign = np.full((submissions, submissions), -1), np.ones((submissions, submissions))
    column[pairs] = column[pairs[::-1]] = np.arange(len(pairs[0]))
    sign[pairs[::-1]] = -1.0
    chosen = column[wanted]
    return sign[wanted] * differences[:, chosen] if chosen.min(initial=0) >= 0 else None


Needs = Literal["bind", "smooth", "grid", "exchange", "outcomes", "vectors", "per_unit"]
Sided = Literal["one", "two"]
Null = Literal["", "equal scores", "exchangeable answers", "equal scores or exchangeable answers"]


def _sides(sides: Iterable[Sided]) -> frozenset[Any]:
    return frozenset(as_names(sides))  # one word is one side


@frozen(kw_only=True, repr=False)
class SignificanceTest(Component):
    """A test comparing submissions.

    Parameters
    ----------
    needs : {"bind", "smooth", "grid", "exchange", "outcomes", "vectors", "per_unit"}
        The capability that the metric must have; smooth: `bind`, with scores that change little with the weight of a
        unit; grid: smooth, on grids of segments and systems. A test depends on capabilities, never on the names of
        metrics.
    run : callable
        From a `Contest` and "one" or "two" (sided) to a `Pairwise`, for all pairs at once.
    sides : set of {"one", "two"}
        The p-values that it can compute, one-sided or two-sided.
    interval : callable, optional
        From a `Contest` and a confidence level to the ends of the intervals of all scores, low and high, (S,) each,
        and the draws (B, S) that they were computed from.
    on_intervals : callable, optional
        From a `Contest` to details of each score, (S,) mappings, that say what its interval does not promise: as
        ``no_interval`` why it has none. They become details of the results.
    least_p : float
        A lower bound of p on any data: 1 / (1 + draws) for a test by draws. 0 if there is no such bound.
    more : SignificanceTest, optional
        The same test with more draws, which takes its place in a family with an adjusted p near alpha, if the
        correction has more draws too, or where a correction without draws could claim no pair. None: the number of
        draws is fixed.
    remarks : callable, optional
        From a `Contest` and "one" or "two" to sentences on what limits the p-values on these data. They become
        warnings of the result.
    on_significant : callable, optional
        From a `Contest` and the positions of its significant pairs, (m,) int64, to a sentence by position: why the
        difference is less certain than its p says. They become warnings that name the pair.
    null : {"", "equal scores", "exchangeable answers", "equal scores or exchangeable answers"}
        What "equal" means in the null hypothesis: the scores in the population of the units are equal; or the answers
        of both to a unit can be exchanged, since they follow one law. Both, where the larger p of two tests counts:
        exchangeable answers have equal scores, and the level holds where one of the tests holds. Empty: not stated.
    measured : str
        A sentence on the error rates that were measured: how many true null hypotheses the test rejects at .05.
    over_seeds : callable, optional
        From a `Contest` and a number of seeds to the p of all pairs under each of them, (seeds, pairs): for a test
        whose program has no seed.
    on_differences : callable, optional
        From a `Contest` and a two-sided level alpha to the ends of intervals of the oriented differences of all pairs,
        low and high, (pairs,) each, and the name of the test whose intervals they are, empty for its own. Its own
        interval has no 0 where its p is below alpha. NaN where there is none.
    swap : Swap, optional
        What the exchanges that it counts swap, of a test that needs "exchange", and so what a sum over the parts of a
        task set swaps in a part with this test: the exchanges of ``contest.along(swap.unit,
        standardize=swap.standardize)``. None: not stated; a sum with a part with such a test has no exchanges.
    combines_tasks : bool
        Whether the test asks for the submissions of each task, and so compares aggregates over tasks whatever it needs.

    Examples
    --------
    >>> import qeframe
    >>> from qeframe.plugin import SignificanceTest
    >>> test = qeframe.load().get(SignificanceTest, "randomization(draws=500)")
    >>> test.needs, sorted(test.sides)
    ('exchange', ['one', 'two'])
    """

    needs: Needs
    run: Callable[[Contest, Sided], Pairwise]
    sides: frozenset[Sided] = field(default=("one", "two"), converter=_sides)
    interval: Callable[[Contest, float], tuple[FloatArray, FloatArray, FloatArray]] | None = None
    on_intervals: Callable[[Contest], Sequence[Mapping[str, Any]]] | None = None
    least_p: float = 0.0
    more: SignificanceTest | None = None
    remarks: Callable[[Contest, Sided], Sequence[str]] | None = None
    on_significant: Callable[[Contest, IntArray], Mapping[int, str]] | None = None
    null: Null = ""
    measured: str = ""
    over_seeds: Callable[[Contest, int], FloatArray] | None = None
    on_differences: Callable[[Contest, float], tuple[FloatArray, FloatArray, str]] | None = None
    swap: Swap | None = None
    combines_tasks: bool = False

    def __attrs_post_init__(self) -> None:
        check_words(self, "needs", get_args(Needs))
        if not self.sides or self.sides - {"one", "two"}:
            refuse(self, "sides", [*self.sides], "give 'one', 'two' or both")
        check_words(self, "null", get_args(Null))
        if self.swap is not None and self.needs != "exchange":
            refuse(self, "swap", self.swap, "leave it out, or state needs='exchange'")
        check_least_p(self, self.least_p)
        check_functions(
            self, "run", "interval", "on_intervals", "remarks", "on_significant", "over_seeds", "on_differences"
        )


@frozen(kw_only=True, repr=False)
class Correction(Component):
    """An adjustment of a family of p-values.

    Parameters
    ----------
    adjust : callable
        From p (m,) to adjusted p (m,), at most 1. NaN stays NaN and counts in m.
    adjust_jointly : callable, optional
        For a correction that uses the joint distribution of all differences: from a `Contest`, the `Pairwise` of the
        test and "one" or "two" (sided) to adjusted p (pairs,). It is used instead of `adjust` wherever the submissions
        can be resampled.
    least_p : float
        A lower bound of what `adjust_jointly` returns on any data: 1 / (1 + draws).
    more : Correction, optional
        The same correction with more draws: as in `SignificanceTest`.
    controls_any_error : bool
        Whether it limits the chance of any false claim in the family to alpha where the p-values, or the joint draws,
        hold on the data. The ranks that follow from the significant differences then hold together.
    remarks : callable, optional
        From a `Contest` to sentences on what limits the adjusted p-values on these data.
    measured : str
        A sentence on the error rates that were measured: how many families of true null hypotheses have a false claim.

    Examples
    --------
    >>> import numpy as np
    >>> import qeframe
    >>> from qeframe.plugin import Correction
    >>> qeframe.load().get(Correction, "holm").adjust(np.array([0.01, 0.04])).round(3).tolist()
    [0.02, 0.04]
    """

    adjust: Callable[[FloatArray], FloatArray]
    adjust_jointly: Callable[[Contest, Pairwise, Sided], FloatArray] | None = None
    least_p: float = 0.0
    more: Correction | None = None
    controls_any_error: bool = False
    remarks: Callable[[Contest], Sequence[str]] | None = None
    measured: str = ""

    def __attrs_post_init__(self) -> None:
        check_least_p(self, self.least_p)
        check_functions(self, "adjust", "adjust_jointly", "remarks")


_ROUNDING = 1e-9
_TOO_FEW_UNITS = (
    "there are fewer than two units to resample, so that all draws are the same; give the scores of units, or choose a "
    "test that exchanges them"
)


def run(test: SignificanceTest, contest: Contest, sided: Sided) -> Pairwise:
    """Run a test on all pairs; p is in [0, 1], or NaN where the test is undefined.

    A test by resampling, one that needs 'bind', is undefined if a task has fewer than two units, such as a row of
    system scores: all its draws are the same, so that any difference would have the smallest p.
    """
    pairs, statistic = len(contest.pairs[0]), None
    if test.needs == "bind" and min(contest.sizes) < 2:
        return Pairwise(p=np.full(pairs, np.nan), reasons=[_TOO_FEW_UNITS] * pairs)
    with at_work(test, "run"):
        returned, p = _run(test, contest, sided)
        if returned.statistic is not None:
            statistic = check_returned("statistic of run", returned.statistic, (pairs,))
        least = returned.least_p
        if least is not None and not (isinstance(least, (int, float, np.number)) and 0 <= least <= 1):
            raise WrongReturnError("least_p of run", describe(least), "a number from 0 to 1, or None")
        if is_foreign(test):
            _check_foreign(test, contest, p, least, _run(test, contest, sided)[1])
        reasons = _texts("reasons of run", returned.reasons)
        if reasons and len(reasons) != pairs:
            raise WrongReturnError("reasons of run", f"{len(reasons)} texts", f"none, or {pairs}, one for each pair")
        p_of = {
            str(name): check_returned("p_of of run", values, (pairs,), name=f"p_of of run, {name}")
            for name, values in returned.p_of.items()
        }
    return Pairwise(p=p, statistic=statistic, least_p=least, reasons=reasons, p_of=p_of)


def difference_intervals(test: SignificanceTest, contest: Contest, level: float) -> tuple[FloatArray, FloatArray, str]:
    """Return the ends of intervals of the oriented differences of all pairs, NaN without one, and whose they are."""
    pairs = len(contest.pairs[0])
    if test.on_differences is None or not pairs:
        return np.full(pairs, np.nan), np.full(pairs, np.nan), ""
    with at_work(test, "on_differences"):
        low, high, whose = test.on_differences(contest, level)
        low, high = (check_returned("on_differences", end, (pairs,)) for end in (low, high))
        if (low > high).any():
            raise WrongReturnError("on_differences", "ends in descending order", "low ends below high ones")
    return low, high, str(whose) or test.name


def _check_foreign(
    test: SignificanceTest, contest: Contest, p: FloatArray, least: float | None, again: FloatArray
) -> None:
    """Raise a `WrongReturnError` for what authors of tests get wrong.

    That is a test that has not exchanged what it says (a sum is exchanged along that), p of 0 or below the smallest
    that the test says is possible, and other p-values in a second call on the same scores, `again`.
    """
    swapped = contest.swapped
    if test.swap is not None and swapped and test.swap not in swapped and not contest.together:
        raise WrongReturnError("run", f"p of exchanges of {', '.join(map(str, swapped))}", f"those of its {test.swap}")

    if (p <= 0).any():
        raise WrongReturnError("p of run", "0.0", "p-values above 0, such as (1 + count) / (1 + draws)")
    if least is not None and (low := p < least - _ROUNDING).any():
        raise WrongReturnError("p of run", f"{float(p[low][0])!r}", f"p-values of at least its least_p, {least!r}")

    if not np.array_equal(p, again, equal_nan=True):
        at = int(np.flatnonzero(~((p == again) | (np.isnan(p) & np.isnan(again))))[0])
        returned = f"{float(p[at])!r} and then {float(again[at])!r} for the same pair"
        raise WrongReturnError("p of run", returned, "equal p-values; a test that draws must seed its generator")


def _run(test: SignificanceTest, contest: Contest, sided: Sided) -> tuple[Pairwise, FloatArray]:
    """Return the result of a test, and its p-values."""
    returned: Any = test.run(contest, sided)
    if not isinstance(returned, Pairwise):
        raise WrongReturnError("run", describe(returned), "a Pairwise")
    return returned, check_returned("p of run", returned.p, contest.pairs[0].shape)


MOST_UNDEFINED = 0.05
"""A score that is undefined in a larger share of draws has no interval by draws: the others are no sample of it."""


def interval(test: SignificanceTest, contest: Contest, confidence: float) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Return the intervals of all scores, low and high, and the draws that they were computed from."""
    assert test.interval is not None
    submissions = len(contest.oriented)
    with at_work(test, "interval"):
        returned: Any = test.interval(contest, confidence)
        if not (isinstance(returned, tuple) and len(returned) == 3):
            raise WrongReturnError("interval", describe(returned), "three arrays: low, high and draws")
        low, high = (check_returned("interval", end, (submissions,)) for end in returned[:2])
        draws = check_returned("interval, draws", returned[2], (None, submissions))
        if len(draws):
            low, high = (np.where(np.isnan(draws).mean(axis=0) > MOST_UNDEFINED, np.nan, end) for end in (low, high))
        if (low > high).any():
            at = int(np.flatnonzero(low > high)[0])
            raise WrongReturnError("interval", f"{low[at]:g} to {high[at]:g}", "ends in ascending order")
    return low, high, draws


def interval_details(test: SignificanceTest | None, contest: Contest) -> list[dict[str, Any]]:
    """Return the details of each score that say what its interval does not promise."""
    if test is None or test.on_intervals is None:
        return [{} for _ in contest.oriented]
    with at_work(test, "on_intervals"):
        of_scores = [dict(details) for details in test.on_intervals(contest)]
        if len(of_scores) != len(contest.oriented):
            raise WrongReturnError("on_intervals", f"{len(of_scores)} mappings", "one for each score")
    return of_scores


def adjust(correction: Correction, p: FloatArray) -> FloatArray:
    """Return adjusted p-values, in [0, 1], or NaN."""
    with at_work(correction, "adjust"):
        return check_returned("adjust", correction.adjust(read_only_view(p)), p.shape)


def adjust_jointly(correction: Correction, contest: Contest, pairwise: Pairwise, sided: Sided) -> FloatArray:
    """Return the adjusted p-values of a correction that uses the joint distribution, in [0, 1], or NaN."""
    assert correction.adjust_jointly is not None
    with at_work(correction, "adjust_jointly"):
        returned = correction.adjust_jointly(contest, pairwise, sided)
        return check_returned("adjust_jointly", returned, contest.pairs[0].shape)


def remarks_of(component: SignificanceTest | Correction, *given: Any) -> tuple[str, ...]:
    """Return what limits the p-values of a test, or the adjusted ones of a correction, on the data of a contest."""
    if component.remarks is None:
        return ()
    with at_work(component, "remarks"):
        return _texts("remarks", component.remarks(*given))


def remarks_on_significant(test: SignificanceTest, contest: Contest, claimed: IntArray) -> dict[int, str]:
    """Return by the position of a claimed pair why its claim is less certain than its p says."""
    if test.on_significant is None or not len(claimed):
        return {}
    with at_work(test, "on_significant"):
        said = test.on_significant(contest, claimed)
        return dict(zip(map(int, said), _texts("on_significant", said.values()), strict=True))


def _texts(what: str, returned: Iterable[Any]) -> tuple[str, ...]:
    texts = tuple(returned)
    if not all(isinstance(text, str) for text in texts):
        raise WrongReturnError(what, "a value that is no text", "texts")
    return texts
