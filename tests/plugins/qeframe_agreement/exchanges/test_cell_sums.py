"""The exchange of cells under Pearson's correlation for all pairs at once, held against scores computed again."""

import attrs
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from qeframe_agreement import segment_pearson
from qeframe_agreement.exchanges.axes import make_stacked
from qeframe_agreement.exchanges.cell_sums import PearsonExchange
from tests.examples import FEWER
from tests.plugins.qeframe_agreement.exchanges.test_system_means import grids

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
