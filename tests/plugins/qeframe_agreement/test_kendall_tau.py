"""Kendall tau of judgments and of items: concordance, ties and exchanges, held to loops."""

from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import kendalltau

from qeframe.core.errors import DataError
from qeframe.core.statistic_stack import StatisticStack
from qeframe.kinds.grid.batch import Grid
from qeframe.kinds.judgments.batch import Judgments
from qeframe_agreement.correlation.segments import segment_pearson, segment_spearman
from qeframe_agreement.grids import ACC23, WMT14
from qeframe_agreement.kendall_tau.concordance import Concordance, count_pairs, discordances
from qeframe_agreement.kendall_tau.exchanges import ItemTauExchange, falling_pairs, merge
from qeframe_agreement.kendall_tau.tau_b_and_c import tau_b
from qeframe_agreement.kendall_tau.tau_of_judgments import CellRows, TableScore, confusion, kendall


def falling(values):
    return [(i, j) for i, j in combinations(range(len(values)), 2) if values[i] > values[j]]


@pytest.mark.parametrize(("classes", "size"), [(1, 9), (2, 300), (10, 40), (10, 700), (500, 700), (9999, 9999)])
def test_falling_pairs_against_a_loop(classes, size):
    rng = np.random.default_rng(classes)
    values = (classes * rng.beta(0.5, 5, size)).astype(np.int64)  # low classes have most positions
    chosen = rng.integers(0, 2, (size + 1, 3)).astype(np.float64)
    chosen[-1] = 0
    expected = [falling(values[column[:-1] > 0]) for column in chosen.T]
    found = sum(blocks.count(chosen) for blocks in falling_pairs(values))
    assert (found == [len(pairs) for pairs in expected]).all()


@given(values=st.lists(st.integers(0, 9), max_size=40))
def test_discordances_against_a_loop(values):
    expected = np.zeros(len(values), dtype=np.int64)
    for i, j in falling(values):
        expected[[i, j]] += 1
    assert discordances(np.array(values, dtype=np.int64)).tolist() == expected.tolist()


@pytest.mark.parametrize("variant", ["b", "c"])
@pytest.mark.parametrize("decimals", [0, 1, 12])
def test_taus_are_those_of_scipy(decimals, variant):
    rng = np.random.default_rng(decimals)
    gold = rng.normal(size=200).round(decimals)
    one, other = ((gold + rng.normal(size=200)).round(decimals) for _ in range(2))
    swapped = rng.integers(0, 2, (6, 200)).astype(bool)
    found = merge(gold, one, other).taus(swapped.T.astype(np.uint8), variant)
    for draw, mask in enumerate(swapped):
        for side, mixed in zip(found, (np.where(mask, other, one), np.where(mask, one, other)), strict=True):
            assert side[draw] == pytest.approx(kendalltau(gold, mixed, variant=variant).statistic, abs=1e-15)


@pytest.mark.filterwarnings("ignore::scipy.stats.ConstantInputWarning")
def test_means_over_items_against_scipy():
    rng = np.random.default_rng(2)
    gold = -rng.poisson(1.0, (40, 6)).astype(float)
    one, other = (np.round(gold + rng.normal(0, 1, gold.shape)) for _ in range(2))
    masks = rng.integers(0, 2, (5, gold.size)).astype(np.uint8)
    exchange = ItemTauExchange(gold=gold, predicted=np.stack([one, other]), axis="cell", zero=False)
    found = exchange(masks, np.array([0]), np.array([1]))[:, 0]
    for draw, mask in enumerate(masks.astype(bool).reshape(5, 40, 6)):
        means = [
            np.nanmean([kendalltau(g, m).statistic for g, m in zip(gold, mixed, strict=True)])
            for mixed in (np.where(mask, other, one), np.where(mask, one, other))
        ]
        assert found[draw] == pytest.approx(means[0] - means[1], abs=1e-14)


SIGNS = "<=>"


def judged(seed=0, count=40):
    rng = np.random.default_rng(seed)
    human = rng.integers(-1, 2, count)
    predicted = rng.integers(0, 4, (count, 2)) / 2
    return Judgments.from_plain("".join("<=>"[1 - sign] for sign in human), predicted.tolist())


def slow_cells(batch, epsilon):
    cells = np.zeros((3, 3))
    for human, (left, right) in zip(batch.human, batch.predicted, strict=True):
        metric = 0 if abs(left - right) <= epsilon else np.sign(left - right)
        cells[1 - int(human), 1 - int(metric)] += 1
    return cells


@pytest.mark.parametrize("epsilon", [0.0, 0.5, 1.0])
def test_cells_against_a_loop(epsilon):
    batch = judged()
    expected = slow_cells(batch, epsilon)
    assert (confusion(batch, epsilon=epsilon) == expected).all()
    rows = CellRows(epsilon)(batch)
    assert rows.sum(axis=1).tolist() == [1.0] * len(batch)
    assert (rows.sum(axis=0).reshape(3, 3) == expected).all()


@pytest.mark.parametrize("table", [WMT14.table, ACC23.table, ((1, None, -1), (None, None, None), (-1, None, 1))])
def test_a_table_weighs_the_cells(table):
    sums = np.random.default_rng(0).integers(0, 9, (5, 9)).astype(float)
    flat = [entry for row in table for entry in row]
    for row, score in zip(sums, TableScore(table)(sums), strict=True):
        numerator = sum(n * entry for n, entry in zip(row, flat, strict=True) if entry is not None)
        pairs = sum(n for n, entry in zip(row, flat, strict=True) if entry is not None)
        assert score == pytest.approx(numerator / pairs)
    assert np.isnan(TableScore(WMT14.table)(np.array([0, 0, 0, 1, 2, 3, 0, 0, 0.0])))


def test_policies_share_the_rows_of_one_threshold():
    assert CellRows(0.5) == CellRows(0.5)
    assert CellRows(0.5) != CellRows(0.25)


def test_the_metric_has_values_of_judgments_only_where_all_count():
    batch = judged(1)
    assert kendall(ties=WMT14).per_unit is None
    acc = kendall(ties=ACC23)
    assert acc.per_unit(batch).mean() == pytest.approx(float(acc.bind(batch)(np.ones(len(batch)))))
    outcomes = kendall(ties=WMT14).outcomes(batch)
    assert len(outcomes) == (batch.human != 0).sum()
    assert outcomes.mean() == pytest.approx(float(kendall(ties=WMT14).bind(batch)(np.ones(len(batch)))))
    details = kendall(ties=WMT14).details(batch)
    assert details["cells"] == slow_cells(batch, 0.0).tolist()
    assert details["pairs"] == (batch.human != 0).sum()


@pytest.mark.parametrize("epsilon", [-0.1, float("inf"), float("nan")])
def test_an_invalid_threshold_is_refused(epsilon):
    with pytest.raises(DataError, match="epsilon must be a finite number of at least 0"):
        kendall(epsilon=epsilon)


NAN = np.nan
numbers = st.lists(st.tuples(st.integers(0, 4), st.integers(0, 4)), max_size=12)


def slow_counts(x, y):
    """Of each cell: concordant less discordant pairs, pairs untied in x, and in y."""
    signs = [[(np.sign(a - c), np.sign(b - d)) for c, d in zip(x, y, strict=True)] for a, b in zip(x, y, strict=True)]
    of_cells = [(sum(a * b for a, b in row), sum(a != 0 for a, _ in row), sum(b != 0 for _, b in row)) for row in signs]
    return np.array(of_cells, dtype=int).reshape(-1, 3).T.tolist()


@given(numbers)
def test_counts_against_a_loop(cells):
    x, y = np.array(cells, dtype=float).reshape(-1, 2).T
    assert count_pairs(x, y).tolist() == slow_counts(x, y)


def test_counts_of_many_cells():
    x, y = np.random.default_rng(0).integers(0, 30, (2, 300)).astype(float)
    assert count_pairs(x, y).tolist() == slow_counts(x, y)


@pytest.mark.parametrize("variant", ["b", "c"])
@given(items=st.integers(0, 7), columns=st.integers(1, 4), seed=st.integers(0, 999))
def test_an_item_is_left_out_as_by_weights(variant, items, columns, seed):
    """To the bit: both count pairs. A single item, one without a cell and a constant rest are among the examples."""
    group = Concordance(variant, *with_gaps(items, columns, seed))
    assert np.array_equal(group.jackknife(), group(1 - np.eye(items)), equal_nan=True)


@pytest.mark.parametrize("grouping", ["none", "system"])
@pytest.mark.parametrize("undefined", ["drop", "zero", "propagate"])
@pytest.mark.parametrize("metric", [tau_b, segment_pearson, segment_spearman])
def test_means_over_groups_leave_items_out(metric, undefined, grouping):
    x, y = with_gaps(items=9, columns=3, seed=4)
    x[:, 2] = np.where(np.isnan(x[:, 2]), NAN, 1.0)
    bound = metric(grouping=grouping, undefined=undefined).bind(Grid(ids=range(9), gold=x, predicted=y))
    left_out = StatisticStack([bound]).jackknife()[:, 0]
    assert left_out == pytest.approx(bound(1 - np.eye(9)), abs=1e-14, nan_ok=True)


def with_gaps(items=8, columns=4, seed=0):
    rng = np.random.default_rng(seed)
    x, y = rng.integers(0, 4, (2, items, columns)).astype(float)
    gaps = rng.random(x.shape) < 0.25
    x[gaps] = y[gaps] = NAN
    return x, y


@pytest.mark.parametrize("columns", [1, 4])
@pytest.mark.parametrize("variant", ["b", "c"])
def test_weights_count_pairs_of_different_items_by_their_product(variant, columns):
    """Pairs of cells of one item count with its weight once: copies of an item are tied with each other."""
    x, y = with_gaps(columns=columns, seed=1)
    weights = np.random.default_rng(2).integers(0, 3, (5, 8)).astype(float)
    cells = [(i, j) for i in range(8) for j in range(columns) if not np.isnan(x[i, j])]
    for row, found in zip(weights, Concordance(variant, x, y)(weights), strict=True):
        excess = untied_x = untied_y = 0.0
        for one, other in combinations(cells, 2):
            weight = row[one[0]] * row[other[0]]
            a, b = (np.sign(side[one] - side[other]) for side in (x, y))
            excess, untied_x, untied_y = excess + weight * a * b, untied_x + weight * abs(a), untied_y + weight * abs(b)
        size = sum(row[i] for i, _ in cells)
        distinct = min(len({side[cell] for cell in cells if row[cell[0]] > 0}) for side in (x, y))
        spread = np.sqrt(untied_x * untied_y) if variant == "b" else size**2 / 2 * (distinct - 1) / distinct
        assert found == pytest.approx(np.clip(excess / spread, -1, 1))


def test_undefined_for_a_constant_side_and_without_cells():
    weights = np.array([[1.0, 1.0], [1.0, 0.0], [0.0, 0.0]])
    constant = Concordance("b", np.array([[1.0], [1.0]]), np.array([[1.0], [2.0]]))
    empty = Concordance("c", np.full((2, 1), NAN), np.full((2, 1), NAN))
    assert np.isnan(constant(weights)).all()
    assert np.isnan(empty(weights)).all()


N = None
NAMES = ("kendall_like", "tie_f1", "correct_rank_f1")


def counted(gold, scores, threshold=0.0, epsilon=0.0):
    """Return concordant, discordant, tied by the human alone, by the metric alone, by both, of one item."""
    counts = dict.fromkeys(("right", "wrong", "human", "metric", "both"), 0)
    for i, j in combinations(np.flatnonzero(~np.isnan(gold)), 2):
        human, metric = gold[i] - gold[j], scores[i] - scores[j]
        if abs(human) < threshold:
            continue
        if abs(metric) <= epsilon:
            counts["both" if human == 0 else "metric"] += 1
        elif human == 0:
            counts["human"] += 1
        else:
            counts["right" if (human > 0) == (metric > 0) else "wrong"] += 1
    return counts


def from_counts(name, c):
    """Return a score from counts; NaN where undefined."""
    if name == "kendall_like":
        top, bottom = 2 * c["right"] - sum(c.values()), sum(c.values())
        return top / bottom if bottom else np.nan
    hits, human, metric = (c["both"], c["human"], c["metric"])
    if name == "correct_rank_f1":
        hits, human, metric = c["right"], c["wrong"] + c["human"], c["wrong"] + c["metric"]
    if not hits + human + metric:
        return np.nan
    if not hits:
        return 0.0
    precision, recall = hits / (hits + metric), hits / (hits + human)
    return 2 * precision * recall / (precision + recall)


@pytest.mark.parametrize("name", NAMES)
def test_scores_against_loops(name, random_grids, measure):
    parameter = "threshold" if name == "kendall_like" else "epsilon"
    for grid in random_grids(items=20, systems=5, seed=4):
        for value in (0.0, 0.5, 1.0, 2.0):
            items = [counted(g, m, **{parameter: value}) for g, m in zip(grid.gold, grid.predicted, strict=True)]
            pooled = {key: sum(item[key] for item in items) for key in items[0]}
            assert measure(f"{name}({parameter}={value})", grid) == pytest.approx(from_counts(name, pooled))
            values = [from_counts(name, item) for item in items]
            macro = measure(f"{name}({parameter}={value}, average=macro)", grid)
            assert macro == pytest.approx(np.nanmean(values), nan_ok=True)


def test_a_difference_at_the_threshold_counts(measure):
    """The first pair is 25 apart and in order, the second one 24 apart and reversed."""
    gold, metric = [[0, 25], [24, 0]], [[1, 2], [1, 2]]
    assert measure("kendall_like(threshold=25)", gold, metric) == 1
    assert measure("kendall_like(threshold=24)", gold, metric) == 0
    assert np.isnan(measure("kendall_like(threshold=26)", gold, metric))


def test_ties_are_not_concordant(measure):
    assert measure("kendall_like", [[1, 1]], [[1, 1]]) == -1
    assert measure("kendall_like", [[1, 2]], [[1, 1]]) == -1
    assert np.isnan(measure("kendall_like(threshold=.5)", [[1, 1]], [[1, 1]]))


@pytest.mark.parametrize("name", NAMES)
def test_degenerate_cases(name, measure, named):
    assert np.isnan(measure(name, [], []))
    assert np.isnan(measure(name, [[1], [2]], [[1], [2]]))
    assert np.isnan(measure(name, [[1, N]], [[1, 2]]))
    parameter = "threshold" if name == "kendall_like" else "epsilon"
    for wrong in ("-1", "inf", "nan"):
        with pytest.raises(DataError):
            named(f"{name}({parameter}={wrong})")


def test_f1_without_ties_and_without_order(measure):
    assert np.isnan(measure("tie_f1", [[1, 2]], [[1, 2]]))
    assert measure("tie_f1", [[1, 1]], [[3, 3]]) == 1
    assert np.isnan(measure("correct_rank_f1", [[1, 1]], [[3, 3]]))
    assert measure("correct_rank_f1", [[1, 2]], [[3, 3]]) == 0


def test_details_count_the_cells(named):
    grid = Grid.from_plain([[1, 2, 2], [30, 2, N]], [[1, 2, 3], [1, 2, 3]])
    details = named("kendall_like(threshold=1)").details(grid)
    assert details == {"cells": [[0, 0, 1], [0, 0, 0], [0, 0, 2]], "pairs": 3, "unanswered": 0}
