"""The exchange of soft pairwise accuracy against metrics that are swapped and bound again."""

import attrs
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from qeframe.kinds.grid.batch import Grid
from qeframe_agreement.exchanges.axes import ComputedAgain, StackedExchange
from qeframe_agreement.soft_accuracy.exchange import ReachedCounter, SoftExchange, soft_exchange
from qeframe_agreement.soft_accuracy.statistic import spa
from tests.plugins.qeframe_agreement.swapped import FIRST, SECOND, masks_along, swapped_differences


@pytest.mark.parametrize("standardize", [False, True])
@pytest.mark.parametrize("axis", ["segment", "cell", "system"])
def test_every_axis_against_binding_again(random_grids, axis, standardize):
    """An incomplete item is not part of any sum, and its cells in a mask have no effect."""
    grids = random_grids(items=6, systems=4, seed=7)
    gold = grids[0].gold.copy()
    gold[2, 1] = np.nan
    grids = [Grid.from_plain(gold, np.where(np.isnan(gold), np.nan, each.predicted)) for each in grids]
    masks, spread = masks_along(axis, 6, 4)
    bind = spa(permutations=60).bind
    exchange = soft_exchange(bind, grids, axis, standardize)
    assert isinstance(exchange, SoftExchange)
    assert exchange.cells == masks.shape[1]
    expected = swapped_differences(lambda grid: float(bind(grid)(np.ones(6))), grids, spread, standardize)
    assert exchange(masks, FIRST, SECOND) == pytest.approx(expected, abs=1e-10)


@pytest.mark.parametrize(("axis", "kind"), [("segment", StackedExchange), ("cell", ComputedAgain)])
def test_different_cells_are_computed_again(axis, kind):
    full = Grid.from_plain([[1, 2], [2, 1]], [[1, 2], [1, 2]])
    lacking = attrs.evolve(full, predicted=np.array([[1.0, np.nan], [1.0, 2.0]]))
    assert isinstance(soft_exchange(spa().bind, [full, lacking], axis, False), kind)


def test_without_complete_items_the_difference_is_undefined():
    grid = Grid.from_plain([[1, np.nan], [np.nan, 1]], [[1, 2], [2, 1]])
    exchange = soft_exchange(spa().bind, [grid, grid], "cell", False)
    assert np.isnan(exchange(np.zeros((2, 4), dtype=np.uint8), np.array([0]), np.array([1]))).all()


def count_reached(kept, given, slack):
    return ReachedCounter(*kept.shape)(kept, given, slack)


def by_comparison(kept, given, slack):
    sums, near = kept[:, None] + given, slack[..., None]
    return (sums < -near).sum(axis=2) + (sums <= near).sum(axis=2)


@given(data=st.data(), rows=st.integers(1, 4), draws=st.integers(1, 20))
def test_lattices_full_of_equal_sums(data, rows, draws):
    """Multiples of .1: many sums are 0 up to rounding."""
    elements = st.integers(-3, 3).map(lambda whole: whole * 0.1 + 0.2 - 0.2)
    kept, given_away = (data.draw(arrays(np.float64, (rows, draws), elements=elements)) for _ in range(2))
    slack = np.full((rows, rows), 1e-12)
    assert count_reached(kept, given_away, slack).tolist() == by_comparison(kept, given_away, slack).tolist()


@pytest.mark.parametrize("draws", [1, 7, 8, 1000, 2040, 2041, 4100])
def test_any_number_of_draws(draws):
    rng = np.random.default_rng(draws)
    kept, given_away = rng.normal(size=(2, 5, draws))
    slack = np.full((5, 5), 1e-12)
    assert (count_reached(kept, given_away, slack) == by_comparison(kept, given_away, slack)).all()


def test_differences_that_single_precision_does_not_hold():
    rng = np.random.default_rng(0)
    kept = 1e6 + rng.normal(size=(6, 300)) * 1e-4
    given_away = -1e6 + rng.normal(size=(6, 300)) * 1e-4
    slack = rng.random((6, 6)) * 1e-5
    assert (count_reached(kept, given_away, slack) == by_comparison(kept, given_away, slack)).all()


def test_zeros_are_half_below():
    assert count_reached(np.zeros((2, 5)), np.zeros((2, 5)), np.full((2, 2), 1e-12)).tolist() == [[5, 5], [5, 5]]


def test_sums_far_from_zero_need_no_comparison():
    kept = np.array([[5.0, 6.0], [-5.0, -6.0], [0.5, -0.5]])
    given_away = np.array([[1.0, 1.0], [-1.0, 2.0], [-20.0, -30.0]])
    slack = np.full((3, 3), 1e-12)
    assert (count_reached(kept, given_away, slack) == by_comparison(kept, given_away, slack)).all()
