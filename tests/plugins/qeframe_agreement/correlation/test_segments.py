"""Correlations of segments and of systems, and pairwise accuracy: scipy and plain loops, weights, degenerate cases."""

import numpy as np
import pytest
from scipy.stats import pearsonr, spearmanr

import qeframe
from qeframe.kinds.grid.batch import Grid
from qeframe_agreement import pairwise_accuracy, system_means, system_pearson
from qeframe_agreement.correlation.segments import moments_exchange, segment_pearson
from qeframe_significance import williams
from tests.plugins.qeframe_agreement.swapped import FIRST, SECOND, masks_along, swapped_differences

FUNCTIONS = {"pearson": pearsonr, "spearman": spearmanr}
N = None


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


@pytest.mark.parametrize("word", ["pearson", "spearman"])
def test_systems(random_grids, measure, word):
    for batch in random_grids():
        gold, predicted = (
            np.nanmean(np.where(batch.present, s, np.nan), axis=0) for s in (batch.gold, batch.predicted)
        )
        assert measure(f"system_{word}", batch) == pytest.approx(FUNCTIONS[word](gold, predicted).statistic, abs=1e-12)
        assert np.stack(system_means(batch)) == pytest.approx(np.stack([gold, predicted]))


def test_pairwise_accuracy(random_grids, measure, weigh):
    for batch in random_grids():
        for weights in (np.ones(30), np.arange(30.0)):
            gold, predicted = (
                np.nansum(np.where(batch.present, side, np.nan) * weights[:, None], axis=0)
                for side in (batch.gold, batch.predicted)
            )
            pairs = [(i, j) for i in range(6) for j in range(i)]
            right = [np.sign(gold[i] - gold[j]) == np.sign(predicted[i] - predicted[j]) for i, j in pairs]
            assert weigh("pairwise_accuracy", batch, weights) == pytest.approx(np.mean(right), abs=1e-12)
    assert pairwise_accuracy.details(batch)["pairs"] == 15


def test_equal_systems_are_level_in_spite_of_rounding(measure):
    """The means of .1, .2, .3 differ in the last digit by the order of the sum; the humans say that they tie."""
    gold = [[0.1, 0.3], [0.2, 0.2], [0.3, 0.1]]
    assert measure("pairwise_accuracy", gold, [[1, 1]] * 3) == 1.0
    assert np.isnan(measure("system_spearman", gold, [[1, 2]] * 3))


def test_a_system_without_cells_is_left_out(measure):
    gold = [[1, 2, N, 4], [2, 3, N, 1]]
    kept = [[1, 2, 4], [2, 3, 1]]
    for name in ("pairwise_accuracy", "system_pearson", "system_spearman"):
        assert measure(name, gold, [[1, 2, 9, 3]] * 2) == pytest.approx(measure(name, kept, [[1, 2, 3]] * 2), abs=1e-12)


def test_degenerate_cases(measure):
    for name in ("pairwise_accuracy", "system_pearson", "system_spearman", "segment_pearson", "segment_spearman"):
        assert np.isnan(measure(name, [[1]], [[1]])), name
        assert np.isnan(measure(name, [], [])), name
        assert np.isnan(measure(name, [[N, N]], [[1, 2]])), name
    assert np.isnan(measure("system_pearson", [1, 1], [1, 2]))
    assert measure("segment_spearman(undefined=zero)", [1, 1], [1, 2]) == 0
    assert measure("system_pearson", [1, 2], [1, 2]) == pytest.approx(1.0, abs=1e-12)


def test_williams_takes_the_systems(random_grids, registry):
    grids = random_grids(systems=9)
    found = qeframe.compare(
        system_pearson, None, dict(zip("ABC", grids, strict=True)), test="williams", registry=registry
    )
    assert all(0 <= comparison.p <= 1 for comparison in found)


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


def grids_with_gaps():
    rng = np.random.default_rng(0)
    gold = rng.normal(5, 2, (6, 5))
    gold[rng.random(gold.shape) < 0.2] = np.nan
    metrics = [
        scale * (np.nan_to_num(gold) + rng.normal(0, 1, gold.shape)) + at for scale, at in ((1, 0), (3, 9), (2, -4))
    ]
    return [Grid.from_plain(gold, each) for each in metrics]


def all_cells(grid):
    return pearsonr(grid.gold[grid.present], grid.predicted[grid.present]).statistic


@pytest.mark.parametrize("standardize", [False, True])
@pytest.mark.parametrize("axis", ["segment", "cell", "system"])
def test_every_axis_against_swapped_cells(axis, standardize):
    grids = grids_with_gaps()
    masks, spread = masks_along(axis, 6, 5)
    exchange = moments_exchange(segment_pearson().bind, grids).along(axis, standardize=standardize)
    assert exchange.cells == masks.shape[1]
    expected = swapped_differences(all_cells, grids, spread, standardize)
    assert exchange(masks, FIRST, SECOND) == pytest.approx(expected, abs=1e-10)
