"""Tie calibration against a search over all thresholds, one after the other."""

from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import qeframe
from qeframe.core.errors import CapabilityError, DataError
from qeframe.core.metric import TiePolicy
from qeframe.kinds.grid.batch import Grid
from qeframe_agreement import acc_eq, count_outcomes
from qeframe_agreement.accuracy.tie_calibration import (
    best_threshold,
    calibrate,
    calibration_curve,
    find_changes,
    first_best,
)
from qeframe_agreement.accuracy.within_items import linear_exchange
from qeframe_agreement.grids import ACC23, item_pairs

NAN = np.nan


def slow_items(grid, epsilon):
    """Return the accuracy of every item, NaN without a pair."""
    values = []
    for x, y, there in zip(grid.gold, grid.predicted, grid.present, strict=True):
        right = [
            np.sign(x[i] - x[j]) == (0 if abs(y[i] - y[j]) <= epsilon else np.sign(y[i] - y[j]))
            for i, j in combinations(np.flatnonzero(there), 2)
        ]
        values.append(np.mean(right) if right else NAN)
    return np.array(values)


def thresholds_of(grid):
    differences = {0.0}
    for y, there in zip(grid.predicted, grid.present, strict=True):
        differences |= {abs(y[i] - y[j]) for i, j in combinations(np.flatnonzero(there), 2)}
    return sorted(differences)


def slow_best(grid, weights):
    """Return the smallest of the best thresholds, and the weighted mean over items at it; NaN without a pair."""
    means = []
    for epsilon in thresholds_of(grid):
        values = slow_items(grid, epsilon)
        counted = ~np.isnan(values) & (weights > 0)
        means.append(np.average(values[counted], weights=weights[counted]) if counted.any() else NAN)
    best = int(np.argmax(np.array(means) >= max(means) - 1e-12))
    return (NAN if np.isnan(means[best]) else thresholds_of(grid)[best]), means[best]


@pytest.mark.parametrize("seed", range(3))
def test_the_threshold_is_chosen_again_under_weights(random_grids, seed):
    (grid,) = random_grids(metrics=1, items=8, systems=4, seed=seed)
    weights = np.random.default_rng(seed).integers(0, 3, (6, 8)).astype(float)
    weights[0] = 1
    expected = [slow_best(grid, row)[1] for row in weights]
    statistic = acc_eq().bind(grid)
    assert statistic(weights) == pytest.approx(expected, abs=1e-12, nan_ok=True)
    assert [float(statistic(row)) for row in weights] == pytest.approx(expected, abs=1e-12, nan_ok=True)


def test_the_curve_has_every_difference(random_grids):
    (grid,) = random_grids(metrics=1, items=7, systems=4, seed=5)
    thresholds, scores = calibration_curve(grid, ACC23)
    assert thresholds == pytest.approx(thresholds_of(grid))
    for epsilon, score in zip(thresholds, scores, strict=True):
        assert score == pytest.approx(np.nanmean(slow_items(grid, epsilon)))


def test_changes_keep_the_thresholds_at_which_something_is_gained(random_grids):
    (grid,) = random_grids(metrics=1, items=7, systems=4, seed=6)
    changes = find_changes(item_pairs(grid, ACC23), grid.predicted)
    assert set(changes.thresholds) <= set(thresholds_of(grid))
    assert (np.diff(changes.thresholds) > 0).all()
    one, two = np.ones((7, 1)), np.ones((7, 2))
    assert changes.curves(one)[:, 0] == pytest.approx(changes.curves(two)[:, 1])
    assert changes.curves(one)[:, 0] == pytest.approx([np.nansum(slow_items(grid, e)) for e in changes.thresholds])


def test_without_a_pair_there_is_no_threshold():
    grid = Grid.from_plain([[1, NAN], [NAN, 2]], [[1, 2], [3, 4]])
    assert np.isnan(calibrate(grid, ACC23)).all()
    assert [side.size for side in calibration_curve(grid, ACC23)] == [0, 0]
    assert np.isnan(acc_eq().bind(grid)(np.ones(2)))


@pytest.mark.parametrize("scale", [1.0, 1e-6, 1e6])
@pytest.mark.parametrize("seed", range(3))
def test_real_numbers_in_many_bins(seed, scale):
    """An outlier puts all the other differences into few bins."""
    rng = np.random.default_rng(seed)
    gold = rng.integers(0, 3, (24, 5)).astype(float)
    predicted = scale * (gold + rng.normal(0, 0.7, gold.shape))
    predicted[0, 0] += 1000 * scale * (seed == 1)
    grid = Grid.from_plain(gold, predicted)
    assert calibrate(grid, ACC23) == pytest.approx(slow_best(grid, np.ones(24)), abs=1e-12)


def test_nothing_is_gained_by_ties_without_human_ties():
    grid = Grid.from_plain([[1, 2, 3]], [[1.0, 2.0, 3.0]])
    assert best_threshold(item_pairs(grid, ACC23), grid.predicted) == (0.0, 1.0)


def test_the_first_of_equally_good_thresholds():
    curves = np.array([[0.1, 3.0], [0.3, 3.0 - 1e-15], [0.1 + 0.2, 1.0]])
    assert first_best(curves).tolist() == [1, 0]


def test_counts(random_grids):
    grids = random_grids(items=12)
    for epsilon in (0.0, 0.7, [0.0, 0.3, 1.0]):
        counts = count_outcomes(grids, epsilon=epsilon)
        each = np.broadcast_to(epsilon, 3)
        rows = [acc_eq(epsilon=float(e)).bind(grid)(np.ones(12)) for e, grid in zip(each, grids, strict=True)]
        pairs = (~np.isnan(grids[0].gold).any(axis=1)).sum() * 15
        assert (counts - counts.T) / pairs == pytest.approx(np.subtract.outer(rows, rows), abs=1e-12)
        assert (np.diag(counts) == 0).all()
    calibrated = count_outcomes(grids)
    best = [float(acc_eq().bind(grid)(np.ones(12))) for grid in grids]
    assert (calibrated - calibrated.T) / pairs == pytest.approx(np.subtract.outer(best, best), abs=1e-12)


def test_metrics_on_another_gold(random_grids):
    first, second, _ = random_grids()
    with pytest.raises(DataError, match="metric 1 is on another gold"):
        count_outcomes([first, Grid.from_plain(second.gold + 1, second.predicted)])


CASES = ["a01", "a02", "a03", "a04", "a05"]


@pytest.mark.parametrize("number", CASES)
def test_golden(cases_of, measure, number):
    assert len(cases_of("acc_eq_calibrated")) == len(CASES)
    (case,) = (case for case in cases_of("acc_eq_calibrated") if case["id"].startswith(number))
    gold, metric, expected = case["input"]["gold_rows"], case["input"]["metric_rows"], case["expected"]["value"]
    assert measure("acc_eq", gold, metric) == pytest.approx(float(expected["acc"]), abs=1e-12, nan_ok=True)
    batch = Grid.from_plain(gold, metric)
    epsilon, accuracy = calibrate(batch, ACC23)
    assert epsilon == pytest.approx(float(expected["epsilon"]), abs=0, nan_ok=True)
    assert accuracy == pytest.approx(float(expected["acc"]), abs=1e-12, nan_ok=True)
    curve = np.array(expected["curve"]).reshape(-1, 2)
    assert np.stack(calibration_curve(batch, ACC23), axis=1) == pytest.approx(curve, abs=1e-12)
    details = acc_eq().details(batch)
    assert details["epsilon"] == pytest.approx(epsilon, nan_ok=True)


cell = st.one_of(st.integers(0, 4).map(lambda n: n / 10), st.none())


@given(st.integers(1, 4).flatmap(lambda k: st.lists(st.tuples(*[cell] * k, *[cell] * k), min_size=1, max_size=6)))
def test_calibration_is_that_of_the_slow_loop(rows):
    """Under weights too; candidates are the data's own differences, so that |.3 - .1| is passed exactly."""
    half = len(rows[0]) // 2
    batch = Grid.from_plain([row[:half] for row in rows], [row[half:] for row in rows])
    statistic = acc_eq().bind(batch)
    for weights in (np.ones(len(rows)), np.arange(len(rows), dtype=np.float64), np.zeros(len(rows))):
        assert float(statistic(weights)) == pytest.approx(slow_best(batch, weights)[1], abs=1e-12, nan_ok=True)
    assert calibrate(batch, ACC23) == pytest.approx(slow_best(batch, np.ones(len(rows))), nan_ok=True)


@pytest.mark.parametrize("epsilon", [0, 0.3, 2])
def test_fixed_thresholds(random_grids, measure, epsilon):
    for batch in random_grids():
        expected = np.nanmean(slow_items(batch, epsilon)[~np.isnan(batch.gold).any(axis=1)])
        assert measure(f"acc_eq(epsilon={epsilon})", batch) == pytest.approx(expected, abs=1e-12)
        assert measure(f"acc_eq(ties=tau23, epsilon={epsilon})", batch) == pytest.approx(2 * expected - 1, abs=1e-12)


def test_calibrated_on_the_other_half(random_grids, measure):
    for batch in random_grids():
        even, odd = (batch.take(np.flatnonzero(batch.ids % 2 == parity)) for parity in (0, 1))
        total = 0.0
        for half, other in ((even, odd), (odd, even)):
            total += np.nansum(slow_items(half, slow_best(other, np.ones(len(other)))[0]))
        expected = total / (~np.isnan(batch.gold).any(axis=1)).sum()
        assert measure("acc_eq(epsilon=crossed)", batch) == pytest.approx(expected, abs=1e-12)
        assert measure("acc_eq(epsilon=crossed)", batch) <= measure("acc_eq", batch) + 1e-12
        epsilons = acc_eq(epsilon="crossed").details(batch)["epsilon"]
        assert epsilons == [calibrate(even, ACC23)[0], calibrate(odd, ACC23)[0]]
        alone = acc_eq(epsilon="crossed").bind(batch)(batch.ids % 2 + 0.0)
        assert np.isnan(alone), "a half without items has no threshold"


def test_degenerate_cases(measure):
    assert np.isnan(measure("acc_eq", [[1], [2]], [[1], [2]]))
    assert np.isnan(measure("acc_eq(epsilon=0)", [[None, 1]], [[1, 2]]))
    assert np.isnan(measure("acc_eq(epsilon=crossed)", [[1, 2]], [[1, 2]]))
    assert np.isnan(measure("acc_eq", [], []))
    assert measure("acc_eq", [2, 2], [1, 5]) == 1.0
    assert np.isnan(measure("acc_eq(ties=wmt14)", [[2, 2]], [[1, 5]]))


def test_what_cannot_be(measure):
    with pytest.raises(DataError, match="excludes pairs by the metric's relation"):
        measure("acc_eq(ties=wmt13)", [[1, 2]], [[1, 2]])
    with pytest.raises(DataError, match="at least 0"):
        measure("acc_eq(epsilon=-1)", [[1, 2]], [[1, 2]])
    with pytest.raises(CapabilityError, match="without a pair"):
        acc_eq().per_unit(Grid.from_plain([[1, 2], [None, 1]], [[1, 2], [1, 2]]))


WMT23 = {
    "XCOMET-Ensemble-refA": 0.604,
    "MetricX-23-refA": 0.603,
    "COMET-refA": 0.574,
    "GEMBA-MQM-src": 0.572,
    "BLEU-refA": 0.520,
    "chrF-refA": 0.519,
}


def test_wmt23_en_de(scores_by_system, measure):
    """The values of all systems but the reference, calibrated on all pairs, grouped by item."""
    human = scores_by_system("wmt23-metrics/human-scores/en-de.mqm.seg.score")
    systems = sorted(human.keys() - {"refA", "synthetic_ref"})
    gold = np.array([human[name] for name in systems]).T
    assert (gold.shape, int((~np.isnan(gold)).all(axis=1).sum())) == ((557, 12), 460)
    for name, value in WMT23.items():
        scores = scores_by_system(f"wmt23-metrics/metric-scores/en-de/{name}.seg.score")
        assert round(measure("acc_eq", gold, np.array([scores[system] for system in systems]).T), 3) == value, name


@given(st.integers(0, 2**32 - 1), st.sampled_from(["acc23", "tau23", "wmt14"]))
def test_bins_lose_no_threshold(seed, ties):
    """The quick way on whole items finds what the whole curve has: the first of equally good thresholds."""
    rng = np.random.default_rng(seed)
    items, systems = rng.integers(1, 40), rng.integers(2, 7)
    gold = np.where(rng.random((items, systems)) < 0.1, np.nan, rng.integers(0, 4, (items, systems)))
    metric = np.round(np.nan_to_num(gold) + rng.standard_cauchy((items, systems)), rng.integers(0, 4))
    batch, policy = Grid.from_plain(gold, metric), qeframe.load().get(TiePolicy, ties)
    thresholds, scores = calibration_curve(batch, policy)
    threshold, score = calibrate(batch, policy)
    if not len(scores):
        assert np.isnan([threshold, score]).all()
        return
    assert score == pytest.approx(scores.max(), abs=1e-12)
    assert threshold == thresholds[np.argmax(scores >= scores.max() - 1e-12)]
    assert float(acc_eq(ties=policy).bind(batch)(np.ones(items))) == score


def test_few_pairs_are_chosen_from_many(random_grids):
    """One pair of five submissions: the effects of that pair alone are multiplied, with the same numbers."""
    grids = random_grids(metrics=5, items=5, systems=3, seed=4)
    exchange = linear_exchange(grids, ACC23, [0.2] * 5, "cell", False)
    masks = np.random.default_rng(2).integers(0, 2, (8, 15)).astype(np.uint8)
    first, second = np.triu_indices(5, 1)
    whole = exchange(masks, first, second)
    for position, (a, b) in enumerate(zip(first, second, strict=True)):
        assert (exchange(masks, np.array([a]), np.array([b]))[:, 0] == whole[:, position]).all()
        assert (exchange(masks, np.array([b]), np.array([a]))[:, 0] == -whole[:, position]).all()


@pytest.mark.parametrize("axis", ["cell", "system", "pair"])
def test_different_cells_are_refused(axis):
    grids = [Grid.from_plain([[1, 2], [2, 1]], cells) for cells in ([[1, 2], [1, 2]], [[1, 2], [1, np.nan]])]
    with pytest.raises(CapabilityError, match=f"cannot exchange by {axis}: exchange whole segments"):
        linear_exchange(grids, ACC23, [0.0, 0.0], axis, False)
    assert linear_exchange(grids, ACC23, [0.0, 0.0], "segment", False).cells == 2
