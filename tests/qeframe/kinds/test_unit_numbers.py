"""Shares of tokens and characters that are marked as errors, against counting by hand."""

import numpy as np
import pytest

from qeframe.kinds.spans import Spans
from qeframe.kinds.tags.batch import Tags


def shares(batch):
    numbers = batch.unit_numbers()
    return numbers.gold, numbers.answers, numbers.gaps


def test_tags():
    batch = Tags.from_plain([["OK", "BAD", "BAD", "OK"], ["OK"]], [["OK", "OK", "BAD", "BAD"], ["BAD"]])
    gold, predicted, gaps = shares(batch)
    assert gold.tolist() == [50.0, 0.0]
    assert predicted.tolist() == [50.0, 100.0]
    assert gaps.tolist() == [50.0, 100.0]


def by_hand(spans, length):
    marked = [any(start <= at < end for start, end, *_ in spans) for at in range(length)]
    return np.array(marked, dtype=bool)


def test_spans_that_overlap_touch_repeat_or_are_empty():
    gold = [[(0, 2, "minor"), (1, 4, "major")], [], [(2, 2, "minor"), (3, 5, "minor"), (3, 5, "minor")]]
    predicted = [[(2, 6, "major")], [(0, 3, "minor")], []]
    lengths = [10, 3, 5]
    found = shares(Spans.from_plain(gold, predicted, text=lengths))
    sides = [[by_hand(row, n) for row, n in zip(side, lengths, strict=True)] for side in (gold, predicted)]
    assert found[0] == pytest.approx([100 * each.mean() for each in sides[0]])
    assert found[1] == pytest.approx([100 * each.mean() for each in sides[1]])
    assert found[2] == pytest.approx([100 * (a != b).mean() for a, b in zip(*sides, strict=True)])


def test_an_empty_segment_has_no_share():
    gold, predicted, gaps = shares(Spans.from_plain([[], []], [[], []], text=[0, 4]))
    assert np.isnan([gold[0], predicted[0], gaps[0]]).all()
    assert [gold[1], predicted[1], gaps[1]] == [0.0, 0.0, 0.0]


def test_spans_on_texts_of_unknown_lengths_have_no_shares():
    assert Spans.from_plain([[(0, 1, "minor")]], [[]]).unit_numbers() is None
