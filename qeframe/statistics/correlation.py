"""Pearson's and Spearman's correlation: the one home of their formulas.

There is one formula for each shape of the input: sums of moments (`pearson_of_moments`), weighted rows
(`pearson_of_rows`), all pairs of rows (`pearson_matrix`), small tables (`spearman_of_rows`), ranks under many weights
(`spearman_of_groups`, and for several submissions `spearman_of_submissions` with the same bits). They agree to about 13
digits, but not to the last bit, and published results are compared bit by bit: one cannot replace another.
"""

from collections.abc import Sequence

import numpy as np

from qeframe.core.batch import BoolArray, FloatArray
from qeframe.statistics.ranks import TieGroups, mid_ranks, running_sums
from qeframe.statistics.scale_transforms import magnitude_of
from qeframe.statistics.whole_weights import whole_weights

NOISE = 1e-13
"""A variance below this share of the second moment is rounding noise of a constant, a smaller correlation that of 0."""


def _in_range(r: FloatArray, defined: BoolArray) -> FloatArray:
    """Return correlations in [-1, 1], 0 where there is rounding noise alone, NaN where they are not defined."""
    r = np.where(np.abs(r) > NOISE, np.clip(r, -1.0, 1.0), 0.0)
    return np.where(defined, r, np.nan)


def moments(x: FloatArray, y: FloatArray, *, count: FloatArray | None = None) -> FloatArray:
    """Return 1, x, y, x^2, y^2 and xy of every unit: the rows of Pearson's correlation.

    Parameters
    ----------
    x, y : (...) float64
        Measured from a point near their means, or digits are lost.
    count : (...) float64, optional
        The first column: 1 for units that are known, 0 for the others, whose x and y are 0. By default all are known.

    Returns
    -------
    (..., 6) float64
    """
    return np.stack([np.ones_like(x) if count is None else count, x, y, x * x, y * y, x * y], axis=-1)


def pearson_of_moments(sums: FloatArray) -> FloatArray:
    """Return Pearson's correlations from sums of moments.

    Parameters
    ----------
    sums : (..., 6) float64
        The weighted sums of `moments`.

    Returns
    -------
    (...) float64
        In [-1, 1]; NaN where a side is constant or nothing has weight.
    """
    n, x, y, xx, yy, xy = (sums[..., column] for column in range(6))
    with np.errstate(divide="ignore", invalid="ignore"):
        # differences of large sums: what is below 1e-13 of the first one is rounding alone
        variance_x, variance_y, covariance = xx - x * x / n, yy - y * y / n, xy - x * y / n
        varied = (variance_x > NOISE * xx) & (variance_y > NOISE * yy)
        # two roots, since the product of two variances can overflow or vanish
        r = covariance / (np.sqrt(variance_x) * np.sqrt(variance_y))
    return _in_range(r, varied)


def pearson_of_rows(x: FloatArray, y: FloatArray, weights: FloatArray) -> FloatArray:
    """Return weighted Pearson correlations over the last axis.

    Deviations from the mean are summed here, not moments, so that few values far from 0 keep their digits.

    Parameters
    ----------
    x, y, weights : (..., n) float64
        Finite, also where the weight is 0.

    Returns
    -------
    (...) float64
        In [-1, 1]; NaN where a side is constant or nothing has weight.
    """
    x, y = (side / magnitude_of(side, axis=-1)[..., None] for side in (x, y))
    total = weights.sum(axis=-1, keepdims=True)
    total = np.where(total > 0, total, 1.0)
    a, b = (side - (weights * side).sum(axis=-1, keepdims=True) / total for side in (x, y))
    spread_a, spread_b = ((weights * side * side).sum(axis=-1) for side in (a, b))
    scale_a, scale_b = ((weights * side * side).sum(axis=-1) for side in (x, y))
    varied = (spread_a > NOISE * scale_a) & (spread_b > NOISE * scale_b)
    with np.errstate(divide="ignore", invalid="ignore"):
        r = (weights * a * b).sum(axis=-1) / (np.sqrt(spread_a) * np.sqrt(spread_b))
    return _in_range(r, varied)


def from_first(values: FloatArray, known: FloatArray) -> FloatArray:
    """Measure every row from its first known value, so that the deviations of a constant are exactly 0.

    Parameters
    ----------
    values : (..., n) float64
    known : (..., n) float64 or bool
        Positive where a value is known.

    Returns
    -------
    (..., n) float64
        0 where a value is not known.
    """
    if not values.shape[-1]:
        return values
    has_values = known > 0
    first = np.take_along_axis(values, has_values.argmax(axis=-1)[..., None], axis=-1)
    return np.where(has_values, values - np.nan_to_num(first), 0.0)


def pearson_matrix(rows: FloatArray) -> FloatArray:
    """Return Pearson's correlations of all pairs of rows, as one product of standardized rows.

    Parameters
    ----------
    rows : (S, n) float64

    Returns
    -------
    (S, S) float64
        In [-1, 1]; NaN for a constant row.
    """
    # from the first value, so that a constant row leaves exactly 0 before the mean is taken
    rows = rows / magnitude_of(rows, axis=1)[:, None]
    deviations = rows - rows[:, :1]
    deviations -= deviations.mean(axis=1, keepdims=True)
    length = np.sqrt(np.einsum("sn,sn->s", deviations, deviations))
    varied = length > NOISE * np.abs(rows).max(axis=1, initial=0.0) * np.sqrt(rows.shape[1])
    unit = np.divide(deviations, length[:, None], out=np.full_like(deviations, np.nan), where=varied[:, None])
    with np.errstate(invalid="ignore"):
        matrix = unit @ unit.T
    return _in_range(matrix, varied & varied[:, None])


def spearman_of_rows(human: FloatArray, scores: FloatArray) -> FloatArray:
    """Return Spearman's correlation in each row of two tables, over the columns that the first one knows.

    The rounding is that of one square root of the product of both variances, which the curves of `correlate` were
    computed with.

    Parameters
    ----------
    human, scores : (rows, columns) float64
        NaN in `human`: left out on both sides.

    Returns
    -------
    (rows,) float64
        With mid-ranks for ties. NaN where the first has fewer than two different values; otherwise 0 where the second
        has fewer than two, or is undefined.
    """
    defined = np.isfinite(human)
    x, y = (_centered_ranks(np.where(defined, side, np.nan)) for side in (human, scores))
    product, own, other = (x * y).sum(axis=1), (x * x).sum(axis=1), (y * y).sum(axis=1)
    ranked = (own > 0) & (other > 0) & (np.isfinite(scores) | ~defined).all(axis=1)
    r = np.divide(product, np.sqrt(own * other), out=np.zeros_like(product), where=ranked)
    return np.where(own > 0, np.clip(r, -1, 1), np.nan)


def _centered_ranks(values: FloatArray) -> FloatArray:
    """Return the mid-ranks in each row less their mean; 0 for NaN."""
    defined = ~np.isnan(values)
    mean = (defined.sum(axis=1, keepdims=True) + 1) / 2
    return np.where(defined, mid_ranks(values) - mean, 0.0)


def weighted_deviations(groups: TieGroups, weights: FloatArray, total: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Return weight times (mid-rank - mean rank) of every unit, and the weighted variance of the ranks.

    Parameters
    ----------
    groups : TieGroups
    weights : (n, draws) float64
        Units along the first axis, so that ordering them moves whole rows.
    total : (draws,) float64
        The sums of the weights.

    Returns
    -------
    deviations : (n, draws) float64
    variance : (draws,) float64
    """
    grouped = groups.sum(weights)
    return weights * _group_deviations(grouped, total)[groups.group_of_unit], _rank_variance(grouped, total)


def spearman_of_submissions(gold: TieGroups, predicted: Sequence[TieGroups], weights: FloatArray) -> FloatArray:
    """Return Spearman's correlations of several submissions with one gold under weights, (submissions, draws).

    Whole weights, such as counts of a bootstrap, give the same bits by a shorter way.

    Parameters
    ----------
    gold : TieGroups
    predicted : sequence of TieGroups
    weights : (n, draws) float64
        Units along the first axis.
    """
    scores = np.empty((len(predicted), weights.shape[1]))
    total = weights.sum(axis=0)
    deviations, variance = weighted_deviations(gold, weights, total)
    whole = whole_weights(weights, deviations, total)
    for i, groups in enumerate(predicted):
        # in whole numbers where it can be: the same bits, in a fraction of the time
        sums = None if whole is None else whole.sums(groups)
        if sums is None:
            scores[i] = spearman_of_groups(groups, weights, total, deviations, variance)
        else:
            # deviations and ranks were both doubled to be whole: four times the covariance
            scores[i] = _of_covariance(sums[0] / 4, variance, _variance_of_cubes(sums[1], total), total)
    return scores


def spearman_of_groups(
    groups: TieGroups, weights: FloatArray, total: FloatArray, other_deviations: FloatArray, other_variance: FloatArray
) -> FloatArray:
    """Return Spearman's correlations under weights, the ranks of the other side given.

    Sums over tie groups replace sums over units, and variances are in closed form: one gold side serves all submissions
    and draws. The rounding differs from that of `pearson_of_rows` on ranks.

    Parameters
    ----------
    groups, weights, total
        As for `weighted_deviations`.
    other_deviations : (n, draws) float64
        What `weighted_deviations` returns for the other side.
    other_variance : (draws,) float64

    Returns
    -------
    (draws,) float64
        In [-1, 1]; NaN where a side is constant or nothing has weight.
    """
    grouped = groups.sum(weights)
    # units of a tie group share their rank here, so that their other deviations can be added up first
    covariance = np.einsum("gb,gb->b", groups.sum(other_deviations), _group_deviations(grouped, total))
    return _of_covariance(covariance, other_variance, _rank_variance(grouped, total), total)


def _of_covariance(
    covariance: FloatArray, first_variance: FloatArray, second_variance: FloatArray, total: FloatArray
) -> FloatArray:
    # a variance of ranks is up to W^3 / 12 for a total weight W, which is the size that rounding is measured by
    spread = np.sqrt(first_variance) * np.sqrt(second_variance)
    undefined = np.full_like(total, np.nan)
    return np.clip(np.divide(covariance, spread, out=undefined, where=spread > NOISE * total**3), -1.0, 1.0)


def _group_deviations(grouped: FloatArray, total: FloatArray) -> FloatArray:
    """Return the mid-rank of each group less the mean rank, (g, draws), from the weights of the groups."""
    # the mid-rank is the weight below a group and half of its own; the mean of all of them is W / 2
    deviations = running_sums(grouped)
    deviations -= grouped / 2
    deviations -= total / 2
    return deviations


def _rank_variance(grouped: FloatArray, total: FloatArray) -> FloatArray:
    """Return the sum of weighted squared deviations of mid-ranks, in closed form: (W^3 - sum of w_g^3) / 12."""
    return _variance_of_cubes(np.einsum("gb,gb,gb->b", grouped, grouped, grouped), total)


def _variance_of_cubes(cubes: FloatArray, total: FloatArray) -> FloatArray:
    variance: FloatArray = np.maximum(total**3 - cubes, 0.0) / 12
    return variance
