"""Statistics of ranks, pairs and weights."""

import numpy as np
import pytest
import scipy.stats
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import spearmanr

from qeframe.core.contest import Contest
from qeframe.core.exchange import RecomputedExchange, count_block, differences_of_block
from qeframe.core.ranking import shared_positions
from qeframe.core.registry import Registry
from qeframe.core.sample import Sample
from qeframe.core.significance import ordered_pairs
from qeframe.core.standard_errors import GridLeftOut
from qeframe.plugin import FloatArray, Grid, Metric, Scores, TokenScores
from qeframe.statistics.correlation import (
    from_first,
    moments,
    pearson_matrix,
    pearson_of_moments,
    pearson_of_rows,
    spearman_of_groups,
    spearman_of_rows,
    spearman_of_submissions,
    weighted_deviations,
)
from qeframe.statistics.differences_of_pairs import jackknife_of_pairs, over_pairs, two_way_of_pairs, two_way_of_scores
from qeframe.statistics.jackknife_variance import FEWEST_UNITS, jackknife_variance, two_way_variance, variance_of_pairs
from qeframe.statistics.leave_one_out_ranks import concordant_units, spearman_without_each
from qeframe.statistics.pair_exchange import ExchangeByWeights
from qeframe.statistics.power_and_units_needed import no_error
from qeframe.statistics.ranks import mid_ranks, mid_ranks_by_pairs, running_sums, tie_groups, weighted_mid_ranks
from qeframe.statistics.scale_transforms import from_working_scale, on_working_scale
from tests.qeframe.core.evaluation.made_contests import made_task, scoreboard

# Every formula of the one home against scipy on repeated, chosen and ranked values.
few = st.integers(-3, 3)
triples = st.lists(st.tuples(few, few, st.integers(0, 3)), min_size=1, max_size=9)


def slow_pearson(x: np.ndarray, y: np.ndarray) -> float:
    """Pearson's correlation by its definition, NaN where a side is constant."""
    if len(x) < 2 or len(set(x)) < 2 or len(set(y)) < 2:
        return np.nan
    products = [(a - sum(x) / len(x)) * (b - sum(y) / len(y)) for a, b in zip(x, y, strict=True)]
    return float(sum(products) / len(x) / (np.std(x) * np.std(y)))


def slow_spearman(x: np.ndarray, y: np.ndarray) -> float:
    return slow_pearson(scipy.stats.rankdata(x), scipy.stats.rankdata(y))


@settings(max_examples=60)
@given(triples)
def test_weighted_formulas_are_those_of_repeated_values(drawn: list[tuple[int, int, int]]) -> None:
    x, y, weights = (np.array(side, dtype=np.float64) for side in zip(*drawn, strict=True))
    repeated = [np.repeat(side, weights.astype(np.int64)) for side in (x, y)]
    expected = pytest.approx(slow_pearson(*repeated), abs=1e-12, nan_ok=True)
    assert pearson_of_rows(x, y, weights) == expected
    assert pearson_of_moments(weights @ moments(x, y)) == expected
    columns, total = weights[:, None], weights.sum(keepdims=True)
    other = weighted_deviations(tie_groups(x), columns, total)
    ranked = spearman_of_groups(tie_groups(y), columns, total, *other)
    assert ranked == pytest.approx([slow_spearman(*repeated)], abs=1e-12, nan_ok=True)


@settings(max_examples=60)
@given(st.lists(st.lists(few, min_size=4, max_size=4), min_size=1, max_size=5))
def test_all_pairs_of_rows(drawn: list[list[int]]) -> None:
    rows = np.array(drawn, dtype=np.float64) / 4 + 1e3
    expected = [[slow_pearson(a, b) for b in rows] for a in rows]
    assert pearson_matrix(rows) == pytest.approx(np.array(expected), abs=1e-9, nan_ok=True)


@settings(max_examples=50)
@given(st.lists(st.tuples(few | st.none(), few), min_size=1, max_size=7))
def test_spearman_of_the_columns_that_are_known(drawn: list[tuple[int | None, int]]) -> None:
    human, scores = (np.array([[*side]], dtype=np.float64) for side in zip(*drawn, strict=True))
    known = ~np.isnan(human[0])
    x, y = human[0][known], scores[0][known]
    expected = 0.0 if len(set(x)) > 1 and len(set(y)) < 2 else slow_spearman(x, y)
    assert spearman_of_rows(human, scores) == pytest.approx([expected], abs=1e-12, nan_ok=True)


@pytest.mark.parametrize("scores", [[1.0, np.nan, 2.0], [1.0, np.inf, 2.0]])
def test_an_undefined_score_of_a_known_column_is_worth_nothing(scores: list[float]) -> None:
    assert spearman_of_rows(np.array([[1.0, 2.0, 3.0]]), np.array([scores])) == [0.0]
    assert spearman_of_rows(np.array([[1.0, np.nan, 3.0]]), np.array([scores])) == [1.0]


def test_counts_of_moments() -> None:
    known = np.array([1.0, 0.0])
    assert moments(np.array([2.0, 0.0]), np.array([3.0, 0.0]), count=known).tolist() == [[1, 2, 3, 4, 9, 6], [0] * 6]
    assert moments(np.array([2.0]), np.array([3.0])).tolist() == [[1, 2, 3, 4, 9, 6]]


def test_constants_far_from_zero_are_constant() -> None:
    rows = np.full((1, 5), 1e8 + 0.1)
    other = np.arange(5.0)[None]
    known = np.array([[True, False, True, True, True]])
    assert from_first(rows, known).tolist() == [[0.0] * 5]
    assert np.isnan(pearson_of_rows(from_first(rows, known), other, known.astype(np.float64))).all()
    assert np.isnan(pearson_matrix(np.concatenate([rows, other]))[0]).all()
    assert np.isnan(pearson_of_moments(np.zeros(6)))


def test_rows_are_measured_from_the_first_known_value() -> None:
    values = np.array([[np.nan, 3.0, 5.0], [np.nan, np.nan, np.nan]])
    assert from_first(values, ~np.isnan(values)).tolist() == [[0, 0, 2], [0, 0, 0]]
    assert from_first(np.empty((2, 0)), np.empty((2, 0))).shape == (2, 0)


# The differences of all pairs with their jackknife errors.
def compared(registry: Registry, metric: str) -> Contest:
    rng = np.random.default_rng(2)
    gold = rng.normal(size=25)
    chosen = registry.get(Metric, metric)
    batches = tuple(chosen.kind.from_plain(gold, gold + scale * rng.normal(size=25)) for scale in (0.5, 1.0, 2.0))
    return Contest.of(Sample(metrics=(chosen,), batches=(*batches, batches[0]), key=(1,)))


@pytest.mark.parametrize(("metric", "scale"), [("mae", lambda x: x), ("pearson", np.arctanh)])
def test_differences_are_those_of_the_definition(registry: Registry, metric: str, scale: np.ufunc) -> None:
    contest = compared(registry, metric)
    found, left_out = jackknife_of_pairs(contest), scale(contest.jackknife())
    for pair, (a, b) in enumerate(zip(*contest.pairs, strict=True)):
        differences = left_out[:, a] - left_out[:, b]
        away = differences - differences.mean()
        assert found.error[pair] == pytest.approx(np.sqrt(24 / 25 * (away**2).sum()), abs=1e-12)
        expected = scale(contest.oriented[a]) - scale(contest.oriented[b])
        assert found.difference[pair] == pytest.approx(expected, abs=1e-12)


def test_equal_submissions_have_no_difference(registry: Registry) -> None:
    contest = compared(registry, "pearson")
    found = jackknife_of_pairs(contest)
    same = [{a, b} == {0, 3} for a, b in zip(*contest.pairs, strict=True)]
    assert found.t[same].tolist() == [0.0]


def test_two_way_errors_are_those_of_single_pairs_and_scores(registry: Registry) -> None:
    """All pairs at once, however they are cut, as each pair by itself; a score is its difference from a constant."""
    rng = np.random.default_rng(3)
    gold = rng.normal(size=(9, 5))
    batches = tuple(Grid.from_plain(gold, gold + rng.normal(size=(9, 5))) for _ in range(4))
    contest = Contest.of(Sample(metrics=(registry.get(Metric, "segment_pearson"),), batches=batches, key=(1,)))
    found = two_way_of_pairs(contest)
    (grid,) = contest.left_out_of_grids()
    axes = [np.arctanh(axis) for axis in (grid.segments, grid.systems, grid.cells)]
    for pair, (a, b) in enumerate(zip(*contest.pairs, strict=True)):
        apart = two_way_variance([GridLeftOut(*(x[:, [a]] - x[:, [b]] for x in axes), grid.cell_factor)])
        assert found.error[pair] == pytest.approx(apart.error[0], rel=1e-12)
        assert found.freedom[pair] == apart.freedom[0] == 4
    assert two_way_of_scores(contest).error == pytest.approx(
        two_way_variance([GridLeftOut(*axes, grid.cell_factor)]).error
    )


def exchange(masks, first, second):
    """Return a stand-in of differences: (draws, pairs)."""
    return masks.sum(axis=1)[:, None] + 10.0 * first - second


def test_counts_are_those_of_the_differences():
    masks = np.array([[0, 0, 1], [1, 1, 1], [0, 1, 0]])
    pairs = np.array([0, 0, 1]), np.array([1, 2, 2])
    differences = differences_of_block(exchange, pairs, -1.0, lambda blocks: masks, [])
    assert differences.tolist() == (-exchange(masks, *pairs)).tolist()
    counts = count_block(exchange, pairs, -1.0, lambda found, part: found < -0.5, lambda blocks: masks, [])
    assert counts.tolist() == (differences < -0.5).sum(axis=0).tolist()


def test_few_units_and_scores_that_are_not_smooth_have_no_error(registry):
    assert no_error(scoreboard(registry, "mae", [made_task()]).contests[0]) == ""
    few = scoreboard(registry, "mae", [made_task(units=FEWEST_UNITS - 1)]).contests[0]
    assert no_error(few) == "6 units: a jackknife error needs at least 7"
    assert no_error(scoreboard(registry, "mae", [made_task(units=FEWEST_UNITS)]).contests[0]) == ""
    rough = scoreboard(registry, "delta_avg", [made_task()], test="").contests[0]
    assert no_error(rough).startswith("the score is not smooth in the weights of units")


# The variance by the jackknife, of units and of grids, against the definition by loops.
def by_definition(left_out: list[float]) -> tuple[float, float]:
    """Compute the standard error and the degrees of freedom with plain loops."""
    n, mean = len(left_out), sum(left_out) / len(left_out)
    squares = [(value - mean) ** 2 for value in left_out]
    total, fourth = sum(squares), sum(square**2 for square in squares)
    error = ((n - 1) / n * total) ** 0.5
    spread = fourth - total**2 / n
    freedom = 2 * total**2 / spread if spread > 0 else n - 1
    return error, min(max(freedom, 1.0), n - 1.0)


@given(st.lists(st.integers(-9, 9), min_size=2, max_size=30))
def test_variance_is_that_of_the_definition(values: list[int]) -> None:
    found = jackknife_variance(np.array(values, dtype=np.float64)[:, None])
    error, freedom = by_definition([float(value) for value in values])
    assert found.error[0] == pytest.approx(error, rel=1e-12)
    assert found.freedom[0] == pytest.approx(freedom, rel=1e-9)


@given(seed=st.integers(0, 2**32 - 1), sizes=st.lists(st.integers(0, 12), min_size=1, max_size=3))
def test_products_give_the_variances_of_differences(seed: int, sizes: list[int]) -> None:
    """Also of equal, alike, constant and undefined values, and of samples of one unit."""
    rng = np.random.default_rng(seed)
    left_out = 0.5 + 1e-3 * rng.normal(size=(6, sum(sizes)))
    left_out[1], left_out[2] = left_out[0], left_out[0] + 1e-9 * rng.normal(size=sum(sizes))
    left_out[3], left_out[4, : rng.integers(2)] = 0.5, rng.choice([np.nan, np.inf])
    first, second = pairs = np.triu_indices(6, 1)
    scores = np.full(len(first), 0.5)
    found = variance_of_pairs(left_out, pairs, sizes, scores=scores)
    with np.errstate(invalid="ignore"):
        direct = jackknife_variance((left_out[first] - left_out[second]).T, sizes, scores=scores)
    assert found.error == pytest.approx(direct.error, rel=1e-12, nan_ok=True)
    assert found.freedom == pytest.approx(direct.freedom, rel=1e-9, nan_ok=True)


def test_independent_samples_add_their_variances() -> None:
    one, other = np.random.default_rng(1).normal(size=(9, 1)), np.random.default_rng(2).normal(size=(5, 1))
    found = jackknife_variance(np.concatenate([one, other]), [9, 5])
    alone = [jackknife_variance(sample).error[0] for sample in (one, other)]
    assert found.error[0] == pytest.approx(np.hypot(*alone), rel=1e-12)


@pytest.mark.parametrize(
    ("values", "error"),
    [([2.0, 2.0, 2.0], 0.0), ([1.0, np.nan, 2.0], np.nan), ([1.0, np.inf, 2.0], np.nan), ([1.0], np.nan), ([], np.nan)],
)
def test_degenerate_values(values: list[float], error: float) -> None:
    found = jackknife_variance(np.array(values, dtype=np.float64)[:, None])
    assert found.error[0] == pytest.approx(error, nan_ok=True)
    assert np.isnan(found.freedom[0]) == np.isnan(error)


def grid(*axes: FloatArray, factor: float = 0.8) -> GridLeftOut:
    return GridLeftOut(*(axis[:, None] for axis in axes), factor)


def squares(values: FloatArray) -> float:
    return float(((values - values.mean()) ** 2).sum())


@given(st.integers(0, 10**6))
def test_two_way_variance_is_that_of_the_definition(seed: int) -> None:
    rng = np.random.default_rng(seed)
    segments, systems, cells = (rng.normal(size=size) * rng.exponential() for size in (6, 4, 24))
    v_segments, v_systems, v_cells = squares(segments) * 5 / 6, squares(systems) * 3 / 4, squares(cells) * 0.8
    variance = max(v_segments + v_systems - v_cells, v_segments, v_systems)
    found = two_way_variance([grid(segments, systems, cells)])
    assert found.error[0] == pytest.approx(variance**0.5)
    assert found.freedom[0] == pytest.approx(3)
    twice = two_way_variance([grid(segments, systems, cells), grid(segments, systems, cells)])
    assert twice.error[0] == pytest.approx((2 * variance) ** 0.5)
    assert twice.freedom[0] == pytest.approx(6)


def test_two_way_variance_of_degenerate_grids() -> None:
    ones, many = np.ones(4), np.arange(4.0)
    flat = two_way_variance([grid(ones, ones, ones)])
    assert (flat.error[0], flat.freedom[0]) == (0, 3)
    assert np.isnan(two_way_variance([grid(many[:1], many, many)]).error[0])
    assert np.isnan(two_way_variance([grid(many, many[:1], many)]).error[0])
    infinite = two_way_variance([grid(many, np.array([1.0, np.inf, 0, 0]), many)])
    assert np.isnan([infinite.error[0], infinite.freedom[0]]).all()


# Spearman's correlation without each unit, against computing it again for every unit.
PAIRS = st.integers(1, 6).flatmap(
    lambda levels: st.lists(st.tuples(st.integers(0, levels), st.integers(0, levels)), max_size=40)
)


def sides(pairs):
    values = np.array(pairs, dtype=float).reshape(-1, 2)
    return values[:, 0], values[:, 1]


def again(x, y):
    """Return the correlations without each unit, each computed from the other units."""
    found = []
    for i in range(len(x)):
        a, b = np.delete(x, i), np.delete(y, i)
        varied = len(set(a)) > 1 and len(set(b)) > 1
        found.append(spearmanr(a, b).statistic if varied else np.nan)
    return np.array(found)


@given(PAIRS)
def test_concordant_units_are_counted_pair_by_pair(pairs):
    x, y = sides(pairs)
    signs = np.sign(x[:, None] - x) * np.sign(y[:, None] - y)
    assert concordant_units(tie_groups(x), tie_groups(y)).tolist() == (signs > 0).sum(axis=1).tolist()


@settings(max_examples=45)
@given(PAIRS)
def test_every_unit_is_left_out_in_turn(pairs):
    x, y = sides(pairs)
    assert spearman_without_each(tie_groups(x), tie_groups(y)) == pytest.approx(again(x, y), abs=1e-12, nan_ok=True)


@pytest.mark.parametrize("units", [64, 65, 300])
def test_more_units_without_ties(units):
    x, y = np.random.default_rng(units).normal(size=(2, units))
    assert spearman_without_each(tie_groups(x), tie_groups(y + x)) == pytest.approx(again(x, y + x), abs=1e-12)


def test_few_units_and_constant_sides_are_undefined():
    assert spearman_without_each(tie_groups(np.empty(0)), tie_groups(np.empty(0))).shape == (0,)
    for units in (1, 2):
        line = tie_groups(np.arange(float(units)))
        assert np.isnan(spearman_without_each(line, line)).all()
    flat = spearman_without_each(tie_groups(np.array([1.0, 1, 1, 2])), tie_groups(np.arange(4.0)))
    assert np.isnan(flat).tolist() == [False, False, False, True]


def test_ties_that_are_ranked_apart():
    x, y = np.array([1.0, 1, 1, 2]), np.array([3.0, 1, 2, 4])
    apart = tie_groups(x, apart=True)
    assert spearman_without_each(apart, tie_groups(y)) == pytest.approx(again(np.arange(4.0), y))


class WeightedMedian:
    """A statistic that is not additive: the lowest prediction that half of the weight does not exceed."""

    unit = "segment"

    def __init__(self, batch):
        self.order = np.argsort(batch.predicted)
        self.predicted, self.units = batch.predicted, len(batch)

    def __call__(self, weights):
        below = weights[..., self.order].cumsum(axis=-1)
        return self.predicted[self.order][(below < below[..., -1:] / 2).sum(axis=-1)]


def test_exchanges_agree_with_swapped_answers():
    rng = np.random.default_rng(6)
    batches = [Scores.from_plain(rng.random(15), rng.random(15)) for _ in range(3)]
    masks, first, second = rng.integers(0, 2, (7, 15), dtype=np.uint8), np.array([0, 2, 1]), np.array([1, 0, 1])
    exchange = ExchangeByWeights(WeightedMedian)(batches)
    assert exchange.cells == 15
    found = exchange(masks, first, second)
    assert found == pytest.approx(RecomputedExchange(batches, WeightedMedian)(masks, first, second))
    assert (found[:, 2] == 0).all()


def test_units_of_two_batches_are_joined():
    first, second = (Scores.from_plain([1, 2], side) for side in ([3, 4], [5, 6]))
    both = first.join_units(second)
    assert both.ids.tolist() == [0, 1, 0, 1]
    assert both.predicted.tolist() == [3, 4, 5, 6]
    assert both.pivot == first.pivot
    sentences = [TokenScores.from_plain(["OK BAD", ""], [side, []]) for side in ([1, 2], [3, 4])]
    joined = sentences[0].join_units(sentences[1])
    assert [row.tolist() for row in joined.predicted] == [[1, 2], [], [3, 4], []]


@given(st.lists(st.integers(0, 4), min_size=1, max_size=9))
def test_ranks_are_those_of_scipy(values: list[int]) -> None:
    both = np.array([values, values[::-1]], dtype=float)
    assert mid_ranks(both) == pytest.approx(scipy.stats.rankdata(both, axis=1))
    ordered = np.sort(both, axis=1)
    fresh = np.concatenate([np.zeros((2, 1), dtype=bool), np.diff(ordered, axis=1) > 0], axis=1)
    for places, method in zip(shared_positions(fresh), ("min", "max"), strict=True):
        assert (places == np.sort(scipy.stats.rankdata(both, method=method, axis=1), axis=1)).all()


def test_undefined_values_have_no_rank_and_values_that_differ_by_rounding_share_one() -> None:
    found = mid_ranks(np.array([2.0, np.nan, 1.0, np.nan, 2.0]))
    assert found == pytest.approx([2.5, np.nan, 1.0, np.nan, 2.5], nan_ok=True)
    assert mid_ranks(np.empty((3, 0))).shape == (3, 0)
    values = np.array([0.3, 0.1 + 0.2, 0.4, np.nan, np.inf, -np.inf])
    assert mid_ranks(values) == pytest.approx([2, 3, 4, np.nan, 5, 1], nan_ok=True)
    assert mid_ranks(values, slack=1e-12) == pytest.approx([2.5, 2.5, 4, np.nan, 5, 1], nan_ok=True)
    assert mid_ranks(np.array([np.inf, np.inf, 1.0]), slack=1e-12) == pytest.approx([2.5, 2.5, 1.0])
    assert mid_ranks(np.empty((3, 0)), slack=1e-12).shape == (3, 0)


@given(st.lists(st.tuples(st.integers(0, 4), st.integers(0, 3)), min_size=1, max_size=9))
def test_weighted_ranks_are_those_of_repeated_values(drawn: list[tuple[int, int]]) -> None:
    values, weights = (np.array(side, dtype=float) for side in zip(*drawn, strict=True))
    repeated = np.repeat(values, weights.astype(int))
    found = weighted_mid_ranks(values, weights[None])
    for value, rank in zip(values, found[0], strict=True):
        assert rank == (repeated < value).sum() + (repeated == value).sum() / 2
    assert (tie_groups(values).mid_ranks() == scipy.stats.rankdata(values)).all()
    assert (weighted_mid_ranks(values, np.ones((1, len(values)))) + 0.5 == mid_ranks(values)).all()


@given(st.lists(st.tuples(st.integers(0, 4), st.booleans()), min_size=1, max_size=7))
def test_ranks_by_pairs_leave_out_what_is_not_known(drawn: list[tuple[int, bool]]) -> None:
    values, known = (np.array(side, dtype=float) for side in zip(*drawn, strict=True))
    found = mid_ranks_by_pairs(values, known, slack=0.0)
    chosen = known > 0
    assert (found[chosen] + 0.5 == scipy.stats.rankdata(values[chosen])).all()


def test_a_chain_of_near_values_shares_a_rank_by_neighbors_but_not_by_pairs() -> None:
    chain = np.array([1.0, 1.08, 1.16])
    assert mid_ranks(chain, slack=0.1).tolist() == [2, 2, 2]
    assert mid_ranks_by_pairs(chain, np.ones(3), slack=0.1).tolist() == [1, 1.5, 2]


def test_values_kept_apart_are_ranked_in_input_order() -> None:
    assert tie_groups(np.array([2.0, 1.0, 2.0]), apart=True).mid_ranks().tolist() == [2, 1, 3]
    assert tie_groups(np.array([2.0, 1.0, 2.0])).sum(np.array([1.0, 10.0, 100.0])).tolist() == [10, 101]
    assert tie_groups(np.empty(0)).mid_ranks().shape == (0,)


@pytest.mark.parametrize("rows", [0, 1, 15, 16, 17, 160, 163])
def test_running_sums_are_those_of_cumsum(rows):
    counts = np.random.default_rng(rows).poisson(1, (rows, 5)).astype(np.float64)
    before = counts.copy()
    assert (running_sums(counts) == counts.cumsum(axis=0)).all()
    assert (running_sums(counts[:, ::2]) == counts[:, ::2].cumsum(axis=0)).all()
    assert (counts == before).all()
    assert running_sums(counts / 7) == pytest.approx(counts.cumsum(axis=0) / 7, rel=1e-12)


# Correlations in whole numbers have the bits of the general formula, which serves what is not whole or too large.
@pytest.mark.parametrize("units", [1, 2, 15, 16, 17, 40, 333])
@pytest.mark.parametrize("values", [2, 7, 10_000])
@pytest.mark.parametrize("of_weights", ["drawn", "whole and large", "in one block", "fractions", "with zeros"])
def test_whole_weights_give_the_same_bits(units: int, values: int, of_weights: str) -> None:
    rng = np.random.default_rng(units + values)
    gold, *predicted = (tie_groups(rng.integers(values, size=units).astype(np.float64)) for _ in range(4))
    predicted.append(tie_groups(np.zeros(units), apart=True))
    weights = rng.multinomial(units, np.full(units, 1 / units), size=6).T.astype(np.float64)
    if of_weights == "whole and large":
        weights *= 30
    elif of_weights == "in one block":
        weights[: units // 2] = 0.0
        weights[-1] = 300.0
    elif of_weights == "fractions":
        weights += 0.25
    elif of_weights == "with zeros":
        weights[:, 1] = 0.0
    total = weights.sum(axis=0)
    deviations = weighted_deviations(gold, weights, total)
    expected = [spearman_of_groups(groups, weights, total, *deviations) for groups in predicted]
    assert np.array_equal(spearman_of_submissions(gold, predicted, weights), expected, equal_nan=True)


def test_differences_go_in_pieces(monkeypatch: pytest.MonkeyPatch) -> None:
    draws = np.random.default_rng(0).normal(size=(5, 4))
    pairs = ordered_pairs(np.arange(4.0))
    whole = over_pairs(draws, pairs, lambda d, part: d.sum(axis=0) + np.arange(6)[part])
    monkeypatch.setattr("qeframe.core.draws.MOST_CELLS", 10)
    assert (over_pairs(draws, pairs, lambda d, part: d.sum(axis=0) + np.arange(6)[part]) == whole).all()
    assert over_pairs(draws, (pairs[0][:0], pairs[1][:0]), lambda d, part: d.sum(axis=0)).shape == (0,)


@given(st.floats(-0.999, 0.999))
def test_the_scales_are_inverse(score: float) -> None:
    for scale in ("identity", "arctanh"):
        values = on_working_scale(np.array([score]), scale)  # type: ignore[arg-type]
        assert from_working_scale(values, scale)[0] == pytest.approx(score, abs=1e-12)  # type: ignore[arg-type]


def test_ends_and_undefined_scores() -> None:
    values = on_working_scale(np.array([1.0, -1.0, np.nan, 1.5]), "arctanh")
    assert values[:2].tolist() == [np.inf, -np.inf]
    assert np.isnan(values[2:]).all()
    scores = np.array([1 + 4e-16, -1 - 4e-16, 1 + 1e-6])
    assert on_working_scale(scores, "arctanh") == pytest.approx([np.inf, -np.inf, np.nan], nan_ok=True)


def test_a_score_that_is_perfect_but_for_rounding_has_no_finite_value() -> None:
    """Its last bit would decide: the values of neighboring numbers near 1 differ by a third."""
    below = 1 - np.arange(1, 5) * 2.0**-53
    assert np.isposinf(on_working_scale(below, "arctanh")).all()
    assert np.isneginf(on_working_scale(-below, "arctanh")).all()
    apart = np.array([1 - 1e-11, 1e-11 - 1])
    assert on_working_scale(apart, "arctanh") == pytest.approx(np.arctanh(apart))
