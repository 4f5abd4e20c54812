"""Inversions and merged scores against loops; which exchange serves which grouping."""

from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import kendalltau

from qeframe_agreement.kendall_tau.exchanges import ItemTauExchange, discordances, inversions, merge


def falling(values):
    return [(i, j) for i, j in combinations(range(len(values)), 2) if values[i] > values[j]]


@given(values=st.lists(st.integers(0, 9), max_size=90), seed=st.integers(0, 99))
def test_inversions_against_a_loop(values, seed):
    rng = np.random.default_rng(seed)
    classes, counts = np.unique(values, return_inverse=True, return_counts=True)[1:]
    rows = np.array([rng.permutation(classes) for _ in range(3)], dtype=np.uint8).reshape(3, -1)
    assert inversions(rows, counts).tolist() == [len(falling(row)) for row in rows]


def test_inversions_of_many_distinct_values():
    rows = np.array([np.random.default_rng(seed).permutation(500) for seed in range(4)], dtype=np.uint16)
    assert inversions(rows, np.ones(500, dtype=np.int64)).tolist() == [len(falling(row)) for row in rows]


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
    found = merge(gold, one, other).taus(swapped, variant)
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
