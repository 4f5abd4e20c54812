"""acc_eq: the golden cases, calibration against a slow loop, under weights and on other items, WMT23."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import qeframe
from qeframe.core.components.metric import TiePolicy
from qeframe.core.errors import CapabilityError, DataError
from qeframe.kinds.grid.batch import Grid
from qeframe_agreement import acc_eq, calibrate, calibration_curve
from qeframe_agreement.accuracy.within_items import LinearExchange, linear_exchange
from qeframe_agreement.grids.pairing import item_pairs
from qeframe_agreement.tie_tables import ACC23

CASES = ["a01", "a02", "a03", "a04", "a05"]


def slow_items(batch, epsilon):
    """Return the accuracy of every item, NaN without a pair, by loops."""
    values = []
    for gold, metric in zip(batch.gold, batch.predicted, strict=True):
        right = []
        for i in range(len(gold)):
            for j in range(i):
                if not np.isnan([gold[i], gold[j], metric[i], metric[j]]).any():
                    difference = metric[i] - metric[j]
                    said = 0 if abs(difference) <= epsilon else np.sign(difference)
                    right.append(said == np.sign(gold[i] - gold[j]))
        values.append(np.mean(right) if right else np.nan)
    return np.array(values)


def slow_best(batch, weights):
    """Return the best weighted mean over all thresholds, and the smallest threshold that has it."""
    differences = {abs(a - b) for row in batch.predicted for a in row for b in row if not np.isnan(a - b)}
    found = []
    for epsilon in sorted({0.0, *differences}):
        values = slow_items(batch, epsilon)
        there = ~np.isnan(values) & (weights > 0)
        found.append((np.average(values[there], weights=weights[there]) if there.any() else np.nan, epsilon))
    best = max(value for value, _ in found)
    return best, next((epsilon for value, epsilon in found if value >= best - 1e-12), np.nan)


def test_every_case_is_here(golden):
    assert sum(case["function"] == "acc_eq_calibrated" for case in golden) == len(CASES)


@pytest.mark.parametrize("number", CASES)
def test_golden(golden, measure, number):
    (case,) = (c for c in golden if c["function"] == "acc_eq_calibrated" and c["id"].startswith(number))
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
        best, _ = slow_best(batch, weights)
        assert float(statistic(weights)) == pytest.approx(best, abs=1e-12, nan_ok=True)
    best, epsilon = slow_best(batch, np.ones(len(rows)))
    assert calibrate(batch, ACC23) == pytest.approx((np.nan if np.isnan(best) else epsilon, best), nan_ok=True)


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
            total += np.nansum(slow_items(half, slow_best(other, np.ones(len(other)))[1]))
        expected = total / (~np.isnan(batch.gold).any(axis=1)).sum()
        assert measure("acc_eq(epsilon=crossed)", batch) == pytest.approx(expected, abs=1e-12)
        assert measure("acc_eq(epsilon=crossed)", batch) <= measure("acc_eq", batch) + 1e-12
        epsilons = acc_eq(epsilon="crossed").details(batch)["epsilon"]
        assert epsilons == [calibrate(even, ACC23)[0], calibrate(odd, ACC23)[0]]


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


def read_scores(path, systems):
    """Read an mt-metrics-eval file as items x systems."""
    columns = {name: [] for name in systems}
    for line in path.read_text(encoding="utf-8").splitlines():
        name, value = line.split()
        if name in columns:
            columns[name].append(np.nan if value == "None" else float(value))
    return np.array([columns[name] for name in systems]).T


WMT23 = {
    "XCOMET-Ensemble-refA": 0.604,
    "MetricX-23-refA": 0.603,
    "COMET-refA": 0.574,
    "GEMBA-MQM-src": 0.572,
    "BLEU-refA": 0.520,
    "chrF-refA": 0.519,
}


def test_wmt23_en_de(shared_data, registry):
    """The values of all systems but the reference, calibrated on all pairs, grouped by item."""
    folder = shared_data("wmt23-metrics")
    gold_path = folder / "human-scores" / "en-de.mqm.seg.score"
    names = {line.split()[0] for line in gold_path.read_text(encoding="utf-8").splitlines()}
    systems = sorted(names - {"refA", "synthetic_ref"})
    gold = read_scores(gold_path, systems)
    assert (gold.shape, int((~np.isnan(gold)).all(axis=1).sum())) == ((557, 12), 460)
    for name, value in WMT23.items():
        metric = read_scores(folder / "metric-scores" / "en-de" / f"{name}.seg.score", systems)
        assert round(qeframe.score("acc_eq", gold, metric, registry=registry), 3) == value, name


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


FIRST, SECOND = np.array([0, 2, 1]), np.array([1, 0, 2])
TENTHS = TiePolicy(name="tenths", summary="", table=((1.0, 0.1, 0.0), (0.0, 1.0, 0.0), (0.0, 0.1, 1.0)))


def score(grid, ties, epsilon):
    pairs = item_pairs(grid, ties)
    return pairs.values(grid.predicted, epsilon).sum() / pairs.defined.sum()


def slow_differences(grids, ties, epsilon, masks):
    """Swap the cells of each mask and score both grids again; all metrics have one threshold."""
    rows = []
    for mask in masks:
        swapped = [grids[a].swap_answers(grids[b], mask) for a, b in zip(FIRST, SECOND, strict=True)]
        rows.append([score(one, ties, epsilon) - score(other, ties, epsilon) for one, other in swapped])
    return np.array(rows)


@pytest.mark.parametrize("ties", [ACC23, TENTHS], ids=str)
@pytest.mark.parametrize("epsilon", [0.0, 0.7])
def test_cells_and_systems_with_one_threshold(random_grids, ties, epsilon):
    """Items without some systems have fewer pairs: the weights of pairs differ."""
    grids = random_grids(items=6, systems=4, seed=2)
    gold = grids[0].gold.copy()
    gold[1, 0] = gold[3, [1, 2]] = np.nan
    grids = [Grid.from_plain(gold, np.where(np.isnan(gold), np.nan, each.predicted)) for each in grids]
    drawn = np.random.default_rng(0).integers(0, 2, (15, 6, 4)).astype(bool)
    by_cell = linear_exchange(grids, ties, [epsilon] * 3, "cell", False)
    assert isinstance(by_cell, LinearExchange)
    assert by_cell.cells == 24
    found = by_cell(drawn.reshape(15, -1).astype(np.uint8), FIRST, SECOND)
    assert found == pytest.approx(slow_differences(grids, ties, epsilon, drawn), abs=1e-12)
    systems = drawn[:, 0]
    by_system = linear_exchange(grids, ties, [epsilon] * 3, "system", False)
    assert by_system.cells == 4
    whole = np.repeat(systems[:, None], 6, axis=1)
    found = by_system(systems.astype(np.uint8), FIRST, SECOND)
    assert found == pytest.approx(slow_differences(grids, ties, epsilon, whole), abs=1e-12)


def test_segments(random_grids):
    grids = random_grids(items=6, systems=4, seed=3)
    items = np.random.default_rng(1).integers(0, 2, (10, 6)).astype(bool)
    found = linear_exchange(grids, ACC23, [0.5] * 3, "segment", False)(items.astype(np.uint8), FIRST, SECOND)
    assert found == pytest.approx(slow_differences(grids, ACC23, 0.5, items), abs=1e-12)


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
