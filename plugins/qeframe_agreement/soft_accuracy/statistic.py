"""Soft pairwise accuracy: whether humans and metric are equally certain of the difference of two systems."""

from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache, partial
from typing import Any, Literal

import numpy as np
from attrs import frozen
from numpy.typing import NDArray

from qeframe.plugin import Additive, DataError, FloatArray, Grid, Metric
from qeframe.plugin.resampling import CELLS_IN_CACHE, bounded_slices, flatten_draws
from qeframe_agreement.exchanges.axes import GridExchange, rows_exchange
from qeframe_agreement.soft_accuracy.common_items import of_common_items
from qeframe_agreement.soft_accuracy.exchange import soft_exchange
from qeframe_agreement.soft_accuracy.p_values import keyed_signs, p_of_sums, system_p_values, t_p_values


@lru_cache(maxsize=8)
def official_signs(items: int, draws: int) -> NDArray[np.float32]:
    """Return the signs of the official program, (draws, items), which depend on the order of the items."""
    drawn = np.random.default_rng(4).random((draws, items), dtype=np.float32)
    signs = np.rint(drawn) * np.float32(2) - np.float32(1)
    signs.setflags(write=False)
    return signs


def official_p_values(scores: FloatArray, signs: NDArray[np.float32]) -> FloatArray:
    """Return one-sided p-values of all pairs of systems, the first one better, as the official program does.

    Scores are rounded to single precision before they are summed; one product of signs and scores for each metric has
    the same shape as the program's. It is the share of draws whose difference is at least the observed one; identical
    systems 1.
    """
    single = np.ascontiguousarray(scores, dtype=np.float32)
    signs = np.ascontiguousarray(signs)
    metrics, systems, _ = single.shape
    first, second = np.triu_indices(systems, 1)
    observed = single.sum(axis=2)
    difference = observed[:, first] - observed[:, second]
    p = np.empty(difference.shape)
    for part in bounded_slices(metrics, len(first) * len(signs), most=CELLS_IN_CACHE):
        drawn = np.ascontiguousarray((signs @ single[part].swapaxes(1, 2)).swapaxes(1, 2))
        null = drawn[:, first] - drawn[:, second]
        p[part] = np.count_nonzero(null >= difference[part][..., None], axis=2) / len(signs)
    return p


def check_order(order: Sequence[int]) -> tuple[int, ...]:
    """Return an order of systems; raise a `DataError` unless it holds each of 1 to its length once."""
    if sorted(order) != list(range(1, len(order) + 1)):
        raise DataError(f"order {list(order)} does not name each system once", remedy="number the systems from 1")
    return tuple(order)


def ordered(scores: FloatArray, order: Sequence[int]) -> FloatArray:
    """Return scores (n, systems) with their columns in the given order; without an order, as they are."""
    if not order:
        return scores
    if len(order) != scores.shape[1]:
        what = f"order names {len(order)} systems, but there are {scores.shape[1]}"
        raise DataError(what, remedy="give the order of one language pair to the task of this language pair alone")
    return scores[:, np.asarray(order) - 1]


Test = Literal["permutation", "t_test"]
Replicate = Literal["none", "official"]
Items = Literal["complete", "common"]
_ARRAYS = 2  # how many arrays of one number a side, system and item live at once: scores, and weighted scores


@frozen(eq=False)
class SoftAccuracy:
    """Soft pairwise accuracy as a statistic."""

    gold: FloatArray  # (systems, n), 0 in incomplete items
    predicted: FloatArray
    complete: NDArray[np.bool_]  # the items of which both sides have every cell, (n,); the others do not count
    ids: bytes  # of the items, which the signs are keyed by
    draws: int
    official: bool  # whether signs and p-values are those of the official program
    order: tuple[int, ...]  # the positions in the grid, from 1, that the systems have been taken from; empty: their own
    units: int
    unit: str

    def __call__(self, weights: FloatArray) -> FloatArray:
        return SoftAccuracy.jointly([self])(weights)[..., 0]

    @property
    def signs(self) -> NDArray[Any]:
        """(draws, n): +1 kept, -1 swapped."""
        if not self.official:
            return keyed_signs(self.ids, self.draws)
        signs = np.ones((self.draws, self.units), dtype=np.float32)
        signs[:, self.complete] = official_signs(int(self.complete.sum()), self.draws)
        return signs

    @property
    def gold_p_values(self) -> FloatArray:
        """(pairs,): the p-values of the humans for each pair of systems, all weights one."""
        if self.official:
            return self.p_values(self.gold[None, :, self.complete], self.signs[:, self.complete])[0]
        return self.p_values(self.gold[None], self.signs)[0]

    def p_values(self, scores: FloatArray, signs: NDArray[Any]) -> FloatArray:
        """Return the p-values, (metrics, pairs), of scores (metrics, systems, n) under signs (draws, n)."""
        return official_p_values(scores, signs) if self.official else system_p_values(scores, signs)

    @staticmethod
    def jointly(statistics: "Sequence[SoftAccuracy]") -> Callable[[FloatArray], FloatArray]:
        """Return all scores as one function, the gold and the signs shared by those that have the same."""
        return _Together(tuple(statistics))


@frozen(eq=False)
class _Together:
    statistics: tuple[SoftAccuracy, ...]

    def __call__(self, weights: FloatArray) -> FloatArray:
        flat = flatten_draws(weights)
        scores = np.empty((len(flat), len(self.statistics)))
        for positions, chosen in self._alike():
            for draw, draw_weights in enumerate(flat):
                scores[draw, positions] = _soft(chosen, draw_weights)
        return scores.reshape(*weights.shape[:-1], len(self.statistics))

    def without_groups(self, counts: NDArray[Any]) -> FloatArray:
        """Return the scores with each group of units left out, (draws, groups, m).

        `counts`: (draws, groups, n), how often each unit is in each group. Sums under signs are additive over the
        groups, so that all groups together take the products of one evaluation.
        """
        draws, groups, _ = counts.shape
        scores = np.empty((draws, groups, len(self.statistics)))
        for positions, chosen in self._alike():
            for draw, of_groups in enumerate(counts):
                scores[draw][:, positions] = _soft_without(chosen, of_groups)
        return scores

    def _alike(self) -> "Iterator[tuple[list[int], list[SoftAccuracy]]]":
        """Yield the positions of statistics that share the gold and the signs, and the statistics."""
        alike: dict[tuple[bytes, bytes, int, bool, tuple[int, ...]], list[int]] = {}
        for i, of in enumerate(self.statistics):
            key = (of.gold.tobytes(), of.complete.tobytes(), of.draws, of.official, of.order)
            alike.setdefault(key, []).append(i)
        for positions in alike.values():
            yield positions, [self.statistics[i] for i in positions]


def _soft(statistics: Sequence[SoftAccuracy], weights: FloatArray) -> FloatArray:
    """Return the scores of statistics with the same gold, (m,)."""
    first = statistics[0]
    drawn = np.flatnonzero(first.complete & (weights > 0))
    if len(first.gold) < 2 or not len(drawn):
        return np.full(len(statistics), np.nan)
    every = len(drawn) == len(weights)
    signs, weights = (first.signs, weights) if every else (first.signs[:, drawn], weights[drawn])
    sides = [first.gold, *(statistic.predicted for statistic in statistics)]
    p = np.empty((len(sides), len(first.gold) * (len(first.gold) - 1) // 2))
    for part in bounded_slices(len(sides), _ARRAYS * len(first.gold) * max(len(drawn), len(signs))):
        scores = np.stack([side if every else side[:, drawn] for side in sides[part]])
        p[part] = first.p_values(scores * weights, signs)
    return np.asarray(1.0 - np.abs(p[1:] - p[0]).mean(axis=1))


def _soft_without(statistics: Sequence[SoftAccuracy], counts: NDArray[Any]) -> FloatArray:
    """Return the scores of statistics with the same gold without each group of units, (groups, m)."""
    first = statistics[0]
    counts = np.where(first.complete, counts, 0)
    left = counts.sum() - counts.sum(axis=1)
    if first.official or len(first.gold) < 2 or not left.all():
        return np.stack([_soft(statistics, counts.sum(axis=0) - group) for group in counts])
    sides = np.stack([first.gold, *(statistic.predicted for statistic in statistics)])
    # differences of systems stay the same, and sums lose no digits to what all systems share
    sides -= sides.mean(axis=1, keepdims=True)
    groups = [_sums_under(first.signs, sides, group) for group in counts]
    # each unit is in one group: its sums are made once, and a group is taken from the whole
    whole = [np.sum(parts, axis=0) for parts in zip(*groups, strict=True)]
    p = np.stack([p_of_sums(*(of_all - part for of_all, part in zip(whole, of, strict=True))) for of in groups])
    return np.asarray(1.0 - np.abs(p[:, 1:] - p[:, :1]).mean(axis=2))


def _sums_under(signs: FloatArray, sides: FloatArray, counts: NDArray[Any]) -> tuple[FloatArray, ...]:
    """Return the sums of some units, (sides, systems): of scores, under all signs, and of absolute scores."""
    drawn = np.flatnonzero(counts)
    scores = sides[..., drawn] * counts[drawn]
    under = (scores.reshape(-1, len(drawn)) @ signs[:, drawn].T).reshape(*scores.shape[:2], -1)
    return scores.sum(axis=2), under, np.abs(scores).sum(axis=2)


def _bind(draws: int, official: bool, order: tuple[int, ...], batch: Grid) -> SoftAccuracy:
    complete = _complete(batch)
    sides = (ordered(side, order) for side in (batch.gold, batch.predicted))
    gold, predicted = (np.ascontiguousarray(np.where(complete[:, None], side, 0.0).T) for side in sides)
    ids = batch.ids.astype(np.int64).tobytes()
    return SoftAccuracy(gold, predicted, complete, ids, draws, official, order, len(batch), batch.unit)


def _complete(batch: Grid) -> NDArray[np.bool_]:
    return np.asarray(np.logical_and.reduce(batch.present, axis=1))


def _moments(batch: Grid) -> FloatArray:
    """Return 1 for complete items, then the differences of all pairs of systems and their squares, of both sides."""
    complete = _complete(batch)
    # only differences enter the t-tests, so that an offset of the scores costs no digits
    first, second = np.triu_indices(batch.systems, 1)
    parts = [complete[:, None].astype(np.float64)]
    for side in (batch.gold, batch.predicted):
        difference = np.where(complete[:, None], side[:, first] - side[:, second], 0.0)
        parts += [difference, difference**2]
    return np.hstack(parts)


def _soft_of_moments(sums: FloatArray) -> FloatArray:
    """Return soft pairwise accuracy by t-tests of sums of moments."""
    pairs = (sums.shape[-1] - 1) // 4
    count = sums[..., :1]
    parts = np.split(sums[..., 1:], 4, axis=-1)
    if not pairs:
        return np.full(sums.shape[:-1], np.nan)
    gold, metric = (t_p_values(count, total, squares) for total, squares in (parts[:2], parts[2:]))
    return np.asarray(1.0 - np.abs(gold - metric).mean(axis=-1))


def _bind_moments(batch: Grid) -> Additive:
    return Additive(batch.rows(_moments), _soft_of_moments, batch.unit)


def _exchange(bind: Callable[[Grid], SoftAccuracy], batches: Sequence[Grid]) -> GridExchange:
    make = partial(soft_exchange, bind, batches)
    return GridExchange(len(batches[0]), partial(make, "segment", False), make)


def spa(
    *,
    test: Test = "permutation",
    permutations: int = 1000,
    replicate: Replicate = "none",
    order: tuple[int, ...] = (),
    items: Items = "complete",
    least: int = 10,
) -> Metric:
    """Soft pairwise accuracy: 1 minus the mean distance of human and metric p-values over all pairs of systems.

    Parameters
    ----------
    test : {"permutation", "t_test"}
        How the one-sided p-values of two systems are computed. permutation: the segments of two systems are exchanged
        (official). t_test: a paired t-test of segments, which needs no draws; intervals and tests between metrics are
        then as fast as those of a correlation.
    permutations : int
        How many exchanges of segments the p-values are computed from, the same for all pairs, humans and metrics.
        They depend on the ids of the segments alone: the order of segments and systems does not matter. Each one is
        used with its opposite, so that p-values do not depend on which system of a pair comes first.
    replicate : {"none", "official"}
        official: the random numbers of the official program and its p-values: in single precision, draws equal to the
        observed difference counted in full, without a tolerance. The value then depends on the order of segments, and
        on that of systems where differences are equal; there also on the order in which the processor's matrix product
        adds (on the data of 2023 by one draw of one pair of systems, .00001).
    order : list of int
        For ``replicate=official``: the systems by their positions in the data, from 1, in the order in which the
        program took them. Of each pair the first one is tested as the better one. Empty: the order of the data. The
        program takes an order that changes from run to run; the score changes by less than .001 with it on the data
        of 2023, and is the official one to all digits if the order is known.
    items : {"complete", "common"}
        complete: the segments of which both sides have every cell. common: for each pair of systems those of which both
        sides have the two, for gold in which no segment has all systems; exchanges of segments between metrics are in
        closed form.
    least : int
        How many common segments a pair of systems has at least; fewer are refused.

    Returns
    -------
    Metric
        On `Grid`, in [0, 1]. Undefined (NaN) without a segment, by t-tests with fewer than two, or with fewer than two
        systems.

    Notes
    -----
    Under the weights of a resample, copies of a segment are exchanged together, with one sign. Resampling moves the
    p-values of humans and metrics away from each other, so that the scores of draws are below the score itself on
    average (in simulations of 100 segments and 10 systems by .03 to .04): percentile intervals are biased downward.

    An exchange of ``replicate=official`` has the differences of the p-values without it: the scores are those of the
    official program, the null distribution of their differences is that of the default. In single precision every
    exchange of two submissions would be computed anew, which takes hours for the metrics of one language pair. The
    two scores differed by less than .002 on the data of 2023.

    References
    ----------
    Thompson et al. (2024), Improving statistical significance in human evaluation of automatic metrics via soft
    pairwise accuracy; metrics tasks 2024-25.
    """
    if permutations < 1:
        raise DataError(f"permutations must be at least 1, not {permutations}")
    if test == "t_test" and replicate == "official":
        raise DataError("the official program permutes: t_test cannot replicate it")
    if items == "common" and (test == "t_test" or replicate == "official"):
        raise DataError("common items are permuted", remedy="leave test and replicate at their defaults")
    official = replicate == "official"
    plain = partial(_bind, permutations, False, ())
    if order and not official:
        raise DataError("the order of systems does not matter here", remedy="give order with replicate=official only")
    bind = partial(_bind, permutations, official, check_order(order))
    metric = Metric(
        name="spa",
        summary="Soft pairwise accuracy of systems: agreement of p-values; undefined below two systems",
        source="Thompson et al. (2024); metrics tasks 2024-25",
        formula=r"1 - \frac{1}{P} \sum_{s < t} \left| p_{st} - q_{st} \right|",
        symbols="$p_{st}$ is the p-value of the one-sided test that system $s$ is better than system $t$ by the human "
        "scores $y$, $q_{st}$ that by the metric scores $x$, and $P$ the number of pairs of systems. The test is the "
        "parameter `test`.",
        kind=Grid,
        bind=_bind_moments if test == "t_test" else bind,
        exchange=partial(rows_exchange, _bind_moments) if test == "t_test" else partial(_exchange, plain),
        bounds=(0.0, 1.0),
        smooth=False,
        known_weaknesses={"blind": 0.05, "cosmetic": 0.13},
    )
    return metric if items == "complete" else of_common_items(metric, permutations, least)
