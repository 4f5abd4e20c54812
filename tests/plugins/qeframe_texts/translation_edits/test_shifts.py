"""Which shifts are tried: against plain loops over blocks of equal words."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from qeframe_texts.translation_edits.alignment import Alignment
from qeframe_texts.translation_edits.shifts import MOST_SHIFTS, Shifts, shifts_by_part
from tests.plugins.qeframe_texts.translation_edits.drawn import grid_of, way_back


def tried_by_loops(candidate, reference, row, both):
    """List (start, length, target) from the rules, one word after another."""
    right = {j: both[j] and candidate[row[j] - 1] == reference[j - 1] for j in range(1, len(reference) + 1)}
    right_rows = {row[j] for j in right if right[j]}
    found = []
    for start in range(len(candidate)):
        for at in range(len(reference)):
            for length in range(1, 11):
                piece = candidate[start : start + length]
                if abs(start - at) > 50 or len(piece) < length or piece != reference[at : at + length]:
                    break
                wrong = any(start + k + 1 not in right_rows for k in range(length))
                wrong_there = any(not right[at + k + 1] for k in range(length))
                if wrong and wrong_there and not start <= row[at + 1] - 1 < start + length:
                    targets = sorted({row[j] for j in range(at, at + length + 1)})
                    found += [(start, length, target) for target in targets]
    return sorted(found)


def tried(candidate, reference, before=0):
    row, both = way_back(grid_of(candidate, reference), candidate, reference)
    sides = (np.array([[1 + word for word in side]]) for side in (candidate, reference))
    total, parts = shifts_by_part(*sides, Alignment(np.array([row]), np.array([both])), np.array([before]))
    found = [of for part in parts for of in zip(part.start, part.length, part.target, strict=True)]
    return int(total[0]), sorted(tuple(map(int, of)) for of in found), tried_by_loops(candidate, reference, row, both)


texts = st.lists(st.integers(0, 4), min_size=1, max_size=14)


@given(candidate=texts, reference=texts)
def test_all_shifts_are_found(candidate, reference):
    total, found, wanted = tried(candidate, reference)
    assert total == len(wanted)
    assert found == wanted


@pytest.mark.parametrize("away", [50, 51])
def test_words_farther_than_fifty_are_not_tried(away):
    candidate = [1, *range(100, 99 + away), 2]
    reference = [2, *range(200, 199 + away), 1]
    total, found, wanted = tried(candidate, reference)
    assert total == len(found) == len(wanted)
    assert bool(found) == (away == 50)


def test_at_the_limit_there_is_none():
    candidate, reference = [1, 2, 3], [3, 1, 2]
    count = tried(candidate, reference)[0]
    assert tried(candidate, reference, before=MOST_SHIFTS - count - 1)[1]
    total, found, _ = tried(candidate, reference, before=MOST_SHIFTS - count)
    assert (total, found) == (MOST_SHIFTS, [])


@pytest.mark.parametrize(
    ("target", "after"),
    [(0, "cdabef"), (1, "acdbef"), (2, "abcdef"), (3, "abecdf"), (4, "abefcd"), (5, "abecdf"), (6, "abefcd")],
)
def test_shifts_as_swaps(target, after):
    text = "abcdef"
    swaps = Shifts(*(np.array([value]) for value in (0, 2, 2, target))).swaps(np.array([len(text)]))
    begin, middle, end = (int(cut[0]) for cut in (swaps.begin, swaps.middle, swaps.end))
    assert text[:begin] + text[middle:end] + text[begin:middle] + text[end:] == after
