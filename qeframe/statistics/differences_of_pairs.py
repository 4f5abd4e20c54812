"""The differences of all pairs: in draws, a part of the pairs at a time, and with their jackknife standard errors."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Protocol
from weakref import WeakKeyDictionary

import numpy as np
from attrs import frozen

from qeframe.core.batch import FloatArray, IntArray
from qeframe.core.draws import bounded_slices
from qeframe.core.ranking import ROUNDING, rounding_slack
from qeframe.core.standard_errors import GridLeftOut, WorkingScale
from qeframe.statistics.jackknife_variance import (
    JackknifeVariance,
    jackknife_variance,
    two_way_variance,
    variance_of_pairs,
)
from qeframe.statistics.scale_transforms import on_working_scale, size_on_scale

if TYPE_CHECKING:
    from qeframe.core.contest import Contest

_ARRAYS = 3
"""How many arrays with one number for each pair and unit live at once."""


@frozen(eq=False)
class DifferencesOfPairs:
    """The differences of m pairs on the working scale, oriented.

    Parameters
    ----------
    difference, error, freedom : (m,) float64
        The difference, its standard error and degrees of freedom: see `jackknife_variance`.
    """

    difference: FloatArray
    error: FloatArray
    freedom: FloatArray

    @property
    def t(self) -> FloatArray:
        """(m,) float64: the difference over its error; 0 where both are 0, NaN where only the error is."""
        with np.errstate(divide="ignore", invalid="ignore"):
            t = np.where(self.error > 0, self.difference / self.error, np.nan)
        return np.where((self.error == 0) & (self.difference == 0), 0.0, t)


class Jackknifed(Protocol):
    """What the jackknife needs of a `Contest`, which documents the members."""

    @property
    def oriented(self) -> FloatArray:
        """(S,) float64: the oriented scores."""

    @property
    def pairs(self) -> tuple[IntArray, IntArray]:
        """(pairs,) int64 twice: the submissions of each pair."""

    @property
    def working_scale(self) -> WorkingScale:
        """The scale on which scores are compared."""

    @property
    def sizes(self) -> tuple[int, ...]:
        """How many units each sample has."""

    def jackknife(self) -> FloatArray:
        """Return the oriented scores with each unit left out in turn, (n, S)."""


def jackknife_of_pairs(contest: Jackknifed, scale: WorkingScale | None = None) -> DifferencesOfPairs:
    """Return the differences of the pairs of a contest, with their jackknife errors.

    Parameters
    ----------
    contest : Contest or Jackknifed
    scale : {"identity", "arctanh"}, optional
        By default the working scale of the contest.

    Notes
    -----
    A contest does not change: what was computed is kept as long as it exists, for the correction after the test.

    Examples
    --------
    >>> import numpy as np
    >>> import qeframe
    >>> from qeframe.plugin import Pairwise, SignificanceTest
    >>> from qeframe.plugin.resampling import jackknife_of_pairs
    >>> seen = []
    >>> def run(contest, sided):
    ...     seen.append(jackknife_of_pairs(contest).error.round(2).tolist())
    ...     return Pairwise(p=np.ones(len(contest.pairs[0])))
    >>> test = SignificanceTest(name="mine", summary="Keeps standard errors", needs="smooth", run=run)
    >>> answers = {"good": [1, 2, 3, 5, 4, 6, 8, 7], "poor": [3, 1, 2, 4, 8, 7, 5, 6]}
    >>> pairs = qeframe.compare("mae", range(8), answers, test=test, correction="holm")
    >>> seen[0]
    [0.65]
    """
    chosen = scale or contest.working_scale
    kept = _KNOWN.setdefault(contest, {})
    if chosen not in kept:
        kept[chosen] = _jackknifed(contest, chosen)
    return kept[chosen]


_KNOWN: WeakKeyDictionary[Jackknifed, dict[WorkingScale, DifferencesOfPairs]] = WeakKeyDictionary()


def _jackknifed(contest: Jackknifed, scale: WorkingScale) -> DifferencesOfPairs:
    sizes = contest.sizes
    left_out = np.ascontiguousarray(on_working_scale(contest.jackknife(), scale).T)
    scores = size_on_scale(left_out, scale, axis=1)

    def variance(first: IntArray, second: IntArray) -> JackknifeVariance:
        larger = np.maximum(scores[first], scores[second])
        return jackknife_variance((left_out[first] - left_out[second]).T, sizes, scores=larger)

    def by_products(first: IntArray, second: IntArray) -> JackknifeVariance:
        return variance_of_pairs(left_out, (first, second), sizes, scores=np.maximum(scores[first], scores[second]))

    if len(contest.pairs[0]) * left_out.shape[1] > _MANY:
        return _of_pairs(contest, scale, 1, by_products)
    return _of_pairs(contest, scale, left_out.shape[1], variance)


_MANY = 2**21
"""From so many differences of pairs in units on, their sums of squares come from products of all submissions."""


def two_way_of_pairs(contest: Contest) -> DifferencesOfPairs:
    """Return the differences of the pairs on the working scale, with errors for segments and systems both drawn.

    Raises
    ------
    CapabilityError
        If the batches are no grids, or groups of segments are scored or resampled.
    """
    grids = _scaled(contest)
    scores = np.max([size_on_scale(grid.segments, contest.working_scale, axis=0) for grid in grids], axis=0)

    def variance(first: IntArray, second: IntArray) -> JackknifeVariance:
        differences = [grid.changed(lambda values: values[:, first] - values[:, second]) for grid in grids]
        return two_way_variance(differences, scores=np.maximum(scores[first], scores[second]))

    return _of_pairs(contest, contest.working_scale, max(len(grid.cells) for grid in grids), variance)


def two_way_of_scores(contest: Contest) -> JackknifeVariance:
    """Return the errors of the scores on the working scale for segments and systems both drawn, (S,)."""
    return two_way_variance(_scaled(contest))


def _scaled(contest: Contest) -> list[GridLeftOut]:
    scale = contest.working_scale
    return [grid.changed(lambda values: on_working_scale(values, scale)) for grid in contest.left_out_of_grids()]


def _of_pairs(
    contest: Jackknifed, scale: WorkingScale, values: int, variance: Callable[[IntArray, IntArray], JackknifeVariance]
) -> DifferencesOfPairs:
    """Return the differences of all pairs; `values` is how many leave-one-out values a pair has at once."""
    oriented, (first, second) = contest.oriented, contest.pairs
    scores = on_working_scale(oriented, scale)
    with np.errstate(invalid="ignore"):
        difference = scores[first] - scores[second]
        equal = abs(oriented[first] - oriented[second]) <= slack_of_pairs(contest)
    # scores that differ by rounding alone are equal; near 1, arctanh would make a large difference of it
    difference = np.where(equal | (oriented[first] == oriented[second]), 0.0, difference)
    error, freedom = np.empty(len(first)), np.empty(len(first))
    for part in parts_of_pairs(len(first), _ARRAYS * max(1, values)):
        with np.errstate(invalid="ignore"):
            variances = variance(first[part], second[part])
        error[part], freedom[part] = variances.error, variances.freedom
    return DifferencesOfPairs(difference, error, freedom)


def slack_of_pairs(contest: Jackknifed) -> FloatArray:
    """Return how far the scores of each pair may lie apart by rounding, (pairs,), in draws and exchanges too.

    It is `rounding_slack`, but of scores whose working scale is arctanh at least 1e-12: a correlation near 0 comes from
    sums of size 1.
    """
    first, second = contest.pairs
    slack = rounding_slack(contest.oriented[first], contest.oriented[second])
    return slack if contest.working_scale == "identity" else np.maximum(slack, ROUNDING)


def parts_of_pairs(pairs: int, draws: int) -> list[slice]:
    """Cut the pairs so that their differences in so many draws take bounded memory."""
    return bounded_slices(pairs, draws)


def over_pairs(
    draws: FloatArray, pairs: tuple[IntArray, IntArray], reduce: Callable[[FloatArray, slice], FloatArray]
) -> FloatArray:
    """Apply `reduce` to the differences of all pairs, a slice of pairs at a time so that memory is bounded.

    Parameters
    ----------
    draws : (B, S) float64
    reduce : callable
        From differences (B, p) and the slice of their pairs to (p,).

    Returns
    -------
    (pairs,) float64

    Examples
    --------
    >>> import numpy as np
    >>> from qeframe.plugin.resampling import over_pairs
    >>> draws = np.array([[0.5, 0.3], [0.4, 0.6]])
    >>> pairs = (np.array([0]), np.array([1]))
    >>> over_pairs(draws, pairs, lambda differences, part: (differences > 0).mean(axis=0)).tolist()
    [0.5]
    """
    first, second = pairs
    parts = parts_of_pairs(len(first), len(draws))
    results = [reduce(draws[:, first[part]] - draws[:, second[part]], part) for part in parts]
    return np.concatenate(results) if results else np.empty(0)
