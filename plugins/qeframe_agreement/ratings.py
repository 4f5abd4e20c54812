"""Agreement of two sets of ratings beyond chance: Krippendorff's alpha, and kappa with weights.

Both are 1 less the observed disagreement over the expected one, which is the mean over pairs of ratings: alpha pairs
all ratings of both sides, kappa one of each side. Both are 0 where all ratings are one value, which shows no agreement
beyond chance.
"""

from collections.abc import Callable, Mapping
from functools import partial
from typing import Literal

import numpy as np
from attrs import frozen

from qeframe.plugin import FloatArray, IntArray, Metric, Scores, ratio
from qeframe.plugin.resampling import ROUNDING, ExchangeByWeights, TieGroups, bounded_slices, flatten_draws, tie_groups

Level = Literal["nominal", "ordinal", "interval"]
Weights = Literal["linear", "quadratic"]

_ARRAYS = 6
"""How many arrays of one number for each draw and rating live at once."""


def _is_unequal(difference: FloatArray) -> FloatArray:
    return (difference != 0).astype(np.float64)


def _all_unequal(gold: FloatArray, predicted: FloatArray, _scale: FloatArray) -> FloatArray:
    return np.asarray((gold * (predicted.sum(axis=0) - predicted)).sum(axis=0))


def _all_squares(gold: FloatArray, predicted: FloatArray, scale: FloatArray) -> FloatArray:
    totals = gold.sum(axis=0), predicted.sum(axis=0)
    centered = scale - ratio(((gold + predicted) * scale).sum(axis=0), totals[0] + totals[1])
    sums, squares = ([(side * centered**power).sum(axis=0) for side in (gold, predicted)] for power in (1, 2))
    return np.asarray(squares[0] * totals[1] + squares[1] * totals[0] - 2.0 * sums[0] * sums[1])


def _all_gaps(gold: FloatArray, predicted: FloatArray, scale: FloatArray) -> FloatArray:
    # two ratings differ by the sum of the steps of the scale between them
    below = [side.cumsum(axis=0)[:-1] for side in (gold, predicted)]
    apart = below[0] * (predicted.sum(axis=0) - below[1]) + below[1] * (gold.sum(axis=0) - below[0])
    return np.asarray((np.diff(scale, axis=0) * apart).sum(axis=0))


@frozen
class Distance:
    """How far two ratings are apart."""

    of_pair: Callable[[FloatArray], FloatArray]  # from the difference of two places on the scale
    # from the weights of ratings of two sides, (values, draws), and their places: the sum over all pairs
    of_all: Callable[[FloatArray, FloatArray, FloatArray], FloatArray]
    by_rank: bool = False  # the place of a rating is its mid-rank among all ratings, not its number


_SQUARED = Distance(np.square, _all_squares)
_DISTANCES: Mapping[Level | Weights, Distance] = {
    "nominal": Distance(_is_unequal, _all_unequal),
    "ordinal": Distance(np.square, _all_squares, by_rank=True),
    "interval": _SQUARED,
    "linear": Distance(np.abs, _all_gaps),
    "quadratic": _SQUARED,
}


@frozen(eq=False)
class BeyondChance:
    """1 less observed over expected disagreement, as a statistic of units with a rating on both sides."""

    scale: FloatArray  # (values,) the distinct ratings of both sides, ascending, from 0
    sides: tuple[IntArray, IntArray]  # (n,) the ratings of the units in gold and submission, as positions on the scale
    groups: tuple[TieGroups, TieGroups]
    distance: Distance
    pooled: bool  # whether ratings are paired whatever side they are of
    unit: str

    @property
    def units(self) -> int:
        """How many units have a weight."""
        return len(self.sides[0])

    def __call__(self, weights: FloatArray) -> FloatArray:
        flat = flatten_draws(weights)
        scores = np.empty(len(flat))
        for part in bounded_slices(len(flat), _ARRAYS * (1 + self.units + len(self.scale))):
            scores[part] = self._scores(np.ascontiguousarray(flat[part].T))
        return scores.reshape(weights.shape[:-1])

    def _scores(self, weights: FloatArray) -> FloatArray:
        """Return the scores under weights (n, draws)."""
        gold, predicted = (self._count(weights, side) for side in (0, 1))
        both = gold + predicted
        scale = both.cumsum(axis=0) - both / 2.0 if self.distance.by_rank else self.scale[:, None]
        difference = scale[self.sides[0]] - scale[self.sides[1]]
        observed = ratio((weights * self.distance.of_pair(difference)).sum(axis=0), weights.sum(axis=0))
        sides, total = ((both, both), both.sum(axis=0)) if self.pooled else ((gold, predicted), gold.sum(axis=0))
        expected = ratio(self.distance.of_all(*sides, scale), total * (total - 1.0 if self.pooled else total))
        return np.nan_to_num(1.0 - ratio(observed, expected))

    def _count(self, weights: FloatArray, side: int) -> FloatArray:
        """Return the weight of each rating on a side, (values, draws)."""
        counts = np.zeros((len(self.scale), weights.shape[1]))
        groups = self.groups[side]
        counts[self.sides[side][groups.order[groups.starts]]] = groups.sum(weights)
        return counts


def bind_ratings(distance: Distance, pooled: bool, batch: Scores) -> BeyondChance:
    """Return the agreement of the numbers of a batch; numbers that differ by rounding alone are one."""
    values, positions = np.unique(np.concatenate([batch.gold, batch.predicted]), return_inverse=True)
    fresh = np.diff(values, prepend=-np.inf) > ROUNDING * np.abs(values).max(initial=0.0)
    positions = (np.cumsum(fresh) - 1)[positions]
    scale = values[fresh] - values[:1]
    # by a power of two, which changes no digit: the square of a number near 1e-170 would be 0
    scale = np.ldexp(scale, -np.frexp(scale.max(initial=0.0))[1])
    sides = positions[: len(batch)], positions[len(batch) :]
    groups = tie_groups(sides[0].astype(np.float64)), tie_groups(sides[1].astype(np.float64))
    return BeyondChance(scale, sides, groups, distance, pooled, batch.unit)


_OBSERVED = r"A = 1 - \frac{D_o}{D_e}, \qquad D_o = \frac{1}{n} \sum_{i=1}^{n} \delta(x_i, y_i), "
_POOLED = r"\qquad D_e = \frac{1}{2n (2n - 1)} \sum_{u} \sum_{v} \delta(u, v)"
_PAIRED = r"\qquad D_e = \frac{1}{n^2} \sum_{i=1}^{n} \sum_{j=1}^{n} \delta(x_i, y_j)"
_SYMBOLS = (
    r"$x_i$ is the rating of unit $i$ in the submission, $y_i$ that in the gold, and $n$ the number of units. $A$ is "
    r"the agreement, $D_o$ the observed and $D_e$ the expected disagreement; $\delta$ is the distance of two ratings: "
)


def _metric(name: str, summary: str, source: str, by: Level | Weights, formula: str, symbols: str) -> Metric:
    bind = partial(bind_ratings, _DISTANCES[by], name == "krippendorff_alpha")
    return Metric(
        name=name,
        summary=summary,
        source=source,
        formula=_OBSERVED + formula,
        symbols=_SYMBOLS + symbols,
        kind=Scores,
        bind=bind,
        exchange=ExchangeByWeights(bind),
        # of numbers that are nearly all different, the equal ones of a draw are mostly copies of one unit
        smooth=by != "nominal",
        bounds=(-1.0, 1.0),
        degenerate=0.0,
        claims=("constant_proof", "blind_proof"),
        known_weaknesses={"cosmetic": 0.05},
    )


def krippendorff_alpha(*, level: Level = "interval") -> Metric:
    """Krippendorff's alpha of two raters, such as a judge and the gold: agreement beyond chance.

    Chance is what is expected if all ratings of both sides are paired at random, so that a side which rates higher than
    the other one loses.

    Parameters
    ----------
    level : {"nominal", "ordinal", "interval"}
        What numbers mean. nominal: different numbers are different, whichever they are. ordinal: they are as far apart
        as their mid-ranks among all ratings of both sides. interval: they are as far apart as their difference. Ordinal
        and interval distances are squared.

    Returns
    -------
    Metric
        On `Scores`, in [-1, 1], where every unit has a rating on both sides; 0 is chance, and the score where all
        ratings of both sides are one value (the formula is 0 / 0), without units, and of a single unit. A constant side
        has at most 1 / (2n), as answers by chance are expected to have.

    References
    ----------
    Krippendorff (2011), Computing Krippendorff's alpha-reliability.
    """
    told = {
        "nominal": "0 if they are equal, else 1.",
        "ordinal": "the square of the difference of their mid-ranks among all $2n$ ratings.",
        "interval": "the square of their difference.",
    }
    return _metric(
        "krippendorff_alpha",
        "Krippendorff's alpha of two raters; 0 where all ratings are one value",
        "Krippendorff (2011); reliability of annotation",
        level,
        _POOLED,
        f"{told[level]} $u$ and $v$ are any two of all $2n$ ratings.",
    )


def weighted_kappa(*, weights: Weights = "quadratic") -> Metric:
    """Cohen's weighted kappa of two raters, such as a judge and the gold: agreement beyond chance.

    Chance is what is expected if the ratings of each side are given to other units at random. Ratings are numbers, and
    as far apart as these: 1, 2 and 5 are not equally spaced.

    Parameters
    ----------
    weights : {"linear", "quadratic"}
        What a disagreement costs: the difference of the two ratings, or its square. With squares it is the concordance
        correlation of Lin (1989).

    Returns
    -------
    Metric
        On `Scores`, in [-1, 1]; 0 is chance, and the score of a constant side, also where all ratings of both sides are
        one value (the formula is 0 / 0), and without units.

    References
    ----------
    Cohen (1968), Weighted kappa.
    """
    return _metric(
        "weighted_kappa",
        "Cohen's weighted kappa of two raters; 0 where all ratings are one value",
        "Cohen (1968); automated scoring of essays",
        weights,
        _PAIRED,
        "the size of their difference." if weights == "linear" else "the square of their difference.",
    )
