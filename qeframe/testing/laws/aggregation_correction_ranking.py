"""The laws of aggregations, corrections and ranking rules: plain functions of arrays."""

from typing import Any

import numpy as np
from hypothesis import strategies as st
from hypothesis.strategies import DrawFn, SearchStrategy

from qeframe.core.batch import BoolArray, FloatArray, IntArray
from qeframe.core.ranking import Aggregation, Ranking, RankingInput, RankingRule
from qeframe.core.significance import Correction
from qeframe.testing.laws.any_component import array_fault, basic_laws, shape_law
from qeframe.testing.laws.law import Law, agree, having

_SLACK = 1e-12


def _order(size: int) -> SearchStrategy[IntArray]:
    return st.permutations(range(size)).map(lambda order: np.array(order, dtype=np.int64))


# --- aggregations ---------------------------------------------------------------------------------------------------


@st.composite
def _stacked(draw: DrawFn, _rule: Aggregation, _kind: Any) -> tuple[FloatArray, FloatArray, bool, IntArray]:
    """Draw scores (3, submissions, parts), the weights of the parts, a direction, and an order of the parts."""
    size, parts = draw(st.integers(1, 4)), draw(st.integers(1, 4))
    number = st.integers(-8, 8).map(lambda eighths: eighths / 8)
    element = draw(st.sampled_from((number, st.one_of(number, st.just(np.nan)))))
    scores = draw(st.lists(element, min_size=3 * size * parts, max_size=3 * size * parts))
    weight = draw(st.lists(st.integers(0, 3).map(float), min_size=parts, max_size=parts).filter(any))
    return np.array(scores).reshape(3, size, parts), np.array(weight), draw(st.booleans()), draw(_order(parts))


def _per_draw(rule: Aggregation, _m: Any, scores: FloatArray, weight: FloatArray, high: bool, _o: IntArray) -> None:
    apart = np.stack([rule.aggregate(score, weight, high) for score in scores])
    agree(rule.aggregate(scores, weight, high), apart, "the aggregate of stacked draws instead of one by one")
    assert apart.shape == scores.shape[:2], f"aggregates of shape {apart.shape} for scores of {scores.shape}"


def _zero_weight(rule: Aggregation, _m: Any, scores: FloatArray, weight: FloatArray, high: bool, _o: IntArray) -> None:
    expected = rule.aggregate(scores[..., weight > 0], weight[weight > 0], high)
    agree(rule.aggregate(scores, weight, high), expected, "the aggregate with parts of weight 0 instead of without")


def _parts_in_order(
    rule: Aggregation, _m: Any, scores: FloatArray, weight: FloatArray, high: bool, order: IntArray
) -> None:
    permuted = rule.aggregate(scores[..., order], weight[order], high)
    agree(permuted, rule.aggregate(scores, weight, high), "the aggregate of the parts in another order")


def _scaled(rule: Aggregation, _m: Any, scores: FloatArray, weight: FloatArray, high: bool, _o: IntArray) -> None:
    agree(rule.aggregate(scores, 7 * weight, high), rule.aggregate(scores, weight, high), "sevenfold weights")


def _linear(rule: Aggregation, _m: Any, scores: FloatArray, weight: FloatArray, high: bool, _o: IntArray) -> None:
    first, second = np.nan_to_num(scores[0]), np.nan_to_num(scores[1])
    of_difference = rule.aggregate(first - second, weight, high)
    difference = rule.aggregate(first, weight, high) - rule.aggregate(second, weight, high)
    agree(of_difference, difference, "the aggregate of differences")


def _drawn_parts(rule: Aggregation, _m: Any, scores: FloatArray, weight: FloatArray, high: bool, _o: IntArray) -> None:
    weights = np.stack([weight, 2 * weight + 1, np.ones_like(weight)])
    apart = np.stack([rule.aggregate(score, of, high) for score, of in zip(scores, weights, strict=True)])
    agree(rule.aggregate(scores, weights[:, None, :], high), apart, "the aggregate with weights of every draw")


def _mean_of_parts(
    rule: Aggregation, _m: Any, scores: FloatArray, weight: FloatArray, high: bool, _o: IntArray
) -> None:
    assert rule.part is not None
    parts = np.stack([rule.part(layer, high) for layer in np.moveaxis(scores, -1, 0)], axis=-1)
    counted = np.where(np.isnan(parts), 0.0, weight)
    total = counted.sum(axis=-1)
    mean = np.divide((np.nan_to_num(parts) * counted).sum(axis=-1), total, out=np.zeros_like(total), where=total > 0)
    aggregated = rule.aggregate(scores, weight, high)
    defined = ~np.isnan(aggregated)
    agree(aggregated[defined], mean[defined], "the aggregate instead of the mean of its parts")
    assert not defined[total == 0].any(), "an aggregate of undefined parts is defined"


def _aggregate(
    rule: Aggregation, _m: Any, scores: FloatArray, weight: FloatArray, high: bool, _o: IntArray
) -> FloatArray:
    return rule.aggregate(scores, weight, high)


def _aggregate_fault(_rule: Aggregation, returned: Any, scores: FloatArray, *_others: Any) -> str:
    return array_fault(returned, scores.shape[:-1])


def _aggregate_defined(
    rule: Aggregation, _m: Any, scores: FloatArray, weight: FloatArray, high: bool, _o: IntArray
) -> None:
    if not np.isnan(scores).any():
        aggregated = rule.aggregate(scores, weight, high)
        assert np.isfinite(aggregated).all(), f"scores that are all defined have the aggregates {aggregated.tolist()}"


AGGREGATION_LAWS: tuple[Law[Aggregation], ...] = (
    shape_law(_aggregate, _stacked, _aggregate_fault, "scores (..., n, parts) have aggregates (..., n)"),
    *basic_laws(_aggregate, _stacked),
    Law(
        name="defined",
        states="scores that are all defined have defined aggregates",
        examples=_stacked,
        holds=_aggregate_defined,
    ),
    Law(
        name="per_draw",
        states="stacked draws have the aggregates that they have one by one",
        examples=_stacked,
        holds=_per_draw,
    ),
    Law(name="zero_weight", states="a part of weight 0 does not count", examples=_stacked, holds=_zero_weight),
    Law(
        name="order",
        states="the order of parts, with their weights, is irrelevant",
        examples=_stacked,
        holds=_parts_in_order,
    ),
    Law(
        name="mean_of_parts",
        states="if it states its part, it is their weighted mean over the parts where they are defined",
        examples=_stacked,
        holds=_mean_of_parts,
        concerns=having("part"),
    ),
    Law(name="scale", states="weights count relative to each other", examples=_stacked, holds=_scaled),
    Law(
        name="linear",
        states="if it is declared linear, differences aggregate like scores",
        examples=_stacked,
        holds=_linear,
        concerns=having("linear"),
    ),
    Law(
        name="drawn_parts",
        states="within a task, every draw may have weights of its own",
        examples=_stacked,
        holds=_drawn_parts,
        concerns=having("by"),
    ),
)
"""The laws of aggregations."""


# --- corrections ----------------------------------------------------------------------------------------------------


@st.composite
def _families(draw: DrawFn, _rule: Correction, _kind: Any) -> tuple[FloatArray, IntArray, int, float]:
    """Draw a family of p-values, an order, the number of one p-value and how much it is raised by."""
    p_value = st.one_of(st.sampled_from((0.0, 0.01, 0.0125, 0.04, 0.05, 1.0, np.nan)), st.floats(0, 1))
    p = np.array(draw(st.lists(p_value, min_size=1, max_size=7)))
    return p, draw(_order(len(p))), draw(st.integers(0, len(p) - 1)), draw(st.floats(0, 1))


def _adjust(rule: Correction, _m: Any, p: FloatArray, _o: IntArray, _i: int, _by: float) -> FloatArray:
    return rule.adjust(p)


def _adjust_fault(_rule: Correction, returned: Any, p: FloatArray, *_others: Any) -> str:
    return array_fault(returned, p.shape)


def _no_smaller(rule: Correction, _m: Any, p: FloatArray, _o: IntArray, _i: int, _by: float) -> None:
    adjusted = rule.adjust(p)
    defined = ~np.isnan(p)
    assert (adjusted[defined] >= p[defined] - _SLACK).all(), f"adjusted p {adjusted.tolist()} below p"
    assert (adjusted[defined] <= 1).all(), f"adjusted p {adjusted.tolist()} above 1"


def _undefined(rule: Correction, _m: Any, p: FloatArray, _o: IntArray, _i: int, _by: float) -> None:
    adjusted, unknown = rule.adjust(p), np.isnan(p)
    assert np.isnan(adjusted[unknown]).all(), f"an undefined p became defined: {adjusted.tolist()}"
    as_one = rule.adjust(np.where(unknown, 1.0, p))
    agree(adjusted[~unknown], as_one[~unknown], "adjusted p beside undefined ones, which count like 1")


def _monotone(rule: Correction, _m: Any, p: FloatArray, _o: IntArray, nth: int, by: float) -> None:
    defined = p[~np.isnan(p)]
    ordered = rule.adjust(p)[~np.isnan(p)][np.argsort(defined, kind="stable")]
    assert (np.diff(ordered) >= -_SLACK).all(), f"a larger p has the smaller adjusted one: {ordered.tolist()}"
    raised = p.copy()
    raised[nth] = min(1.0, p[nth] + by) if not np.isnan(p[nth]) else np.nan
    before, after = rule.adjust(p), rule.adjust(raised)
    assert not (after < before - _SLACK).any(), f"raising one p lowers an adjusted one: {after} from {before}"


def _equivariant(rule: Correction, _m: Any, p: FloatArray, order: IntArray, _i: int, _by: float) -> None:
    agree(rule.adjust(p[order]), rule.adjust(p)[order], "adjusted p in another order")


CORRECTION_LAWS: tuple[Law[Correction], ...] = (
    shape_law(_adjust, _families, _adjust_fault, "m p-values have m adjusted ones"),
    *basic_laws(_adjust, _families),
    Law(name="no_smaller", states="p <= adjusted p <= 1", examples=_families, holds=_no_smaller),
    Law(name="undefined", states="NaN stays NaN and counts in the family", examples=_families, holds=_undefined),
    Law(
        name="monotone",
        states="adjusted p are ordered like p, and raising one p lowers none",
        examples=_families,
        holds=_monotone,
    ),
    Law(name="order", states="the order of the family is irrelevant", examples=_families, holds=_equivariant),
)
"""The laws of corrections."""


# --- ranking rules --------------------------------------------------------------------------------------------------


@st.composite
def _ranking_inputs(draw: DrawFn, _rule: RankingRule, _kind: Any) -> tuple[FloatArray, BoolArray, IntArray]:
    """Draw oriented scores with ties and NaN, which submission is significantly better than which, and an order.

    Only a submission with a higher score is ever significantly better.
    """
    size = draw(st.integers(1, 5))
    score = st.one_of(st.integers(0, 4).map(float), st.just(np.nan))
    oriented = np.array(draw(st.lists(score, min_size=size, max_size=size)))
    claimed = draw(st.lists(st.booleans(), min_size=size * size, max_size=size * size))
    better = np.array(claimed).reshape(size, size) & (oriented[:, None] > oriented[None])
    return oriented, better, draw(_order(size))


def _draws(oriented: FloatArray) -> FloatArray:
    return oriented + np.array([[0.0], [0.25]]) * np.arange(len(oriented))


def _permuted(rule: RankingRule, _m: Any, oriented: FloatArray, better: BoolArray, order: IntArray) -> None:
    straight = rule.rank(RankingInput(oriented=oriented, better=better, draws=_draws(oriented)))
    permuted = rule.rank(
        RankingInput(oriented=oriented[order], better=better[np.ix_(order, order)], draws=_draws(oriented)[:, order])
    )
    agree(permuted.rank, straight.rank[order], "the ranks of submissions in another order")
    agree(permuted.cluster, straight.cluster[order], "the clusters of submissions in another order")
    for ends, of_order in zip(straight.ranges or (), permuted.ranges or (), strict=True):
        agree(of_order, ends[order], "the ranges of submissions in another order")
    if straight.shares is not None and permuted.shares is not None:
        agree(permuted.shares, straight.shares[order], "the shares of ranks in another order")


def _ranked(rule: RankingRule, _m: Any, oriented: FloatArray, better: BoolArray, _order: IntArray) -> Ranking:
    return rule.rank(RankingInput(oriented=oriented, better=better, draws=_draws(oriented)))


def _ranking_fault(_rule: RankingRule, returned: Any, oriented: FloatArray, *_others: Any) -> str:
    if not isinstance(returned, Ranking):
        return f"it returns {type(returned).__name__} instead of a Ranking"
    sides = {"its 'rank' is": returned.rank, "its 'cluster' is": returned.cluster}
    faults = [array_fault(side, oriented.shape, kinds="iu", what=what) for what, side in sides.items()]
    return next(filter(None, faults), "")


def _by_score(rule: RankingRule, _m: Any, oriented: FloatArray, better: BoolArray, _order: IntArray) -> None:
    ranking, defined = rule.rank(RankingInput(oriented=oriented, better=better)), ~np.isnan(oriented)
    filled = np.where(defined, oriented, -np.inf)
    agree(ranking.rank, (filled[None] > filled[:, None]).sum(axis=1) + 1, "the ranks by score")
    assert (ranking.cluster[~defined] == 0).all(), "an undefined score is in a cluster"
    if defined.any():
        best = filled == filled.max()
        assert (ranking.rank[best] == 1).all(), "the best is not at rank 1"
        assert (ranking.cluster[best] == 1).all(), "the best is not in cluster 1"
    assert (ranking.cluster[defined] >= 1).all(), "a defined score is in no cluster"


RANKING_LAWS: tuple[Law[RankingRule], ...] = (
    shape_law(_ranked, _ranking_inputs, _ranking_fault, "n scores have n ranks and clusters, whole numbers"),
    *basic_laws(_ranked, _ranking_inputs),
    Law(
        name="order",
        states="permuting submissions permutes ranks and clusters",
        examples=_ranking_inputs,
        holds=_permuted,
    ),
    Law(
        name="by_score",
        states="ranks are those of the scores; the best is in the first cluster, the undefined in none",
        examples=_ranking_inputs,
        holds=_by_score,
    ),
)
"""The laws of ranking rules."""
