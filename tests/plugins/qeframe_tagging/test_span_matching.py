"""Matchings of spans against loops: the greedy rule as it is stated, and every matching there is."""

import itertools
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.optimize import linear_sum_assignment

from qeframe.kinds.tags.batch import Tags
from qeframe_tagging import confusion_counts, sentence_correlations
from qeframe_tagging.confusion_counts import find_runs
from qeframe_tagging.span_matching import Edges, exact, find_edges, greedy
from tests.examples import FEWER

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


def spans_of(tags, tag):
    spans, start = [], 0
    for of, group in itertools.groupby(tags):
        length = len(list(group))
        if of == tag:
            spans.append((start, start + length))
        start += length
    return spans


def overlaps(gold, predicted):
    return np.array([[max(0, min(b, d) - max(a, c)) for c, d in predicted] for a, b in gold], dtype=float)


def matched_greedily(table):
    table, total = table.copy(), 0.0
    while table.size and table.max() > 0:
        row, column = np.unravel_index(table.argmax(), table.shape)  # the first in row order
        total += table[row, column]
        table[row, :] = table[:, column] = 0
    return total


def matched_exactly(table):
    return table[linear_sum_assignment(table, maximize=True)].sum() if table.size else 0.0


MATCHED = {"greedy": matched_greedily, "exact": matched_exactly}


def slow_sentence(gold, predicted, matching, classes=2):
    n = len(gold)
    if not n:
        return np.nan
    credit, counts = 0.0, [0, 0]
    for tag in range(classes):
        sides = [spans_of(gold, tag), spans_of(predicted, tag)]
        counts = [count + len(side) for count, side in zip(counts, sides, strict=True)]
        if tag in gold and sides[1]:
            weight = n / (classes * gold.count(tag))
            credit += weight * MATCHED[matching](overlaps(*sides))
    return credit * min(counts) / max(counts) / n


@st.composite
def sides(draw, classes=2, longest=30):
    lengths = draw(st.lists(st.integers(0, longest), max_size=6))
    tag = st.integers(0, classes - 1)
    side = [st.lists(tag, min_size=n, max_size=n) for n in lengths]
    return [draw(one) for one in side], [draw(one) for one in side]


@pytest.mark.parametrize("matching", ["greedy", "exact"])
@FEWER
@given(pair=sides())
def test_equals_the_definition(matching, pair):
    found = sentence_correlations(Tags.from_plain(*pair), matching=matching)
    slow = [slow_sentence(gold, predicted, matching) for gold, predicted in zip(*pair, strict=True)]
    np.testing.assert_allclose(found, slow, rtol=0, atol=1e-12)


@pytest.mark.parametrize("matching", ["greedy", "exact"])
@FEWER
@given(pair=sides(classes=3))
def test_equals_the_definition_for_three_classes(matching, pair):
    batch = Tags.from_plain(*pair, classes=("OK", "BAD", "GAP"))
    slow = [slow_sentence(gold, predicted, matching, 3) for gold, predicted in zip(*pair, strict=True)]
    np.testing.assert_allclose(sentence_correlations(batch, matching=matching), slow, rtol=0, atol=1e-12)


@FEWER
@given(pair=sides(longest=80))
def test_exact_is_never_below_greedy(pair):
    batch = Tags.from_plain(*pair)
    exact, greedy = sentence_correlations(batch, matching="exact"), sentence_correlations(batch)
    assert not (exact < greedy - 1e-12).any()
    assert not ((greedy < 0) | (exact > 1 + 1e-12)).any()


def test_long_sentences_of_many_chains():
    rng = np.random.default_rng(5)
    gold = [np.repeat(rng.integers(0, 2, 400), rng.integers(1, 6, 400)).tolist() for _ in range(3)]
    predicted = [np.where(rng.random(len(each)) < 0.2, 1 - np.array(each), each).tolist() for each in gold]
    batch = Tags.from_plain(gold, predicted)
    for matching in ("greedy", "exact"):
        slow = [slow_sentence(g, p, matching) for g, p in zip(gold, predicted, strict=True)]
        np.testing.assert_allclose(sentence_correlations(batch, matching=matching), slow, rtol=0, atol=1e-12)


def test_chunks_change_nothing(monkeypatch):
    rng = np.random.default_rng(1)
    lengths = rng.integers(0, 9, 200)
    gold, predicted = ([rng.integers(0, 2, n).tolist() for n in lengths] for _ in range(2))
    whole = sentence_correlations(Tags.from_plain(gold, predicted))
    monkeypatch.setattr(confusion_counts, "_TOKENS_AT_ONCE", 7)
    np.testing.assert_array_equal(sentence_correlations(Tags.from_plain(gold, predicted)), whole)


def test_empty_sentences_are_left_out(measure):
    assert measure("seqcor", [[], ["OK", "BAD"], []], [[], ["OK", "BAD"], []]) == 1.0


@pytest.mark.parametrize("side", [[], [[]], [[], []]])
@pytest.mark.parametrize("matching", ["greedy", "exact"])
def test_undefined_without_a_token(measure, side, matching):
    assert np.isnan(measure(f"seqcor(matching={matching})", side, side))


def test_one_class_gets_half(measure):
    assert measure("seqcor", [["OK"] * 7], [["OK"] * 7]) == 0.5
    assert measure("seqcor", [["BAD"]], [["BAD"]]) == 0.5
