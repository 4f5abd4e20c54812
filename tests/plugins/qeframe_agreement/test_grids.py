"""Pairs and groups of cells against loops; tables of tie policies, their coefficients and bounds."""

from itertools import combinations

import numpy as np
import pytest

import qeframe_ties
from qeframe.core.errors import DataError
from qeframe.core.metric import TiePolicy
from qeframe.core.statistic import Additive
from qeframe.kinds.grid.batch import Grid
from qeframe_agreement.grids import (
    ACC23,
    WMT14,
    GroupMean,
    bind_groups,
    bounds_of,
    cells_of,
    check_epsilon,
    check_table,
    claims_of,
    coefficients,
    flatten,
    item_pairs,
    signs,
)

NAN = np.nan
GRID = Grid.from_plain(
    [[1, 2, NAN], [3, NAN, 1], [0, 0, 2], [NAN, NAN, NAN]], [[5, 4, 3], [1, 2, NAN], [2, 2, 2], [1, 1, 1]]
)


class SumOfProducts:
    """The weighted sum of x * y; NaN where no drawn cell has both sides."""

    def __init__(self, x, y):
        self.values = np.where(np.isnan(x), 0.0, x * y).sum(axis=1)
        self.there = (~np.isnan(x)).any(axis=1)

    def __call__(self, weights):
        return np.where(weights @ self.there > 0, weights @ self.values, np.nan)


def item_scores(x, y):
    """Score items by their largest product; an item with the product 0 is undefined."""
    products = np.where(np.isnan(x), -np.inf, x * y).max(axis=1)
    return np.where(products > 0, products, np.nan)


def test_cells_of_have_both_sides_or_neither():
    x, y = cells_of(GRID)
    assert np.isnan(x).tolist() == np.isnan(y).tolist() == (~GRID.present).tolist()
    assert x[0].tolist()[:2] == [1.0, 2.0]
    assert y[1].tolist()[0] == 1.0


def test_flatten_lists_the_cells_item_by_item():
    x, y, item = flatten(*cells_of(GRID))
    assert x.tolist() == [1, 2, 3, 0, 0, 2]
    assert y.tolist() == [5, 4, 1, 2, 2, 2]
    assert item.tolist() == [0, 0, 1, 2, 2, 2]


def test_all_cells_are_one_group():
    statistic = bind_groups(SumOfProducts, item_scores, "none", "drop", "macro", GRID)
    weights = np.array([[1, 1, 1, 1], [2, 0, 3, 1], [0, 0, 0, 1.0]])
    expected = [(w * np.nansum(np.where(GRID.present, GRID.gold * GRID.predicted, 0), axis=1)).sum() for w in weights]
    assert statistic(weights) == pytest.approx([*expected[:2], NAN], nan_ok=True)


@pytest.mark.parametrize("undefined", ["drop", "zero", "propagate"])
def test_systems_are_groups_over_items(undefined):
    statistic = bind_groups(SumOfProducts, item_scores, "system", undefined, "macro", GRID)
    assert isinstance(statistic, GroupMean)
    for weights in np.array([[1, 1, 1, 1], [0, 1, 0, 5], [2, 0, 0, 0], [0, 0, 0, 1.0]]):
        scores = []
        for system in range(3):
            drawn = [i for i in range(4) if weights[i] > 0 and GRID.present[i, system]]
            if drawn:
                scores.append(sum(weights[i] * GRID.gold[i, system] * GRID.predicted[i, system] for i in drawn))
        expected = np.mean(scores) if scores else NAN
        assert float(statistic(weights)) == pytest.approx(expected, nan_ok=True)


@pytest.mark.parametrize("undefined", ["drop", "zero", "propagate"])
def test_items_are_groups_over_systems(undefined):
    statistic = bind_groups(SumOfProducts, item_scores, "item", undefined, "macro", GRID)
    assert isinstance(statistic, Additive)
    assert float(statistic(np.ones(4))) == pytest.approx((8 + 3 + 4) / 3)
    assert float(statistic(np.array([3, 1, 0, 7.0]))) == pytest.approx((3 * 8 + 3) / 4)


RULES = ("drop", "zero", "propagate")


def test_an_undefined_group_with_cells_is_dropped_or_counts_zero_or_makes_the_mean_undefined():
    grid = Grid.from_plain([[1, 2], [0, 0], [0, NAN], [NAN, NAN]], [[3, 4], [1, 1], [1, 1], [1, 1]])
    by_item = [bind_groups(SumOfProducts, item_scores, "item", rule, "macro", grid) for rule in RULES]
    assert [float(score(np.ones(4))) for score in by_item] == pytest.approx([8.0, 4.0, NAN], nan_ok=True)
    drawn = np.array([2, 0, 0, 3.0])
    assert [float(score(drawn)) for score in by_item] == [8.0, 8.0, 8.0]

    def undefined(x, y):
        return lambda weights: np.full(len(weights), NAN)

    by_system = [bind_groups(undefined, item_scores, "system", rule, "macro", grid) for rule in RULES]
    for weights, expected in (((1, 1, 1, 1), [NAN, 0.0, NAN]), ((1, 0, 0, 1), [NAN, NAN, NAN])):
        found = [float(score(np.array(weights, dtype=float))) for score in by_system]
        assert found == pytest.approx(expected, nan_ok=True), "a group of one cell counts nothing"


def test_the_three_rules_on_a_grid_with_single_judgments(measure):
    """Items 2 and 3 have no judgment, item 4 has one: mt-metrics-eval has 1.0 without and with zeros."""
    gold = [[1, 2, 3], [3, 1, 2], [NAN] * 3, [NAN] * 3, [NAN, 1, NAN]]
    answers = [[1, 2, 3], [3, 1, 2], [1, 2, 3], [1, 2, 3], [1, 2, 3]]
    for name in ("segment_pearson", "segment_spearman", "tau_b", "tau_c"):
        scores = [measure(f"{name}(grouping=item, undefined={rule})", gold, answers) for rule in RULES]
        assert scores == pytest.approx([1.0, 1.0, NAN], nan_ok=True)
        tied = [*answers[:1], [2, 2, 2], *answers[2:]]
        scores = [measure(f"{name}(grouping=item, undefined={rule})", gold, tied) for rule in RULES]
        assert scores == pytest.approx([1.0, 0.5, NAN], nan_ok=True)


def test_without_systems_there_is_no_group():
    grid = Grid(ids=np.arange(2), gold=np.empty((2, 0)), predicted=np.empty((2, 0)))
    assert np.isnan(bind_groups(SumOfProducts, item_scores, "system", "zero", "macro", grid)(np.ones(2)))


def test_abstention_is_harmful_only_where_undefined_items_count():
    for grouping in ("none", "item", "system"):
        for undefined in ("drop", "zero"):
            kept = claims_of(grouping, undefined)
            assert ("abstention_proof" in kept) == (grouping == "item" and undefined == "zero")
            assert kept[:3] == ("constant_proof", "blind_proof", "location_scale_invariant")


@pytest.mark.parametrize("undefined", ["drop", "zero", "propagate"])
@pytest.mark.parametrize("grouping", ["item", "system"])
def test_micro_averages_weigh_groups_by_their_cells(grouping, undefined):
    """The mean over groups, each repeated once for each of its cells."""
    weights = np.array([[1.0] * len(GRID), [2.0, *[1.0] * (len(GRID) - 1)]])
    found = bind_groups(SumOfProducts, item_scores, grouping, undefined, "micro", GRID)(weights)
    x, y = cells_of(GRID)
    cells = (~np.isnan(x)).sum(axis=1)
    for each, score in zip(weights, found, strict=True):
        if grouping == "item":
            values, members = item_scores(x, y), cells * each
        else:
            columns = [slice(s, s + 1) for s in range(GRID.systems)]
            values = np.array([SumOfProducts(x[:, c], y[:, c])(each[None])[0] for c in columns])
            members = (~np.isnan(x)).T @ each
        counted = members * ~np.isnan(values)
        assert score == pytest.approx(np.nansum(values * counted) / counted.sum())


def slow_scores(grid, table, epsilon):
    """Return the score of every item, and how many pairs count in each."""
    scores, sizes = [], []
    for x, y, there in zip(grid.gold, grid.predicted, grid.present, strict=True):
        entries = []
        for i, j in combinations(np.flatnonzero(there), 2):
            human = int(1 - np.sign(x[i] - x[j]))
            difference = y[i] - y[j]
            metric = 0 if difference > epsilon else 2 if difference < -epsilon else 1
            if table[human][metric] is not None:
                entries.append(table[human][metric])
        scores.append(np.mean(entries) if entries else 0.0)
        sizes.append(len(entries))
    return scores, sizes


def test_signs_of_nan_are_zero():
    first, second = np.array([1, 2, 2, NAN, 1]), np.array([2, 1, 2, 1, NAN])
    assert signs(first, second).tolist() == [-1, 1, 0, 0, 0]


@pytest.mark.parametrize("epsilon", [0.0, 0.3, 5.0])
@pytest.mark.parametrize("table", [ACC23.table, ((1, 0, -1), (None, None, None), (-1, 0, 1)), ((1, 0.1, 0),) * 3])
def test_values_against_a_loop(random_grids, epsilon, table):
    """Quarters are exact in single precision, a tenth is not."""
    for grid in random_grids(metrics=2, items=12, systems=5, seed=3):
        policy = TiePolicy(name="made", summary="", table=table)
        pairs = item_pairs(grid, policy)
        assert pairs.table.dtype == (np.float64 if 0.1 in table[0] else np.float32)
        scores, sizes = slow_scores(grid, table, epsilon)
        assert pairs.values(grid.predicted, epsilon) == pytest.approx(scores, abs=1e-12)
        assert pairs.size.tolist() == [max(1, size) for size in sizes]
        assert pairs.defined.tolist() == [float(size > 0) for size in sizes]
        assert pairs.counted.sum(axis=0).tolist() == sizes


def test_differences_are_first_minus_second():
    grid = Grid.from_plain([[1, 2, 3]], [[5, 3, 9]])
    pairs = item_pairs(grid, ACC23)
    assert list(zip(pairs.first.tolist(), pairs.second.tolist(), strict=True)) == [(0, 1), (0, 2), (1, 2)]
    assert pairs.differences(grid.predicted)[:, 0].tolist() == [2, -4, -6]
    assert pairs.outcome(pairs.differences(grid.predicted), 0.0)[:, 0].tolist() == [0, 1, 1]


def test_tables_that_exclude_by_the_metric_are_refused():
    with pytest.raises(DataError, match="tie policy 'made' excludes pairs by the metric's relation"):
        check_table(TiePolicy(name="made", summary="", table=((1, None, -1), (None, None, None), (-1, None, 1))))
    assert check_table(ACC23) is ACC23


def test_coefficients_and_what_counts():
    weights, counted = coefficients(WMT14.table)
    assert weights.tolist() == [[1, 0, -1], [0, 0, 0], [-1, 0, 1]]
    assert counted.tolist() == [[True] * 3, [False] * 3, [True] * 3]
    weights, counted = coefficients(ACC23.table)
    assert (weights == np.eye(3)).all()
    assert counted.all()


@pytest.mark.parametrize(
    ("numbers", "bounds"), [([1.0, -1.0, 0.0], (-1, 1)), ([], (-1, 1)), ([0.5, 0.5], (-0.5, 1.5)), ([0.0], (-1, 1))]
)
def test_bounds(numbers, bounds):
    assert bounds_of(numbers) == bounds


@pytest.mark.parametrize("epsilon", [-0.1, float("inf"), float("nan")])
def test_a_threshold_is_a_finite_number_of_at_least_0(epsilon):
    with pytest.raises(DataError, match="epsilon must be a finite number of at least 0"):
        check_epsilon(epsilon)


def test_a_threshold_is_returned():
    assert [check_epsilon(value) for value in (0.0, 25)] == [0.0, 25]


@pytest.mark.parametrize("policy", [WMT14, ACC23], ids=lambda policy: policy.name)
def test_the_defaults_are_those_of_the_plugin_of_tie_policies(policy):
    theirs = getattr(qeframe_ties, policy.name)
    assert policy.table == theirs.table
    assert policy.claims == theirs.claims
