"""Annotation from lists: categories and faults in words, and what is refused."""

import numpy as np
import pytest

from qeframe.core.errors import DataError
from qeframe.kinds.spans import NO_CODE, Spans
from qeframe.kinds.spans.plain import check_within, plain_sides, plain_texts

GOLD = [[(0, 4, "minor", "fluency"), (2, 2, "critical", None)], []]


def test_categories_are_those_that_occur_in_order():
    batch = Spans.from_plain(GOLD, [[(0, 1, "major", "accuracy")], [(0, 1, 0)]])
    assert batch.categories == ("accuracy", "fluency")
    assert batch.gold.values[:, 3].tolist() == [1, NO_CODE]
    assert batch.predicted.values[:, 3].tolist() == [0, NO_CODE]


def test_declared_categories_give_the_codes():
    gold, predicted = plain_sides(GOLD, [[], []], {}, ["style", "fluency"])
    assert gold.values[:, 3].tolist() == [1, NO_CODE]
    assert predicted.values.shape == (0, 4)
    with pytest.raises(DataError, match="'fluency' is not one of the categories style"):
        plain_sides(GOLD, [[], []], {}, ["style"])


def test_faults_are_given_for_both_sides():
    batch = Spans.from_plain(GOLD, [[], []], omission=([None, "major"], ["minor", None]))
    assert batch.gold.omission.tolist() == [NO_CODE, 1]
    assert batch.predicted.omission.tolist() == [0, NO_CODE]
    assert not (batch.gold.instruction_fault + 1).any()


@pytest.mark.parametrize(
    ("declared", "message"),
    [
        ({"omission": (["huge", None], [None, None])}, "omission of gold is not a severity of each translation"),
        ({"omission": ([None, None], 3)}, "omission of predicted is not a severity of each translation"),
        ({"instruction_fault": ([None, None],)}, "instruction_fault of gold is not a severity"),
        ({"instruction_fault": ([None], [None])}, "instruction_fault is not the severity of each of 2 segments"),
    ],
)
def test_what_is_no_fault_is_named(declared, message):
    with pytest.raises(DataError, match=message):
        Spans.from_plain(GOLD, [[], []], **declared)


@pytest.mark.parametrize("category", ["", 3])
def test_a_category_is_a_name(category):
    with pytest.raises(DataError, match="in segment 0 of gold is no name"):
        plain_sides([[(0, 1, "minor", category)]], [[]], {}, None)


def test_texts_are_held_for_pictures():
    lengths, content = plain_texts(["abc", 5], 2)
    assert (lengths.tolist(), content.tolist()) == ([3, 5], ["abc", ""])
    assert plain_texts(None, 2)[1].tolist() == ["", ""]


def test_ends_are_checked_against_the_text():
    side = plain_sides(GOLD, GOLD, {}, None)[0]
    check_within(side, np.array([4, 0]), "gold")
    with pytest.raises(DataError, match="a span from 0 to 4 in segment 0 of gold, whose text has 3 characters"):
        check_within(side, np.array([3, 0]), "gold")


def test_parts_of_errors():
    spans = [[(0, 1, "minor"), (2, 3, "minor")], []]
    batch = Spans.from_plain(spans, spans, errors=([[4, 4], []], [[0, 1], []]))
    assert (batch.gold.error.tolist(), batch.predicted.error.tolist()) == ([4, 4], [0, 1])
    for wrong in (([[4], []], [[0, 1], []]), ([[4, 4], []],), ([["a", 4], []], [[0, 1], []])):
        with pytest.raises(DataError, match=r"errors of (gold|predicted) are not a number for each span"):
            Spans.from_plain(spans, spans, errors=wrong)
