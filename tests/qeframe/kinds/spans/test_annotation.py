"""The annotation of one side: spans, categories, faults; taken, joined and exchanged whole."""

import numpy as np
import pytest

from qeframe.core.batches.ragged import Ragged
from qeframe.core.errors import DataError
from qeframe.kinds.spans.annotation import (
    NO_CODE,
    AnnotatedSegments,
    SegmentSpans,
    annotated,
    exchanged,
    joined,
    known_texts,
)

OFFSETS = np.array([0, 1, 2])
PLAIN = np.array([[0, 1, 0], [2, 3, 1]])
NAMED = np.array([[0, 1, 0, 1], [2, 3, 1, 0]])


def side(**given):
    return AnnotatedSegments(given.pop("values", PLAIN), OFFSETS, **given)


def test_plain_spans_have_no_category_and_no_fault():
    found = annotated(Ragged(PLAIN, OFFSETS))
    assert (found.categories, found.has_faults, found.values.shape) == ((), False, (2, 3))
    assert found.omission.tolist() == found.instruction_fault.tolist() == [NO_CODE, NO_CODE]
    assert annotated(found) is found


def test_a_column_of_categories_is_added_where_there_are_names():
    assert side(categories=("a",)).values.tolist() == [[0, 1, 0, NO_CODE], [2, 3, 1, NO_CODE]]


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"values": NAMED}, "spans have 4 columns and 0 names of categories"),
        ({"values": NAMED, "categories": ("a",)}, "spans have 4 columns and 1 name of categories"),
        ({"omission": np.array([0])}, "omission is not the severity of each of 2 segments"),
        ({"instruction_fault": np.array([0, 3])}, "instruction_fault is not the severity of each of 2 segments"),
    ],
)
def test_other_shapes_and_codes_are_refused(given, message):
    with pytest.raises(DataError, match=message):
        side(**given)


def test_segments_are_taken_with_their_faults_texts_and_categories():
    whole = SegmentSpans(
        NAMED,
        OFFSETS,
        np.array([5, 9]),
        content=np.array(["abcde", "abcdefghi"], dtype=object),
        omission=np.array([NO_CODE, 1]),
        categories=("a", "b"),
    )
    part = whole.take(np.array([1]))
    assert isinstance(part, SegmentSpans)
    assert (part.values.tolist(), part.text.tolist(), part.content.tolist()) == ([[2, 3, 1, 0]], [9], ["abcdefghi"])
    assert (part.omission.tolist(), part.instruction_fault.tolist(), part.categories) == ([1], [NO_CODE], ("a", "b"))


def test_categories_are_renamed_by_name_not_by_code():
    named = side(values=NAMED, categories=("a", "b"))
    assert named.with_categories(["b", "x", "a"]).values[:, 3].tolist() == [0, 2]
    assert named.with_categories([]).values.tolist() == PLAIN.tolist()
    assert named.with_categories(["a", "b"]) is named


def test_joined_sides_have_the_categories_and_faults_of_both():
    both = joined(side(values=NAMED, categories=("a", "b")), side(omission=np.array([1, 0])))
    assert both.values[:, 3].tolist() == [1, 0, NO_CODE, NO_CODE]
    assert both.omission.tolist() == [NO_CODE, NO_CODE, 1, 0]
    assert both.offsets.tolist() == [0, 1, 2, 3, 4]


def test_faults_are_exchanged_with_the_spans():
    mine, theirs = exchanged(side(), side(instruction_fault=np.array([2, 1])), np.array([True, False]))
    assert mine.instruction_fault.tolist() == [2, NO_CODE]
    assert theirs.instruction_fault.tolist() == [NO_CODE, 1]


def test_faults_stay_when_spans_move():
    moved = side(omission=np.array([0, 1])).with_values(PLAIN + [1, 1, 0])
    assert (moved.values.tolist(), moved.omission.tolist()) == ([[1, 2, 0], [3, 4, 1]], [0, 1])


def test_texts_are_unknown_unless_given():
    assert known_texts(np.array(["a", "b"], dtype=object), 2).tolist() == ["a", "b"]
    assert SegmentSpans(PLAIN, OFFSETS, np.array([5, 9])).content.tolist() == ["", ""]


def test_parts_of_errors_are_taken_joined_and_exchanged():
    plain, parts = side(), side(error=np.array([7, 9]))
    assert (plain.has_parts, plain.errors.tolist()) == (False, [0, 1])
    assert parts.take(np.array([1, 0, 1])).error.tolist() == [9, 7, 9]
    assert not plain.take(np.array([1])).has_parts
    assert parts.with_values(PLAIN + [1, 1, 0]).error.tolist() == [7, 9]
    assert parts.with_categories(("a",)).error.tolist() == [7, 9]
    assert joined(plain, parts).error.tolist() == [0, 1, 7, 9]
    mine, theirs = exchanged(plain, parts, np.array([True, False]))
    assert (mine.error.tolist(), theirs.error.tolist()) == ([7, 1], [0, 9])
    with pytest.raises(DataError, match="error is not a number for each of 2 spans"):
        side(error=np.array([1]))
