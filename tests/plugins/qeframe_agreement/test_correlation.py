"""Correlations without their sign."""

from itertools import permutations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import array_shapes, arrays
from scipy.stats import pearsonr, spearmanr

import qeframe
from qeframe.core.metric import Metric
from qeframe.kinds.grid.batch import Grid
from qeframe_agreement.correlation.differences import pairwise_difference_pearson
from qeframe_agreement.correlation.segments import _Linear
from qeframe_significance import williams

NAMES = ["system_pearson", "segment_pearson"]
RNG = np.random.default_rng(3)
GOLD = RNG.normal(size=(8, 6))
CLOSE = GOLD + RNG.normal(size=GOLD.shape)
SUBMISSIONS = {"with": CLOSE, "against": -CLOSE + 0.2 * RNG.normal(size=GOLD.shape), "noise": RNG.normal(size=(8, 6))}


@pytest.mark.parametrize("name", NAMES)
def test_the_sign_does_not_count(name, registry):
    for predicted in SUBMISSIONS.values():
        batch = Grid.from_plain(GOLD, predicted)
        signed, absolute = (registry.get(Metric, found) for found in (name, f"{name}_absolute"))
        weights = RNG.integers(0, 3, size=(20, 8)).astype(np.float64)
        np.testing.assert_array_equal(absolute.bind(batch)(weights), np.abs(signed.bind(batch)(weights)))
        gold, answers = absolute.vectors(batch)
        assert np.corrcoef(gold, answers)[0, 1] == pytest.approx(absolute.bind(batch)(np.ones(8)))


@pytest.mark.parametrize("name", NAMES)
def test_against_the_humans_is_as_good_as_with_them(name):
    score = qeframe.score(f"{name}_absolute", GOLD, -CLOSE)
    assert score == pytest.approx(qeframe.score(f"{name}_absolute", GOLD, CLOSE)) == qeframe.score(name, GOLD, CLOSE)
    assert np.isnan(qeframe.score(f"{name}_absolute", GOLD, np.zeros_like(GOLD)))


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("test", ["bootstrap(draws=50)", "randomization(draws=50)", "williams"])
def test_it_can_be_compared(name, test):
    pairs = qeframe.compare(f"{name}_absolute", GOLD, SUBMISSIONS, test=test)
    values = {s: qeframe.score(f"{name}_absolute", GOLD, p) for s, p in SUBMISSIONS.items()}
    for pair in pairs:
        assert pair.difference == pytest.approx(values[pair.a] - values[pair.b])
        assert 0 < pair.p <= 1


N = None


def by_loops(grid):
    """Return Pearson's correlation of the differences of all ordered pairs of systems within items."""
    human, metric = [], []
    for gold, scores, there in zip(grid.gold, grid.predicted, grid.present, strict=True):
        for i, j in permutations(np.flatnonzero(there), 2):
            human.append(gold[i] - gold[j])
            metric.append(scores[i] - scores[j])
    if not np.any(human) or not np.any(metric):
        return np.nan
    return np.corrcoef(human, metric)[0, 1]


def score(grid, weights=None):
    ones = np.ones(len(grid)) if weights is None else weights
    return float(pairwise_difference_pearson.bind(grid)(ones))


def test_the_checked_value(measure):
    human = [[0, -1, -5], [-1, -1, -6], [-25, 0, 0]]
    metric = [[0.9, 0.8, 0.4], [0.7, 0.75, 0.3], [0.2, 0.9, 0.95]]
    assert measure("pairwise_difference_pearson", human, metric) == pytest.approx(0.8995439, abs=5e-8)
    assert measure("segment_pearson", human, metric) == pytest.approx(0.7974800, abs=5e-8)


def test_against_loops_and_repeated_items(random_grids):
    for grid in random_grids(items=20, systems=5):
        holes = np.random.default_rng(1).random(grid.gold.shape) < 0.1
        grid = Grid.from_plain(np.where(holes, np.nan, grid.gold), grid.predicted)
        assert score(grid) == pytest.approx(by_loops(grid), abs=1e-12)
        weights = np.random.default_rng(2).integers(0, 3, 20)
        repeated = grid.take(np.repeat(np.arange(20), weights))
        assert score(grid, weights.astype(float)) == pytest.approx(by_loops(repeated), abs=1e-12)


def test_a_number_added_to_an_item_changes_nothing(random_grids):
    (grid,) = random_grids(metrics=1)
    moved = Grid.from_plain(grid.gold + 1e3 * np.arange(30)[:, None], grid.predicted - 7.0 * np.arange(30)[:, None])
    assert score(moved) == pytest.approx(score(grid), abs=1e-9)


def test_degenerate_cases(measure):
    name = "pairwise_difference_pearson"
    assert np.isnan(measure(name, [], []))
    assert np.isnan(measure(name, [[1], [2]], [[1], [2]]))
    assert np.isnan(measure(name, [[1, 1], [2, 2]], [[1, 2], [3, 4]]))
    assert np.isnan(measure(name, [[1, 2], [2, 3]], [[0.1, 0.1], [0.7, 0.7]]))
    assert np.isnan(measure(name, [[1, N], [N, 3]], [[1, 2], [3, 4]]))
    assert measure(name, [[1, 2], [5, 3]], [[1, 2], [5, 3]]) == pytest.approx(1)
    assert measure(name, [[1, 2], [5, 3]], [[2, 1], [3, 5]]) == pytest.approx(-1)


FUNCTIONS = {"pearson": pearsonr, "spearman": spearmanr}


def expected(batch, word, grouping):
    there = batch.present
    groups = {"none": [there], "item": [], "system": []}
    for axis, word_of in ((0, "item"), (1, "system")):
        for k in range(there.shape[axis]):
            only = np.zeros_like(there)
            only[(k, slice(None)) if axis == 0 else (slice(None), k)] = True
            groups[word_of].append(there & only)
    scores = []
    for cells in groups[grouping]:
        x, y = batch.gold[cells], batch.predicted[cells]
        if len(x) > 1 and len(set(x)) > 1 and len(set(y)) > 1:
            scores.append(FUNCTIONS[word](x, y).statistic)
    return np.mean(scores)


@pytest.mark.parametrize("word", ["pearson", "spearman"])
@pytest.mark.parametrize("grouping", ["none", "item", "system"])
def test_segments(random_grids, measure, weigh, word, grouping):
    name = f"segment_{word}(grouping={grouping})"
    for batch in random_grids(items=15):
        assert measure(name, batch) == pytest.approx(expected(batch, word, grouping), abs=1e-12)
        weights = np.random.default_rng(2).integers(0, 3, 15)
        again = batch.take(np.repeat(np.arange(15), weights))
        assert weigh(name, batch, weights) == pytest.approx(expected(again, word, grouping), abs=1e-12)


def test_an_offset_costs_no_digits(random_grids, measure):
    (batch,) = random_grids(metrics=1)
    far = Grid.from_plain(batch.gold + 1e6, batch.predicted - 1e6)
    for name in ("segment_pearson", "segment_pearson(grouping=item)", "system_pearson"):
        assert measure(name, far) == pytest.approx(measure(name, batch), abs=1e-8)


def test_a_system_without_cells_is_left_out(measure):
    gold = [[1, 2, N, 4], [2, 3, N, 1]]
    kept = [[1, 2, 4], [2, 3, 1]]
    for name in ("pairwise_accuracy", "system_pearson", "system_spearman"):
        assert measure(name, gold, [[1, 2, 9, 3]] * 2) == pytest.approx(measure(name, kept, [[1, 2, 3]] * 2), abs=1e-12)


def test_segments_degenerate_cases(measure):
    for name in ("pairwise_accuracy", "system_pearson", "system_spearman", "segment_pearson", "segment_spearman"):
        assert np.isnan(measure(name, [[1]], [[1]])), name
        assert np.isnan(measure(name, [], [])), name
        assert np.isnan(measure(name, [[N, N]], [[1, 2]])), name
    assert np.isnan(measure("system_pearson", [1, 1], [1, 2]))
    assert measure("segment_spearman(undefined=zero)", [1, 1], [1, 2]) == 0
    assert measure("system_pearson", [1, 2], [1, 2]) == pytest.approx(1.0, abs=1e-12)


@pytest.mark.parametrize("name", ["segment_pearson", "segment_spearman", "system_pearson", "system_spearman"])
def test_correlations_can_be_compared_by_williams(registry, named, random_grids, name):
    grids = dict(zip("ABC", random_grids(items=20), strict=True))
    found = qeframe.compare(named(name), None, grids, test="williams", sided="one", registry=registry)
    vectors = {each: named(name).vectors(grid) for each, grid in grids.items()}
    for pair in found:
        (gold, a), (_, b) = vectors[pair.a], vectors[pair.b]
        r = np.corrcoef([gold, a, b])
        assert pair.p == pytest.approx(williams(r[0, 1], r[0, 2], r[1, 2], len(gold)).p_one, abs=1e-12)


def test_groups_are_no_vectors(named):
    for name in ("segment_pearson(grouping=item)", "segment_spearman(undefined=zero)"):
        assert named(name).vectors is None


@given(arrays(float, array_shapes(min_dims=2, max_dims=2, max_side=5), elements=st.floats(-9, 9)), st.data())
def test_sums_of_cells_have_the_bits_of_sums_in_turn(x, data):
    missing = data.draw(arrays(bool, x.shape))
    x, y = (np.where(missing, np.nan, side) for side in (x, x[::-1] - 1))
    slow = np.zeros((len(x), 6))
    middle_x, middle_y = ((np.nanmin(side) + np.nanmax(side)) / 2 if not missing.all() else 0.0 for side in (x, y))
    for item, column in np.argwhere(~missing):
        a, b = x[item, column] - middle_x, y[item, column] - middle_y
        slow[item] += [1, a, b, a * a, b * b, a * b]
    assert _Linear(x, y)._moments.tobytes() == slow.tobytes()
