"""Exchanges of all pairs of submissions at once are those that are computed again."""

import attrs
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from qeframe.kinds.grid.batch import Grid
from qeframe_agreement import segment_pearson
from qeframe_agreement.exchanges.axes import make_stacked
from qeframe_agreement.exchanges.mixtures import MeansExchange, PearsonExchange
from qeframe_agreement.systems import means
from tests.examples import FEWER

METRICS = {"pairwise_accuracy": means._agreement, "system_pearson": means.correlation}


def grids(seed, segments, systems, submissions, *, missing=0.0, digits=1):
    rng = np.random.default_rng(seed)
    gold = np.round(rng.normal(size=(segments, systems)), digits)
    gold[rng.random(gold.shape) < missing] = np.nan
    ids = np.arange(segments)
    return [
        Grid(ids=ids, gold=gold, predicted=np.round(rng.normal(size=gold.shape) * (1 + nth), digits) + nth)
        for nth in range(submissions)
    ]


@pytest.mark.parametrize("standardize", [False, True])
@pytest.mark.parametrize("axis", ["segment", "cell", "system"])
@pytest.mark.parametrize("name", METRICS)
@FEWER
@given(seed=st.integers(0, 10_000), missing=st.sampled_from([0.0, 0.3]), digits=st.integers(0, 3))
def test_all_pairs_at_once_equal_pair_after_pair(name, axis, standardize, seed, missing, digits):
    batches = grids(seed, 5, 4, 3, missing=missing, digits=digits)
    metric = getattr(means, name)
    fast = metric.exchange(batches).along(axis, standardize=standardize)
    slow = make_stacked(batches, metric.bind, axis, standardize)
    assert isinstance(fast, MeansExchange)
    assert fast.cells == slow.cells
    masks = np.random.default_rng(seed).integers(0, 2, size=(16, fast.cells)).astype(np.uint8)
    masks[0], masks[1] = 0, 1
    first, second = np.triu_indices(3, 1)
    expected = slow(masks, first, second)
    assert fast(masks, first, second) == pytest.approx(expected, abs=1e-9, nan_ok=True)
    assert fast(masks, second, first) == pytest.approx(-expected, abs=1e-9, nan_ok=True)


def test_constants_are_undefined_also_after_exchanges():
    batches = [attrs.evolve(each, predicted=np.full(each.gold.shape, 7.1)) for each in grids(1, 5, 4, 2)]
    exchange = means.system_pearson.exchange(batches).along("cell")
    masks = np.random.default_rng(0).integers(0, 2, size=(8, exchange.cells)).astype(np.uint8)
    assert np.isnan(exchange(masks, np.array([0]), np.array([1]))).all()


def test_submissions_that_lack_different_cells_are_exchanged_pair_after_pair():
    batches = grids(1, 5, 4, 2)
    predicted = batches[0].predicted.copy()
    predicted[0, 0] = np.nan
    batches[0] = attrs.evolve(batches[0], predicted=predicted)
    assert not isinstance(means.system_pearson.exchange(batches).along("cell"), MeansExchange)


METRIC = segment_pearson()


@pytest.mark.parametrize("standardize", [False, True])
@pytest.mark.parametrize("axis", ["cell", "system"])
@FEWER
@given(seed=st.integers(0, 10_000), missing=st.sampled_from([0.0, 0.3]))
def test_all_pairs_at_once_equal_scores_computed_again(axis, standardize, seed, missing):
    batches = grids(seed, 5, 4, 3, missing=missing)
    fast = METRIC.exchange(batches).along(axis, standardize=standardize)
    slow = make_stacked(batches, METRIC.bind, axis, standardize)
    assert isinstance(fast, PearsonExchange)
    assert fast.cells == slow.cells
    masks = np.random.default_rng(seed).integers(0, 2, size=(8, fast.cells)).astype(np.uint8)
    first, second = np.triu_indices(3, 1)
    assert fast(masks, first, second) == pytest.approx(slow(masks, first, second), abs=1e-9, nan_ok=True)


def test_a_constant_side_is_undefined():
    batches = grids(2, 5, 4, 2)
    masks = np.random.default_rng(0).integers(0, 2, size=(8, 20)).astype(np.uint8)
    pair = np.array([0]), np.array([1])
    flat = [attrs.evolve(each, predicted=np.full(each.gold.shape, 3.3)) for each in batches]
    assert np.isnan(METRIC.exchange(flat).along("cell")(masks, *pair)).all()
    gold = [attrs.evolve(each, gold=np.full(each.gold.shape, 3.3)) for each in batches]
    assert np.isnan(METRIC.exchange(gold).along("cell")(masks, *pair)).all()
