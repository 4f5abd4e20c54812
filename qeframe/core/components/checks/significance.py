"""What significance tests and corrections return: p-values, statistics, intervals, remarks."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

import numpy as np

from qeframe.core.batches.base import FloatArray, IntArray
from qeframe.core.batches.ragged import read_only_view
from qeframe.core.components.checks.work import at_work
from qeframe.core.components.component import is_foreign
from qeframe.core.components.pairs import Pairwise
from qeframe.core.components.significance import Correction, Sided, SignificanceTest
from qeframe.core.returned import WrongReturnError, check_returned, describe

if TYPE_CHECKING:
    from qeframe.core.evaluation.contest import Contest

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
    pairs = len(contest.pairs[0])
    if test.needs == "bind" and min(contest.sizes) < 2:
        return Pairwise(p=np.full(pairs, np.nan), reasons=[_TOO_FEW_UNITS] * pairs)
    with at_work(test, "run"):
        returned, p = _run(test, contest, sided)
        statistic: Any = returned.statistic
        if statistic is not None:
            statistic = check_returned("statistic of run", statistic, (pairs,))
        if returned.least_p is not None:
            least = returned.least_p
            if not (isinstance(least, (int, float, np.number)) and 0 <= least <= 1):
                raise WrongReturnError("least_p of run", describe(least), "a number from 0 to 1, or None")
        if is_foreign(test):
            _check_swap(test, contest)
            _check_least(p, returned.least_p)
            _check_equal(p, _run(test, contest, sided)[1])
        reasons = tuple(returned.reasons)
        if reasons and len(reasons) != pairs:
            raise WrongReturnError("reasons of run", f"{len(reasons)} texts", f"none, or {pairs}, one for each pair")
        _texts("reasons of run", reasons)
        p_of = {
            str(name): check_returned("p_of of run", values, (pairs,), name=f"p_of of run, {name}").copy()
            for name, values in returned.p_of.items()
        }
    return Pairwise(p=p, statistic=statistic, least_p=returned.least_p, reasons=reasons, p_of=p_of)


def _check_swap(test: SignificanceTest, contest: Contest) -> None:
    """Raise a `WrongReturnError` if a test has not exchanged what it says: a sum is exchanged along what it says."""
    swapped = contest.swapped
    if test.swap is not None and swapped and test.swap not in swapped and not contest.together:
        raise WrongReturnError("run", f"p of exchanges of {', '.join(map(str, swapped))}", f"those of its {test.swap}")


def _check_least(p: FloatArray, least: float | None) -> None:
    """Raise a `WrongReturnError` for p of 0, and for p below the smallest that the test says is possible."""
    if (p <= 0).any():
        raise WrongReturnError("p of run", "0.0", "p-values above 0, such as (1 + count) / (1 + draws)")
    if least is not None and (low := p < least - _ROUNDING).any():
        raise WrongReturnError("p of run", f"{float(p[low][0])!r}", f"p-values of at least its least_p, {least!r}")


def _check_equal(p: FloatArray, again: FloatArray) -> None:
    """Raise a `WrongReturnError` if a second call on the same scores has other p-values."""
    if not np.array_equal(p, again, equal_nan=True):
        at = int(np.flatnonzero(~((p == again) | (np.isnan(p) & np.isnan(again))))[0])
        returned = f"{float(p[at])!r} and then {float(again[at])!r} for the same pair"
        raise WrongReturnError("p of run", returned, "equal p-values; a test that draws must seed its generator")


def _run(test: SignificanceTest, contest: Contest, sided: Sided) -> tuple[Pairwise, FloatArray]:
    """Return the result of a test, and its p-values."""
    returned: Any = test.run(contest, sided)
    if not isinstance(returned, Pairwise):
        raise WrongReturnError("run", describe(returned), "a Pairwise")
    return returned, check_returned(
        "p of run", returned.p, contest.pairs[0].shape
    ).copy()  # the test may keep its array


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


def remarks_of_test(test: SignificanceTest, contest: Contest, sided: Sided) -> tuple[str, ...]:
    """Return what limits the p-values of a test on these data."""
    if test.remarks is None:
        return ()
    with at_work(test, "remarks"):
        return _texts("remarks", test.remarks(contest, sided))


def remarks_of_correction(correction: Correction, contest: Contest) -> tuple[str, ...]:
    """Return what limits the adjusted p-values of a correction on these data."""
    if correction.remarks is None:
        return ()
    with at_work(correction, "remarks"):
        return _texts("remarks", correction.remarks(contest))


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
