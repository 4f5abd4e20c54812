"""Matchings of spans against loops: the greedy rule as it is stated, and every matching there is."""

from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from qeframe_tagging.runs import find_runs
from qeframe_tagging.span_matching import Edges, exact, find_edges, greedy

TAGS = st.lists(st.tuples(st.integers(0, 1), st.integers(0, 1)), min_size=1, max_size=14)


def edges_of(pairs) -> Edges:
    gold, predicted = (np.array([pair[side] for pair in pairs], dtype=np.int8) for side in (0, 1))
    return find_edges(find_runs(gold, predicted, np.array([0, len(pairs)]), classes=2))


def table(edges):
    return list(zip(edges.gold.tolist(), edges.predicted.tolist(), edges.overlap.tolist(), strict=True))


def free(chosen):
    """Return whether no span is matched twice."""
    return all(len({edge[side] for edge in chosen}) == len(chosen) for side in (0, 1))


def test_edges_by_hand():
    """Gold 0 0 0 1 1, predicted 0 1 0 0 1: spans 1 and 2 against spans 1 to 4, with a predicted span over both."""
    edges = edges_of([(0, 0), (0, 1), (0, 0), (1, 0), (1, 1)])
    assert table(edges) == [(1, 1, 1), (1, 3, 1), (2, 4, 1)]
    assert edges.linked.tolist() == [False, True, False]
    assert len(edges.take(np.array([True, False, True]))) == 2


@given(TAGS)
def test_greedy_takes_the_largest_overlap_first(pairs):
    edges = edges_of(pairs)
    expected, rest = np.zeros(len(edges), dtype=int), list(enumerate(table(edges)))
    while rest:
        number, best = min(rest, key=lambda entry: (-entry[1][2], entry[1][0], entry[1][1]))
        expected[number] = best[2]
        rest = [(k, edge) for k, edge in rest if edge[0] != best[0] and edge[1] != best[1]]
    assert greedy(edges).tolist() == expected.tolist()


@given(TAGS)
def test_exact_is_the_best_of_all_matchings(pairs):
    edges = edges_of(pairs)
    rows = table(edges)
    totals = [
        sum(edge[2] for edge in chosen)
        for size in range(len(rows) + 1)
        for chosen in combinations(rows, size)
        if free(chosen)
    ]
    assert exact(edges).sum() == max(totals)
    assert greedy(edges).sum() <= max(totals)


@pytest.mark.parametrize("matching", [greedy, exact])
def test_without_an_edge_nothing_is_matched(matching):
    assert matching(edges_of([(0, 1), (1, 0)])).shape == (0,)
