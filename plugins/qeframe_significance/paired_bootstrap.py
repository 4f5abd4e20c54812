"""The paired bootstrap: intervals and tests from resampled units."""

from collections.abc import Sequence
from typing import Literal

import numpy as np
from attrs import field, frozen
from numpy.typing import ArrayLike

from qeframe.plugin import DataError, FloatArray, IntArray, Sided
from qeframe.plugin.kinds import check_same_length, finite_numbers
from qeframe.plugin.resampling import magnitude_of, parts_of_pairs, rounding_slack
from qeframe_significance.p_values import at_least, share

P = Literal["centered", "percentile", "koehn"]


@frozen
class BootstrapResult:
    """The outcome of a paired bootstrap of the difference of two means.

    Parameters
    ----------
    difference : float
        Mean of a minus mean of b.
    differences : (B,) float64
        The difference in every draw.
    wins_a, wins_b, ties : int
        Draws in which a is better, b is better, or neither.
    p_centered, p_percentile : float
        The two-sided p-values, see `bootstrap`.
    p_koehn : float
        The share of draws in which a is not better. It is for replication and does not test a null hypothesis.
    low, high : float
        The percentile interval of the difference.
    """

    difference: float
    differences: FloatArray = field(repr=False)
    wins_a: int
    wins_b: int
    ties: int
    p_centered: float
    p_percentile: float
    p_koehn: float
    low: float
    high: float


def bootstrap(
    a: ArrayLike, b: ArrayLike, *, draws: int | Sequence[Sequence[int]] = 1000, confidence: float = 0.95, seed: int = 0
) -> BootstrapResult:
    """Resample units in pairs and compare the means of two submissions.

    Parameters
    ----------
    a, b : (n,) array_like
        One value per unit, higher is better.
    draws : int or list of lists of int
        How many samples are drawn, or the samples themselves as lists of unit positions.
    confidence : float
        The confidence level of the interval.
    seed : int
        The seed of the draws.

    Raises
    ------
    DataError
        For values that are missing or not numbers, different lengths, or draws with positions that do not exist.

    Notes
    -----
    p_centered counts the draws whose difference is at least as far from the mean of all draws as the observed
    difference is from 0. p_percentile is 2 (1 + c) / (1 + B), at most 1. Here c is the smaller of two counts: the draws
    at or above 0, and those at or below 0. If p_percentile is below alpha, the percentile interval of confidence
    1 - alpha does not contain 0. The converse fails only at the edge: there p_percentile would be below alpha if c were
    smaller by one or two draws. Neither p is ever 0.

    References
    ----------
    Efron and Tibshirani (1993); Koehn (2004), Statistical Significance Tests for Machine Translation Evaluation.
    """
    values_a, values_b = finite_numbers(a, "a", least=1), finite_numbers(b, "b", least=1)
    check_same_length(len(values_a), len(values_b))
    counts = _counts(draws, len(values_a), seed)
    both = np.stack([values_a, values_b])
    differences = (counts @ (both[0] - both[1])) / counts.sum(axis=1)
    observed = float(np.mean(both[0] - both[1]))
    slack = rounding_slack(*both.mean(axis=1, keepdims=True))
    column, single = differences[:, None], np.array([observed])
    p = {kind: float(p_of_differences(column, single, kind, side, slack)[0]) for kind, side in _SIDES}
    low, high = quantiles(column, confidence)
    won, lost = int((column > slack).sum()), int((column < -slack).sum())
    return BootstrapResult(
        difference=observed,
        differences=differences,
        wins_a=won,
        wins_b=lost,
        ties=len(differences) - won - lost,
        p_centered=p["centered"],
        p_percentile=p["percentile"],
        p_koehn=p["koehn"],
        low=float(low[0]),
        high=float(high[0]),
    )


_SIDES: tuple[tuple[P, Sided], ...] = (("centered", "two"), ("percentile", "two"), ("koehn", "one"))


def _counts(draws: int | Sequence[Sequence[int]], units: int, seed: int) -> FloatArray:
    from qeframe.plugin.resampling import bootstrap_counts, draw_blocks, seed_key

    if isinstance(draws, int):
        if draws < 1:
            raise DataError(f"draws must be at least 1, not {draws}")
        key = seed_key(np.random.default_rng(seed))
        drawn = [bootstrap_counts(block, units) for block in draw_blocks(key, draws, units)]
        return np.concatenate(drawn).astype(np.float64)
    if not len(draws):
        raise DataError("draws must hold at least one list of unit positions")
    rows = np.repeat(np.arange(len(draws)), [len(draw) for draw in draws])
    positions = np.asarray([position for draw in draws for position in draw], dtype=np.int64)
    if len(positions) and not (positions.min() >= 0 and positions.max() < units):
        raise DataError(f"draws name units outside 0 to {units - 1}")
    if not all(len(draw) for draw in draws):
        raise DataError("a draw without units has no mean")
    counts = np.zeros((len(draws), units))
    np.add.at(counts, (rows, positions), 1)
    return counts


def p_of_differences(
    differences: FloatArray, observed: FloatArray, kind: P, sided: Sided, slack: FloatArray
) -> FloatArray:
    """Return p for every pair.

    `differences` (B, pairs): the difference in every draw, positive when the first is better. NaN, an undefined score,
      counts as extreme.
    `observed` (pairs,).
    `slack` (pairs,): Differences that are not farther apart than this are equal.
    """
    total = len(differences)
    if kind == "centered":
        center = np.nan_to_num(mean_of_defined(differences))
        counts = at_least(differences - center, observed, sided, slack).sum(axis=0, dtype=np.float64)
        return share(counts, total, observed)
    # negated, so that an undefined draw counts against the claim
    not_above = (~(differences > slack)).sum(axis=0, dtype=np.float64)
    if kind == "koehn":
        return np.where(np.isnan(observed), np.nan, not_above / total)
    if sided == "one":
        return share(not_above, total, observed)
    not_below = (~(differences < -slack)).sum(axis=0, dtype=np.float64)
    return np.minimum(1.0, 2 * share(np.minimum(not_above, not_below), total, observed))


def low_end(differences: FloatArray, level: float, *, adds: bool) -> FloatArray:
    """Return the low end (pairs,) that is above 0 where the share of draws not above 0 is below a one-sided level.

    `differences` (B, pairs): NaN counts against the claim. `adds`: whether the share is (1 + c) / (1 + B), not c / B.
    """
    draws = len(differences)
    below = int(np.ceil(level * (1 + draws) - 1 if adds else level * draws))
    if below < 1:
        return np.full(differences.shape[1], np.nan)
    filled = np.where(np.isnan(differences), -np.inf, differences)
    end = np.partition(filled, min(below, draws) - 1, axis=0)[min(below, draws) - 1]
    return np.where(np.isfinite(end), end, np.nan)


def p_of_overlap(drawn: FloatArray, oriented: FloatArray, pairs: tuple[IntArray, IntArray]) -> FloatArray:
    """Return, for every pair, the largest alpha at which the 1 - alpha intervals of both scores overlap.

    `drawn` (B, S): the oriented scores of every draw. One that is undefined counts as extreme.
    `oriented` (S,).
    `pairs` (pairs,): the better submission first.

    Result: at least 1 / (1 + B), at most 1; NaN where a score is undefined.

    Notes
    -----
    At alpha = 2 k / (B - 1) the ends of the intervals are the order statistics number k, from 0: the low end of the
    better one less the high end of the other grows with k, linearly between whole k.
    """
    draws, (first, second) = len(drawn), pairs
    # an undefined draw may be anything: it is the lowest among the lows and the highest among the highs
    lows = np.sort(np.where(np.isnan(drawn), -np.inf, drawn), axis=0)
    highs = -np.sort(np.where(np.isnan(drawn), -np.inf, -drawn), axis=0)
    crossing = np.empty(len(first))
    for part in parts_of_pairs(len(first), draws):
        # row k: by how much the lower quantile k of the better exceeds the upper quantile k of the worse one; it grows
        gap = lows[:, first[part]] - highs[:, second[part]]
        after = np.minimum((~(gap > 0)).sum(axis=0), draws - 1)
        before = np.maximum(after - 1, 0)
        here, there = (gap[row, np.arange(gap.shape[1])] for row in (before, after))
        with np.errstate(invalid="ignore", divide="ignore"):
            # quantiles are interpolated between draws, and so is the level at which the gap is 0
            share_of_step = np.nan_to_num(np.clip(-here / (there - here), 0.0, 1.0))
        crossing[part] = before + np.where(after > 0, share_of_step, 0.0)
    p = np.clip(2 * crossing / max(1, draws - 1), 1 / (1 + draws), 1.0)
    return np.where(np.isnan(oriented[first] + oriented[second]), np.nan, p)


def mean_of_defined(values: FloatArray) -> FloatArray:
    """Return the mean over the defined draws, (B, m) -> (m,); NaN where none is defined."""
    defined = np.isfinite(values)
    count = defined.sum(axis=0)
    total = np.where(defined, values, 0.0).sum(axis=0)
    return np.divide(total, count, out=np.full(total.shape, np.nan), where=count > 0)


def quantiles(draws: FloatArray, confidence: float) -> tuple[FloatArray, FloatArray]:
    """Return the ends of the central interval of the defined draws, (B, m) -> (m,) twice."""
    tail = (1 - confidence) / 2
    return at_levels(draws, np.full(draws.shape[1], tail), np.full(draws.shape[1], 1 - tail))


def at_levels(draws: FloatArray, low: FloatArray, high: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Return the quantiles of each column of draws at its own two levels; NaN where no draw is defined."""
    ordered = np.sort(draws, axis=0)
    # NaN is sorted to the end, so that the defined draws are the first ones of each column
    last = np.isfinite(draws).sum(axis=0) - 1
    return _at_level(ordered, last, low), _at_level(ordered, last, high)


def _at_level(ordered: FloatArray, last: IntArray, level: FloatArray) -> FloatArray:
    """Interpolate between order statistics by the default rule of numpy."""
    position = np.nan_to_num(level) * np.maximum(last, 0)
    below = np.floor(position).astype(np.int64)
    above = np.minimum(below + 1, np.maximum(last, 0))
    columns = np.arange(ordered.shape[1])
    bottom, top = ordered[below, columns], ordered[above, columns]
    value = bottom + (top - bottom) * (position - below)
    return np.where((last < 0) | np.isnan(level), np.nan, value)


def bca_levels(
    draws: FloatArray,
    observed: FloatArray,
    left_out: FloatArray,
    confidence: float,
    *,
    sizes: Sequence[int] | IntArray | None = None,
) -> tuple[FloatArray, FloatArray]:
    """Return the two levels of the bias-corrected and accelerated interval of each score.

    `draws` (B, m).
    `observed` (m,).
    `left_out` (n, m): the scores with each unit left out in turn, sample after sample.
    `sizes` (samples,): how many units each independent sample (task) has; None: one sample. The jackknife values of a
      sample are centered at their own mean.

    Returns `low, high`: NaN where all defined draws are strictly on one side of the observed score, or none is defined.
    A draw equal to the observed score counts as one half on each side, so a constant score has the levels of the
    percentile interval.

    References
    ----------
    Efron (1987), Better Bootstrap Confidence Intervals; for several samples Davison and Hinkley (1997), section 5.3.2.
    """
    from scipy.special import ndtr, ndtri

    defined = np.isfinite(draws)
    below = np.where(defined, (draws < observed) + 0.5 * (draws == observed), 0.0).sum(axis=0)
    acceleration = _acceleration(left_out, [len(left_out)] if sizes is None else sizes)
    with np.errstate(divide="ignore", invalid="ignore"):
        bias = ndtri(below / defined.sum(axis=0))
        z = ndtri((1 - confidence) / 2)
        low, high = (ndtr(bias + (bias + tail) / (1 - acceleration * (bias + tail))) for tail in (z, -z))
    degenerate = ~np.isfinite(bias)
    return np.where(degenerate, np.nan, low), np.where(degenerate, np.nan, high)


def _acceleration(left_out: FloatArray, sizes: Sequence[int] | IntArray) -> FloatArray:
    """Return one sixth of the skewness of the jackknife values, (m,); 0 where they do not vary."""
    cubes, squares = np.zeros(left_out.shape[1]), np.zeros(left_out.shape[1])
    for sample in np.split(left_out / magnitude_of(left_out, axis=0), np.cumsum(sizes)[:-1]):
        # one n-th of the influence of each unit, so that samples of several sizes add up
        away = (mean_of_defined(sample) - sample) * (1 - 1 / max(1, len(sample)))
        away = np.where(np.isfinite(away), away, 0.0)
        cubes += (away**3).sum(axis=0)
        squares += (away**2).sum(axis=0)
    return np.divide(cubes, 6 * squares**1.5, out=np.zeros_like(cubes), where=squares > 0)
