"""Counts chunk by chunk, against what a multinomial distribution is."""

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.special import chdtrc

from qeframe.streaming.chunk_counts import chunk_rng, chunk_totals, multinomial_counts, poisson_counts


def whole_counts(key, draws, units, size):
    """Return the counts of all units, (draws, n): the chunks side by side."""
    parts = []
    for chunk, totals in enumerate(chunk_totals(key, draws, units, size=size)):
        parts.append(multinomial_counts(chunk_rng(key, chunk, 0), totals, min(size, units - chunk * size)))
    return np.concatenate(parts, axis=1)


@given(st.integers(1, 2000), st.integers(1, 400), st.integers(1, 70), st.integers(0, 2**32))
def test_every_draw_takes_as_many_units_as_there_are(units, size, draws, seed):
    size = max(size, units // 7)
    counts = whole_counts((seed,), draws, units, size)
    assert counts.shape == (draws, units)
    assert (counts.sum(axis=1, dtype=np.int64) == units).all()


@given(st.integers(1, 99), st.integers(1, 9), st.integers(1, 120))
def test_a_part_of_the_chunks_has_the_totals_that_it_has_among_all(units, size, parts):
    whole = list(chunk_totals((1, 2), 5, units, size=size))
    ends = [len(whole) * part // parts for part in range(parts + 1)]
    joined = [
        totals
        for first, last in pairwise(ends)
        for totals in chunk_totals((1, 2), 5, units, size=size, first=first, last=last)
    ]
    assert np.array_equal(joined, whole)


@given(st.lists(st.integers(0, 1000), min_size=1, max_size=5), st.integers(1, 100))
def test_any_total_is_met_also_one_far_from_the_number_of_units(totals, units):
    counts = multinomial_counts(chunk_rng((1,), 0, 0), np.array(totals), units)
    assert counts.sum(axis=1, dtype=np.int64).tolist() == totals


def test_a_count_above_255_is_not_lost():
    counts = multinomial_counts(chunk_rng((1,), 0, 0), np.array([255, 256, 70_000, 0]), 1)
    assert counts[:, 0].tolist() == [255, 256, 70_000, 0]
    assert multinomial_counts(chunk_rng((1,), 0, 0), np.array([3000]), 2).sum() == 3000


def test_equal_keys_give_equal_counts_and_other_chunks_others():
    first, again = (whole_counts((3,), 5, 600, 300) for _ in range(2))
    assert (first == again).all()
    assert (first[:, :300] != first[:, 300:]).any()
    assert (first != whole_counts((4,), 5, 600, 300)).any()


def chi_squared(observed, expected):
    """Return the p-value of counts of categories."""
    statistic = ((observed - expected) ** 2 / expected).sum()
    return chdtrc(len(observed) - 1, statistic)


@pytest.mark.parametrize("size", [3, 2, 1])
def test_samples_of_three_units_have_the_multinomial_distribution(size):
    draws = 40_000
    counts = whole_counts((7,), draws, 3, size).astype(int)
    found = np.bincount(counts @ [16, 4, 1], minlength=64)
    # a sample (i, j, k) of 3 of 3 units: 3! / (i! j! k!) of 27 orders
    expected = {16 * 3: 1, 4 * 3: 1, 3: 1, 16 + 4 + 1: 6}
    expected |= {2 * a + b: 3 for a in (16, 4, 1) for b in (16, 4, 1) if a != b}
    cells = np.array(sorted(expected))
    assert found.sum() == found[cells].sum()
    assert chi_squared(found[cells], draws / 27 * np.array([expected[c] for c in cells])) > 1e-4


def test_counts_of_large_chunks_have_the_moments_of_a_multinomial():
    n, draws = 4500, 600
    counts = whole_counts((5,), draws, n, 2000).astype(float)
    assert np.var(counts, axis=0).mean() == pytest.approx(1 - 1 / n, abs=0.006)
    # the total of half a chunk is binomial, within a chunk and across two
    for part in (slice(0, 1000), slice(1500, 2500), slice(0, 2000), slice(4000, 4500)):
        share = len(range(n)[part]) / n
        variance = n * share * (1 - share)
        totals = counts[:, part].sum(axis=1)
        assert totals.mean() == pytest.approx(n * share, abs=4 * np.sqrt(variance / draws))
        assert totals.var() / variance == pytest.approx(1, abs=4 * np.sqrt(2 / draws))


def test_counts_of_one_unit_are_binomial():
    counts = whole_counts((9,), 64, 32_768, 16_384)
    n = counts.shape[1]
    found = np.bincount(counts.ravel(), minlength=8)[:8]
    chance = [1.0]
    for k in range(7):
        chance.append(chance[-1] * (n - k) / (k + 1) / (n - 1))
    expected = np.array(chance) * (1 - 1 / n) ** n * counts.size
    assert (
        chi_squared(
            np.append(found[:7], counts.size - found[:7].sum()),
            np.append(expected[:7], counts.size - expected[:7].sum()),
        )
        > 1e-4
    )


@pytest.mark.parametrize("mean", [1.0, 0.953125, 0.4, 0.01])
def test_poisson_counts_have_their_distribution(mean):
    counts = poisson_counts(chunk_rng((2,), 0, 0), 64, 16_384, mean)
    k = np.arange(6)
    chances = np.exp(-mean) * np.cumprod([1.0, *(mean / k[1:])])
    expected = counts.size * np.append(chances, 1 - chances.sum())
    found = np.bincount(np.minimum(counts.ravel(), 6), minlength=7)
    some = expected > 5
    found, expected = found[some], expected[some]
    assert chi_squared(found, expected * found.sum() / expected.sum()) > 1e-4


def test_poisson_counts_of_the_mean_0_are_0():
    assert not poisson_counts(chunk_rng((2,), 0, 0), 3, 5, 0.0).any()
