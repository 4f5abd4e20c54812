"""The variance of a score by the jackknife, and the degrees of freedom of that variance.

A sample has units of one kind, or it is a grid, whose segments and systems are both drawn from larger populations.
"""

from collections.abc import Sequence

import numpy as np
from attrs import frozen

from qeframe.core.batch import FloatArray, IntArray
from qeframe.core.draws import bounded_slices
from qeframe.core.standard_errors import GridLeftOut
from qeframe.statistics.scale_transforms import magnitude_of, size_on_scale

FEWEST_UNITS = 7
"""With fewer units a jackknife error says little: tests enumerate all exchanges of so few units instead."""

LEAST_ERROR = 1e-12
"""A standard error that is a smaller share of the scores is rounding: the leave-one-out values do not vary."""


@frozen(eq=False)
class JackknifeVariance:
    """The variances of m statistics and their degrees of freedom.

    Parameters
    ----------
    error : (m,) float64
        The standard error. 0 where the leave-one-out values do not vary, NaN where one of them is not finite or a
        sample has fewer than two units.
    freedom : (m,) float64
        The degrees of freedom nu, from 1 to the number of units less the number of samples. NaN where `error` is.
    """

    error: FloatArray
    freedom: FloatArray


def jackknife_variance(
    left_out: FloatArray, sizes: Sequence[int] | None = None, *, scores: FloatArray | None = None
) -> JackknifeVariance:
    """Return the standard error of each statistic and its degrees of freedom.

    Parameters
    ----------
    left_out : (n, m) float64
        The statistics with each unit left out in turn, sample after sample.
    sizes : sequence of int, optional
        How many units each independent sample (task) has. None: one sample.
    scores : (m,) float64, optional
        The size of the scores that the statistics are made from, by which rounding is measured. By default that of the
        largest statistic.

    Returns
    -------
    JackknifeVariance

    Notes
    -----
    In one sample, with D the leave-one-out values less their mean, the variance is (n - 1) / n sum D^2 and
    nu = 2 (sum D^2)^2 / (sum D^4 - (sum D^2)^2 / n). It matches the variance of the estimated variance to that of
    chi-square, so that few units with large influence give few degrees of freedom. Variances of independent samples
    are added, and so are the variances of the estimated variances.

    References
    ----------
    Tukey (1958); Efron and Stein (1981), The jackknife estimate of variance; Satterthwaite (1946).
    """
    samples = [len(left_out)] if sizes is None else list(sizes)
    sums, unit = [], magnitude_of(left_out, axis=0)
    for values in np.split(left_out / unit, np.cumsum(samples)[:-1]):
        with np.errstate(invalid="ignore"):
            squares = (values - values.mean(axis=0)) ** 2 if len(values) > 1 else values * np.nan
        sums.append((squares.sum(axis=0), np.einsum("i...,i...->...", squares, squares)))
    return _of_sums(sums, samples, unit, size_on_scale(left_out, "identity", axis=0) if scores is None else scores)


def variance_of_pairs(
    left_out: FloatArray, pairs: tuple[IntArray, IntArray], sizes: Sequence[int], *, scores: FloatArray
) -> JackknifeVariance:
    """Return what `jackknife_variance` returns for the differences of pairs, without a difference for each unit.

    `left_out` (S, n): The statistics of each submission with each unit left out in turn, sample after sample. `scores`
    (m,): as in `jackknife_variance`.

    Notes
    -----
    With a and b the values of two submissions less their means, sum (a - b)^2 and sum (a - b)^4 are expanded into sums
    of products, which are those of three products of matrices for all pairs. Where a and b are so alike that digits
    would be lost, the differences are formed.
    """
    sums, lost = [], np.zeros(len(pairs[0]), dtype=np.bool_)
    unit = magnitude_of(left_out.ravel(), axis=0)
    for values in np.split(left_out / unit, np.cumsum(sizes)[:-1], axis=1):
        with np.errstate(invalid="ignore"):
            away = values - values.mean(axis=1, keepdims=True) if values.shape[1] > 1 else values * np.nan
            squares = away * away
            products, cubes, fourths = away @ away.T, (squares * away) @ away.T, squares @ squares.T
            both, of_fourths = (np.add.outer(side.diagonal(), side.diagonal()) for side in (products, fourths))
            total = (both - 2 * products)[pairs]
            sums.append((total, (of_fourths + 6 * fourths - 4 * (cubes + cubes.T))[pairs]))
            lost |= ~(total > _CANCELLED * both[pairs])
    of_pairs = _of_sums(sums, sizes, unit, scores)
    error, freedom = of_pairs.error, of_pairs.freedom
    alike = np.flatnonzero(lost)
    for part in bounded_slices(len(alike), 3 * left_out.shape[1]):
        first, second = (side[alike[part]] for side in pairs)
        with np.errstate(invalid="ignore"):
            direct = jackknife_variance((left_out[first] - left_out[second]).T, sizes, scores=scores[alike[part]])
        error[alike[part]], freedom[alike[part]] = direct.error, direct.freedom
    return JackknifeVariance(error, freedom)


_CANCELLED = 0.01
"""The sum of squared differences is formed from differences if it is a smaller share of the two sums of squares."""


def _of_sums(
    sums: Sequence[tuple[FloatArray, FloatArray]], samples: Sequence[int], unit: FloatArray, scores: FloatArray
) -> JackknifeVariance:
    """Return the errors from sum D^2 and sum D^4 in each sample, where D is measured in `unit`."""
    variance, half_of_its_own = np.zeros((2, *sums[0][0].shape))
    for (total, fourth), n in zip(sums, samples, strict=True):
        # the influence of a unit is (n - 1) D; the variance is the sum of its squares over n (n - 1)
        factor = (n - 1) / n if n else np.nan
        variance += factor * total
        # an estimated variance V of nu degrees of freedom has itself the variance 2 V^2 / nu; half of that is estimated
        half_of_its_own += factor**2 * (fourth - total**2 / n if n else total)
    error = np.sqrt(variance) * unit
    most = float(sum(samples) - len(samples))
    with np.errstate(divide="ignore", invalid="ignore"):
        freedom = np.where(half_of_its_own > 0, 2 * variance**2 / half_of_its_own, most)
    return JackknifeVariance(
        np.where(error <= LEAST_ERROR * scores, 0.0, error),
        np.where(np.isfinite(error), np.clip(freedom, 1.0, most), np.nan),
    )


def two_way_variance(grids: Sequence[GridLeftOut], *, scores: FloatArray | None = None) -> JackknifeVariance:
    """Return the standard error of statistics of grids whose segments and systems are both drawn.

    `grids`: one for each independent sample (task); at least one. Their scores are those of the same m statistics.
    `scores` (m,): as in `jackknife_variance`.
    Result: 0 where no value varies, NaN where a value is not finite or a grid has fewer than two segments or systems.

    Notes
    -----
    With the jackknife variances of segments, systems and cells, the variance of a grid is
    V = max(V_segments + V_systems - V_cells, V_segments, V_systems): segments and systems both contribute the variance
    of single cells, which is subtracted once. The degrees of freedom of one grid of n segments and S systems are
    min(n, S) - 1. Variances of independent grids are added, with V^2 / sum(V_g^2 / nu_g) degrees of freedom.

    References
    ----------
    Owen (2007), The pigeonhole bootstrap, for the variance of two crossed factors; Satterthwaite (1946).
    """
    shape = grids[0].segments.shape[1:]
    variance, spread, most = np.zeros(shape), np.zeros(shape), 0.0
    for grid in grids:
        fewest = min(len(grid.segments), len(grid.systems))
        if fewest < 2:
            return JackknifeVariance(np.full(shape, np.nan), np.full(shape, np.nan))
        segments, systems = (_squares(axis) * (len(axis) - 1) / len(axis) for axis in (grid.segments, grid.systems))
        cells = _squares(grid.cells) * grid.cell_factor
        # the difference may be negative by chance: never less than one factor alone
        own = np.maximum(np.maximum(segments + systems - cells, segments), systems)
        variance += own
        spread += own**2 / (fewest - 1)
        most += fewest - 1
    error = np.sqrt(variance)
    with np.errstate(divide="ignore", invalid="ignore"):
        freedom = np.where(spread > 0, variance**2 / spread, most)
    if scores is None:
        scores = np.max([size_on_scale(grid.segments, "identity", axis=0) for grid in grids], axis=0)
    flat = error <= LEAST_ERROR * scores
    return JackknifeVariance(np.where(flat, 0.0, error), np.where(np.isfinite(error), freedom, np.nan))


def _squares(values: FloatArray) -> FloatArray:
    """Return the sum of squared deviations from the mean, (k, m) -> (m,)."""
    with np.errstate(invalid="ignore"):
        deviations = values - values.mean(axis=0)
    return np.asarray(np.einsum("i...,i...->...", deviations, deviations))
