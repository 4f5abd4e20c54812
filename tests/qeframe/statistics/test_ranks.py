import numpy as np
import pytest
import scipy.stats
from hypothesis import given
from hypothesis import strategies as st

from qeframe.core.resampling.rounding import shared_positions
from qeframe.statistics.ranks import mid_ranks, mid_ranks_by_pairs, running_sums, tie_groups, weighted_mid_ranks


@given(st.lists(st.integers(0, 4), min_size=1, max_size=9))
def test_ranks_are_those_of_scipy(values: list[int]) -> None:
    both = np.array([values, values[::-1]], dtype=float)
    assert mid_ranks(both) == pytest.approx(scipy.stats.rankdata(both, axis=1))
    ordered = np.sort(both, axis=1)
    fresh = np.concatenate([np.zeros((2, 1), dtype=bool), np.diff(ordered, axis=1) > 0], axis=1)
    for places, method in zip(shared_positions(fresh), ("min", "max"), strict=True):
        assert (places == np.sort(scipy.stats.rankdata(both, method=method, axis=1), axis=1)).all()


def test_undefined_values_have_no_rank() -> None:
    found = mid_ranks(np.array([2.0, np.nan, 1.0, np.nan, 2.0]))
    assert found == pytest.approx([2.5, np.nan, 1.0, np.nan, 2.5], nan_ok=True)
    assert mid_ranks(np.empty((3, 0))).shape == (3, 0)


def test_values_that_differ_by_rounding_share_a_rank() -> None:
    values = np.array([0.3, 0.1 + 0.2, 0.4, np.nan, np.inf, -np.inf])
    assert mid_ranks(values) == pytest.approx([2, 3, 4, np.nan, 5, 1], nan_ok=True)
    assert mid_ranks(values, slack=1e-12) == pytest.approx([2.5, 2.5, 4, np.nan, 5, 1], nan_ok=True)
    assert mid_ranks(np.array([np.inf, np.inf, 1.0]), slack=1e-12) == pytest.approx([2.5, 2.5, 1.0])
    assert mid_ranks(np.empty((3, 0)), slack=1e-12).shape == (3, 0)


@given(st.lists(st.tuples(st.integers(0, 4), st.integers(0, 3)), min_size=1, max_size=9))
def test_weighted_ranks_are_those_of_repeated_values(drawn: list[tuple[int, int]]) -> None:
    values, weights = (np.array(side, dtype=float) for side in zip(*drawn, strict=True))
    repeated = np.repeat(values, weights.astype(int))
    found = weighted_mid_ranks(values, weights[None])
    for value, rank in zip(values, found[0], strict=True):
        assert rank == (repeated < value).sum() + (repeated == value).sum() / 2
    assert (tie_groups(values).mid_ranks() == scipy.stats.rankdata(values)).all()
    assert (weighted_mid_ranks(values, np.ones((1, len(values)))) + 0.5 == mid_ranks(values)).all()


@given(st.lists(st.tuples(st.integers(0, 4), st.booleans()), min_size=1, max_size=7))
def test_ranks_by_pairs_leave_out_what_is_not_known(drawn: list[tuple[int, bool]]) -> None:
    values, known = (np.array(side, dtype=float) for side in zip(*drawn, strict=True))
    found = mid_ranks_by_pairs(values, known, slack=0.0)
    chosen = known > 0
    assert (found[chosen] + 0.5 == scipy.stats.rankdata(values[chosen])).all()


def test_a_chain_of_near_values_shares_a_rank_by_neighbors_but_not_by_pairs() -> None:
    chain = np.array([1.0, 1.08, 1.16])
    assert mid_ranks(chain, slack=0.1).tolist() == [2, 2, 2]
    assert mid_ranks_by_pairs(chain, np.ones(3), slack=0.1).tolist() == [1, 1.5, 2]


def test_values_kept_apart_are_ranked_in_input_order() -> None:
    assert tie_groups(np.array([2.0, 1.0, 2.0]), apart=True).mid_ranks().tolist() == [2, 1, 3]
    assert tie_groups(np.array([2.0, 1.0, 2.0])).sum(np.array([1.0, 10.0, 100.0])).tolist() == [10, 101]
    assert tie_groups(np.empty(0)).mid_ranks().shape == (0,)


@pytest.mark.parametrize("rows", [0, 1, 15, 16, 17, 160, 163])
def test_running_sums_are_those_of_cumsum(rows):
    counts = np.random.default_rng(rows).poisson(1, (rows, 5)).astype(np.float64)
    before = counts.copy()
    assert (running_sums(counts) == counts.cumsum(axis=0)).all()
    assert (running_sums(counts[:, ::2]) == counts[:, ::2].cumsum(axis=0)).all()
    assert (counts == before).all()
    assert running_sums(counts / 7) == pytest.approx(counts.cumsum(axis=0) / 7, rel=1e-12)
