"""How many data sets each metric needs to tell qualities apart: Algorithm 1 of Logacheva et al. (2016), its table 2."""

import math
from collections.abc import Sequence
from itertools import combinations

import numpy as np
from attrs import frozen
from numpy.typing import ArrayLike

from qeframe.core.batch import Batch, FloatArray
from qeframe.core.draws import Key
from qeframe.core.errors import DataError
from qeframe.core.metric import Metric
from qeframe.core.runner import Runner
from qeframe.statistics.jackknife_variance import LEAST_ERROR
from qeframe.studies.sampling.data_sets import Measured, mixed_task

_NODES_OF_P, _NODES_OF_ERROR = 96, 24
"""Nodes of Gauss-Legendre quadrature over p, and over the estimated error."""


def mean_p_of_t_test(effect: ArrayLike, size: int) -> FloatArray:
    """Return the mean two-sided p of Student's unpaired t-test between two samples of normal values.

    `effect`: the difference of the means over sqrt(variance + other variance): not the pooled deviation, but the
    deviation of the difference of one value from each sample. NaN stays NaN, infinite effects have p 0. `size`: how
    many values each sample has; at least 2. Result: in [0, 1/2]: p is uniform without an effect.

    Notes
    -----
    Let T0 follow Student's t with df = 2 size - 2, and let T follow the noncentral t that the statistic has, with
    noncentrality effect * sqrt(size). Then p is P(abs(T0) > abs(t)), and its mean is P(abs(T0) > abs(T)). It is
    integrated over the quantiles of abs(T0) and, for the distribution of T, over those of the estimated variance.

    References
    ----------
    Logacheva et al. (2016), Algorithm 1: p-values are averaged over repetitions.
    """
    from scipy.special import gammaincinv, ndtr, stdtrit

    freedom = 2 * size - 2
    shift = np.atleast_1d(np.abs(np.asarray(effect, dtype=np.float64))).astype(np.float64) * np.sqrt(size)
    share, weight = _nodes(_NODES_OF_P)
    bounds = stdtrit(freedom, (1 + share) / 2)
    level, level_weight = _nodes(_NODES_OF_ERROR)
    errors = np.sqrt(gammaincinv(freedom / 2, level) * 2 / freedom)
    limits = bounds[:, None] * errors
    mean_p = np.empty(shift.shape)
    for position, value in np.ndenumerate(shift):
        mean_p[position] = weight @ (ndtr(limits - value) - ndtr(-limits - value)) @ level_weight
    return mean_p.reshape(np.shape(effect))


def _nodes(count: int) -> tuple[FloatArray, FloatArray]:
    """Return the nodes and weights of Gauss-Legendre quadrature from 0 to 1."""
    nodes, weights = np.polynomial.legendre.leggauss(count)
    return (nodes + 1) / 2, weights / 2


SIZES = (100, 200, 500, 1000, 2000, 5000, 10_000)
"""The sample sizes of the paper."""

BASE, GAPS = 30.0, (0.01, 0.05, 0.1, 0.2)
"""The thresholds of the paper: 30 %, and how much higher the others are."""

_BOUND = 1.96
"""How many standard errors of the mean difference the bounds of a sample size are away."""


def threshold_pairs(base: float, gaps: Sequence[float], *, every: bool = False) -> list[tuple[float, float]]:
    """Return the pairs of thresholds that are compared: the base with each other one, or, with `every`, all pairs."""
    if every:
        return list(combinations([base, *(base + gap for gap in sorted(set(gaps)))], 2))
    return [(base, base + gap) for gap in gaps]


@frozen(kw_only=True)
class LeastSample:
    """What one metric needs to tell data sets at two thresholds apart.

    Parameters
    ----------
    difference : float
        The mean score at the lower threshold less that at the higher one: positive if better data sets score better.
    error : float
        The standard error of `difference` from the drawn data sets.
    spread : float
        The standard deviation of the difference of two independent data sets, one from each threshold.
    mean_p : tuple of float
        The mean p of the t-test for each sample size.
    size : float
        The smallest sample size with a mean p of at most alpha; infinite if there is none, NaN if undefined.
    low, high : float
        The same if `difference` is 1.96 standard errors larger, or smaller, in magnitude.
    """

    difference: float
    error: float
    spread: float
    mean_p: tuple[float, ...]
    size: float
    low: float
    high: float

    @property
    def reversed(self) -> bool:
        """Whether the metric prefers the worse data sets by more than chance explains."""
        return self.difference < -_BOUND * self.error


@frozen(kw_only=True)
class SampledMetric:
    """One metric: what it needs for each pair of thresholds."""

    metric: str
    least: tuple[LeastSample, ...]


def sample_metrics(
    batches: Sequence[Batch],
    metrics: Sequence[Metric],
    *,
    base: float = BASE,
    gaps: Sequence[float] = GAPS,
    every: bool = False,
    sizes: Sequence[int] = SIZES,
    measured: Measured = "wrong",
    draws: int = 100_000,
    alpha: float = 0.05,
    key: Key = (0,),
    runner: Runner | None = None,
) -> list[SampledMetric]:
    """Find the smallest samples with which each metric tells data sets of two qualities apart.

    Parameters
    ----------
    batches : sequence of Batch
        One for each submission, all on the same sentences: `Tags`, or another kind that says which shares of its units
        are marked as errors.
    metrics : sequence of Metric
        Additive ones on this kind.
    base : float
        The lower threshold, in percent of the words.
    gaps : sequence of float
        How much higher each other threshold is; positive.
    every : bool
        Whether all pairs of thresholds are compared, as `threshold_pairs` lists them, not only those with the base.
    sizes : sequence of int
        Sample sizes, at least 2, in ascending order: how many data sets each of the two samples has.
    measured : {"wrong", "bad"}
        What the thresholds bound: words with a wrong tag, or words marked as an error (BAD).
    draws : int
        How many data sets are drawn for each threshold, to estimate the moments of scores; at least 2.
    alpha : float
        Of every gap, as in the paper; for Bonferroni's correction, divide it by the number of gaps.
    key : tuple of int
        The key of the stream of draws.
    runner : Runner, optional

    Returns
    -------
    list of SampledMetric
        In the order of the metrics; the same for any number of workers.

    Raises
    ------
    CapabilityError, DataError
        As `mixed_task` and `MixedTask.draw`; also for sizes, gaps or draws out of range.

    Notes
    -----
    A data set takes the tags of random submissions for one random sentence after the other until it reaches its
    threshold; all other sentences keep the gold's tags. Algorithm 1 draws two samples of such data sets, tests the
    difference of their scores by the unpaired t-test, and averages p over 1,000 repetitions; the sample grows until the
    mean p is at most alpha. Here the mean p is integrated from the mean and the standard deviation of the scores at
    each threshold. This is exact for normal scores; the test itself treats means of samples as normal. The mean
    difference is estimated on data sets that share their random order, which changes no mean and makes it far more
    precise; the samples of the test are independent.

    The listing of the paper compares two metrics and leaves three things open. The p-values start at 1. If both metrics
    reach alpha at the same size, neither is better. The loop ends at the largest size.

    References
    ----------
    Logacheva et al. (2016), Metrics for Evaluation of Word-level Machine Translation Quality Estimation, Algorithm 1.
    """
    _check(base, gaps, sizes, draws)
    pairs = threshold_pairs(base, gaps, every=every)
    thresholds = sorted({threshold for pair in pairs for threshold in pair})
    mixed = mixed_task(batches, metrics, measured)
    scores = mixed.draw(thresholds, draws, key, runner or Runner())
    signs = np.array([1.0 if metric.higher_is_better else -1.0 for metric in metrics])
    oriented = np.moveaxis(scores * signs, 0, -1)
    difference, error, spread = (
        np.stack(side)
        for side in zip(
            *(_moments(oriented[thresholds.index(low)], oriented[thresholds.index(high)]) for low, high in pairs),
            strict=True,
        )
    )
    p = np.stack([mean_p_of_t_test(_effects(difference, error, spread), size) for size in sizes], axis=-1)
    moments = np.stack([difference, error, spread])
    return [
        SampledMetric(
            metric=metric.name,
            least=tuple(_least(moments[:, gap, nth], p[:, gap, nth], sizes, alpha) for gap in range(len(pairs))),
        )
        for nth, metric in enumerate(metrics)
    ]


def _check(base: float, gaps: Sequence[float], sizes: Sequence[int], draws: int) -> None:
    if not gaps or min(gaps) <= 0 or not 0 < base < 100:
        raise DataError("the base must lie between 0 and 100 %, and the gaps must be positive")
    if not sizes or min(sizes) < 2 or list(sizes) != sorted(set(sizes)):
        raise DataError("sample sizes must be at least 2, in ascending order")
    if draws < 2:
        raise DataError("at least 2 data sets must be drawn for each threshold")


def _moments(better: FloatArray, worse: FloatArray) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Return the mean difference, its error, and the deviation of a difference of independent scores.

    `better`, `worse` (metrics, draws): scores of data sets that share their random order. Returns `difference, error,
    spread`: Differences and deviations of rounding size are 0.
    """
    apart = better - worse
    difference, error = apart.mean(axis=-1), apart.std(axis=-1, ddof=1) / math.sqrt(apart.shape[-1])
    spread = np.sqrt(better.var(axis=-1, ddof=1) + worse.var(axis=-1, ddof=1))
    difference, error, spread = (
        np.where(np.abs(column) <= LEAST_ERROR, 0.0, column) for column in (difference, error, spread)
    )
    return difference, error, spread


def _effects(difference: FloatArray, error: FloatArray, spread: FloatArray) -> FloatArray:
    """Return the effects of the mean difference, of a larger and of a smaller one, (3, gaps, metrics).

    Scores without any spread differ for certain, or not at all.
    """
    size = np.abs(difference)
    bounds = np.stack([size, size + _BOUND * error, np.maximum(size - _BOUND * error, 0.0)])
    with np.errstate(divide="ignore", invalid="ignore"):
        effects = bounds / spread
    return np.where((spread == 0) & (bounds == 0), 0.0, effects)


def _least(moments: FloatArray, p: FloatArray, sizes: Sequence[int], level: float) -> LeastSample:
    """Return the smallest sample size from the difference, its error and the spread, (3,), and mean p (3, sizes).

    The rows of p are those of the difference and of its two bounds.
    """
    difference, error, spread = moments.tolist()
    size, low, high = (_first(row, sizes, level) for row in p)
    return LeastSample(
        difference=difference, error=error, spread=spread, mean_p=tuple(p[0].tolist()), size=size, low=low, high=high
    )


def _first(p: FloatArray, sizes: Sequence[int], level: float) -> float:
    if np.isnan(p).any():
        return math.nan
    enough = np.flatnonzero(p <= level)
    return float(sizes[enough[0]]) if len(enough) else math.inf
