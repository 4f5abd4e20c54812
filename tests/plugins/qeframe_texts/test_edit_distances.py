"""Distances of many pairs at once against the textbook's table of one pair."""

from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from qeframe.plugin import Ragged
from qeframe_texts.edit_distances import clipped_overlap, cover_disjoint_distance, levenshtein_distance

WORDS = st.lists(st.integers(0, 3), max_size=7)
PAIRS = st.lists(st.tuples(WORDS, WORDS), max_size=6)


def sides(pairs):
    return (Ragged.from_rows([pair[side] for pair in pairs], dtype=np.int64) for side in (0, 1))


def levenshtein(said, known):
    row = list(range(len(known) + 1))
    for i, word in enumerate(said, 1):
        before, row = row, [i]
        for j, other in enumerate(known, 1):
            row.append(min(before[j] + 1, row[j - 1] + 1, before[j - 1] + (word != other)))
    return row[-1]


@given(PAIRS)
def test_levenshtein_is_that_of_the_textbook(pairs):
    assert levenshtein_distance(*sides(pairs)).tolist() == [levenshtein(*pair) for pair in pairs]


@given(PAIRS)
def test_jumps_never_cost_more_than_edits(pairs):
    """A path without jumps is an alignment by edits. All deletions at the end of a path are one jump."""
    distance, edits = cover_disjoint_distance(*sides(pairs)), levenshtein_distance(*sides(pairs))
    assert (distance <= edits).all()
    equal = [said == known for said, known in pairs]
    assert (distance[equal] == 0).all()


@pytest.mark.parametrize(
    ("said", "known", "cost"),
    [([], [], 0), ([1], [], 1), ([1, 2, 3], [], 1), ([], [1, 2], 2), ([2, 3, 0, 1], [0, 1, 2, 3], 3), ([0], [0, 0], 1)],
)
def test_covering_by_hand(said, known, cost):
    """Halves that change places cost three jumps. A candidate word is used again after a jump back."""
    assert cover_disjoint_distance(*sides([(said, known)])).tolist() == [cost]


@given(PAIRS)
def test_words_in_common_count_as_often_as_on_the_side_that_has_fewer(pairs):
    expected = [(Counter(said) & Counter(known)).total() for said, known in pairs]
    assert clipped_overlap(*sides(pairs), vocabulary=4).tolist() == expected
