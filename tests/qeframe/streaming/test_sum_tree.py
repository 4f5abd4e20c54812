"""Sums up a tree: equal bits for any division of the chunks."""

from itertools import pairwise

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from qeframe.streaming.sum_tree import Node, SumTree


def by_halves(values, size):
    """Return the sum of a node of so many chunks by its definition: that of its left half, and of its right one."""
    if len(values) == 1 or size == 1:
        return values[0]
    half = size // 2
    left = by_halves(values[:half], half)
    return left + by_halves(values[half:], half) if len(values) > half else left


@given(st.integers(1, 70), st.integers(0, 2**32), st.lists(st.integers(0, 70), max_size=9))
def test_sums_do_not_depend_on_how_chunks_are_divided(chunks, seed, cuts):
    values = np.random.default_rng(seed).normal(size=chunks) * 1e9 ** np.random.default_rng(seed).normal(size=chunks)
    ends = sorted({0, chunks, *(min(cut, chunks) for cut in cuts)})
    shards = [
        SumTree().add(Node(0, nth, values[nth]) for nth in range(first, last)).nodes for first, last in pairwise(ends)
    ]
    merged = SumTree()
    for nodes in shards:
        assert len(nodes) <= 2 * chunks.bit_length()
        merged.add(nodes)
    assert merged.whole() == by_halves(values, 1 << (chunks - 1).bit_length())
