"""The variance of a score by the jackknife, and the degrees of freedom of that variance.

A sample has units of one kind, or it is a grid, whose segments and systems are both drawn from larger populations.
"""

from collections.abc import Sequence

import numpy as np
from attrs import frozen

from qeframe.core.batches.base import FloatArray
from qeframe.core.resampling.standard_errors.grid_left_out import GridLeftOut

FEWEST_UNITS = 7
"""With fewer units a jackknife error says little: tests enumerate all exchanges of so few units instead."""

LEAST_ERROR = 1e-12
"""A standard error that is not larger is rounding: the leave-one-out values do not vary."""


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


def jackknife_variance(left_out: FloatArray, sizes: Sequence[int] | None = None) -> JackknifeVariance:
    """Return the standard error of each statistic and its degrees of freedom.

    Parameters
    ----------
    left_out : (n, m) float64
        The statistics with each unit left out in turn, sample after sample.
    sizes : sequence of int, optional
        How many units each independent sample (task) has. None: one sample.

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
    shape = left_out.shape[1:]
    variance, half_of_its_own = np.zeros(shape), np.zeros(shape)
    for values in np.split(left_out, np.cumsum(samples)[:-1]):
        n = len(values)
        if n < 2:
            return JackknifeVariance(np.full(shape, np.nan), np.full(shape, np.nan))
        with np.errstate(invalid="ignore"):
            squares = (values - values.mean(axis=0)) ** 2
        # the influence of a unit is (n - 1) D; the variance is the sum of its squares over n (n - 1)
        factor = (n - 1) / n
        total = squares.sum(axis=0)
        variance += factor * total
        # an estimated variance V of nu degrees of freedom has itself the variance 2 V^2 / nu; half of that is estimated
        half_of_its_own += factor**2 * (np.einsum("i...,i...->...", squares, squares) - total**2 / n)
    error = np.sqrt(variance)
    most = float(sum(samples) - len(samples))
    with np.errstate(divide="ignore", invalid="ignore"):
        freedom = np.where(half_of_its_own > 0, 2 * variance**2 / half_of_its_own, most)
    return JackknifeVariance(
        np.where(error <= LEAST_ERROR, 0.0, error), np.where(np.isfinite(error), np.clip(freedom, 1.0, most), np.nan)
    )


def two_way_variance(grids: Sequence[GridLeftOut]) -> JackknifeVariance:
    """Return the standard error of statistics of grids whose segments and systems are both drawn.

    `grids`: one for each independent sample (task); at least one. Their scores are those of the same m statistics.
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
    return JackknifeVariance(np.where(error <= LEAST_ERROR, 0.0, error), np.where(np.isfinite(error), freedom, np.nan))


def _squares(values: FloatArray) -> FloatArray:
    """Return the sum of squared deviations from the mean, (k, m) -> (m,)."""
    with np.errstate(invalid="ignore"):
        deviations = values - values.mean(axis=0)
    return np.asarray(np.einsum("i...,i...->...", deviations, deviations))
