"""Tau-b and tau-c: golden cases, scipy on all groupings, weights against repetition, long sequences."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import kendalltau

from qeframe.kinds.grid.batch import Grid
from qeframe_agreement.kendall_tau.tau_b_and_c import tau_b, tau_c
from tests.examples import FEWER

MADE = {"b": tau_b, "c": tau_c}
N = None


def scipy_tau(x, y, variant):
    there = ~(np.isnan(x) | np.isnan(y))
    return kendalltau(x[there], y[there], variant=variant).statistic if there.sum() > 1 else np.nan


def by_groups(batch, variant, grouping):
    x, y = batch.gold, batch.predicted
    if grouping == "none":
        return np.array([scipy_tau(x.ravel(), y.ravel(), variant)])
    sides = (x, y) if grouping == "item" else (x.T, y.T)
    return np.array([scipy_tau(a, b, variant) for a, b in zip(*sides, strict=True)])


def test_golden(cases_of, measure):
    for case in cases_of("tau_b"):
        tau = measure("tau_b", case["input"]["x"], case["input"]["y"])
        assert tau == pytest.approx(float(case["expected"]["value"]), abs=1e-12, nan_ok=True), case["id"]


cell = st.one_of(st.integers(0, 3).map(float), st.none())
grids = st.integers(1, 5).flatmap(
    lambda k: st.lists(st.tuples(*[cell] * k, *[cell] * k), min_size=1, max_size=6).map(
        lambda rows: Grid.from_plain([row[:k] for row in rows], [row[k:] for row in rows])
    )
)


@pytest.mark.parametrize("variant", ["b", "c"])
@pytest.mark.parametrize("grouping", ["none", "item", "system"])
@FEWER
@given(batch=grids)
def test_scipy(variant, grouping, batch):
    taus = by_groups(batch, variant, grouping)
    metric = MADE[variant](grouping=grouping)
    expected = np.nan if np.isnan(taus).all() else np.nanmean(taus)
    ones = np.ones(len(batch))
    assert float(metric.bind(batch)(ones)) == pytest.approx(expected, abs=1e-12, nan_ok=True)
    cells = batch.present.sum(axis={"none": None, "item": 1, "system": 0}[grouping]).reshape(-1)
    zeroed = np.nan_to_num(taus)[cells > 1]
    expected = zeroed.mean() if len(zeroed) else np.nan
    filled = MADE[variant](grouping=grouping, undefined="zero").bind(batch)
    assert float(filled(ones)) == pytest.approx(expected, abs=1e-12, nan_ok=True)
    strict = MADE[variant](grouping=grouping, undefined="propagate").bind(batch)
    expected = taus[cells > 0].mean() if (cells > 0).any() else np.nan
    assert float(strict(ones)) == pytest.approx(expected, abs=1e-12, nan_ok=True)


def test_long_sequences_are_counted_by_merging():
    rng = np.random.default_rng(5)
    x, y = rng.integers(0, 500, 20_001).astype(float), rng.normal(size=20_001)
    batch = Grid.from_plain(x, y + x / 300)
    assert float(tau_b().bind(batch)(np.ones(1))) == pytest.approx(kendalltau(x, y + x / 300).statistic, abs=1e-12)


def test_many_items_are_worked_through_in_blocks(monkeypatch, random_grids):
    (batch,) = random_grids(metrics=1, items=40)
    weights = np.random.default_rng(1).integers(0, 3, (4, 40)).astype(np.float64)
    whole = tau_b().bind(batch)(weights)
    monkeypatch.setattr("qeframe.core.draws.MOST_CELLS", 10000)
    monkeypatch.setattr("qeframe_agreement.kendall_tau.concordance._MOST_KEPT", 10)
    assert tau_b().bind(batch)(weights) == pytest.approx(whole, abs=1e-14)


def test_degenerate_cases(measure):
    assert np.isnan(measure("tau_b", [1], [1]))
    assert np.isnan(measure("tau_b", [], []))
    assert np.isnan(measure("tau_b(grouping=system)", [], []))
    assert np.isnan(measure("tau_c", [1, 1], [1, 2]))
    assert measure("tau_c(undefined=zero)", [1, 1], [1, 2]) == 0
    assert np.isnan(measure("tau_b(undefined=zero)", [[N, N]], [[1, 2]]))
