"""Error spans: made from lists, selected, swapped; a value that is no span is named."""

import attrs
import numpy as np
import pytest

from qeframe.core.batches.ragged import Ragged
from qeframe.core.errors import DataError
from qeframe.kinds.spans import NO_CODE, Spans
from qeframe.kinds.spans.batch import check_within, plain_sides, plain_texts

GOLD = [[(0, 4, "minor"), (2, 2, "critical")], []]


def test_names_and_codes_of_severities_are_the_same():
    by_name, by_code = (Spans.from_plain(GOLD, [[(1, 3, severity)], []]) for severity in ("major", 1))
    assert by_name.predicted.values.tolist() == by_code.predicted.values.tolist() == [[1, 3, 1]]
    assert by_name.gold.values.tolist() == [[0, 4, 0], [2, 2, 2]]
    assert by_name.gold.lengths.tolist() == [2, 0]


def test_answers_are_swapped_by_segment():
    a, b = Spans.from_plain(GOLD, [[(0, 1, 0)], []]), Spans.from_plain(GOLD, [[], [(5, 6, 2)]])
    swapped, other = a.swap_answers(b, np.array([True, False]))
    assert [row.tolist() for row in swapped.predicted] == [[], []]
    assert [row.tolist() for row in other.predicted] == [[[0, 1, 0]], [[5, 6, 2]]]


def test_a_span_may_end_beyond_its_text_only_if_it_is_clipped():
    with pytest.raises(DataError, match="a span from 0 to 4 in segment 0 of gold, whose text has 3 characters"):
        Spans.from_plain(GOLD, [[], []], text=["abc", ""])
    assert Spans.from_plain(GOLD, [[], []], text=[3, 0], beyond="clip").text.tolist() == [3, 0]


@pytest.mark.parametrize(
    ("predicted", "message"),
    [
        ([[(0, 1)], []], "(0, 1) in segment 0 of predicted is not a span"),
        ([[(0, 1, "grave")], []], "(0, 1, 'grave') in segment 0 of predicted is not a span"),
        ([[], [(3, 2, 0)]], "span (3, 2, 0) in segment 1 of predicted must have 0 <= start <= end; repair"),
        ([[]], "number of segments differs: 2 gold and 1 predicted ones"),
        (None, "predicted spans are missing"),
    ],
)
def test_what_is_no_span_is_named(predicted, message):
    with pytest.raises(DataError) as caught:
        Spans.from_plain(GOLD, predicted)
    assert str(caught.value).startswith(message)


def test_a_gold_without_spans_is_warned_of():
    assert "no span" in Spans.from_plain([[]], [[]]).gold_warning()
    assert Spans.from_plain(GOLD, [[], []]).gold_warning() == ""


def test_faults_alone_are_a_gold():
    batch = Spans.from_plain([[]], [[]], omission=(["minor"], [None]))
    assert batch.gold_warning() == ""


def test_plain_answers_get_the_categories_of_the_gold():
    batch = Spans.from_plain([[(0, 4, "minor", "style")]], [[]])
    answered = attrs.evolve(batch, predicted=Ragged(np.array([[0, 1, 0]]), np.array([0, 1])))
    assert answered.predicted.values.tolist() == [[0, 1, 0, NO_CODE]]
    assert answered.categories == ("style",)


def test_other_categories_than_the_gold_has_are_refused():
    batch = Spans.from_plain([[(0, 4, "minor", "style")]], [[]])
    other = Spans.from_plain([[(0, 4, "minor", "fluency")]], [[]])
    with pytest.raises(DataError, match="the gold spans have the categories style, and the predicted ones fluency"):
        attrs.evolve(batch, predicted=other.gold)


def test_texts_are_taken_with_their_segments():
    batch = Spans.from_plain([[], []], [[], []], text=["abc", "de"])
    assert batch.take(np.array([1])).content.tolist() == ["de"]


GOLD_OF_PLAIN = [[(0, 4, "minor", "fluency"), (2, 2, "critical", None)], []]


def test_categories_are_those_that_occur_in_order():
    batch = Spans.from_plain(GOLD_OF_PLAIN, [[(0, 1, "major", "accuracy")], [(0, 1, 0)]])
    assert batch.categories == ("accuracy", "fluency")
    assert batch.gold.values[:, 3].tolist() == [1, NO_CODE]
    assert batch.predicted.values[:, 3].tolist() == [0, NO_CODE]


def test_declared_categories_give_the_codes():
    gold, predicted = plain_sides(GOLD_OF_PLAIN, [[], []], {}, ["style", "fluency"])
    assert gold.values[:, 3].tolist() == [1, NO_CODE]
    assert predicted.values.shape == (0, 4)
    with pytest.raises(DataError, match="'fluency' is not one of the categories style"):
        plain_sides(GOLD_OF_PLAIN, [[], []], {}, ["style"])


def test_faults_are_given_for_both_sides():
    batch = Spans.from_plain(GOLD_OF_PLAIN, [[], []], omission=([None, "major"], ["minor", None]))
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
        Spans.from_plain(GOLD_OF_PLAIN, [[], []], **declared)


@pytest.mark.parametrize("category", ["", 3])
def test_a_category_is_a_name(category):
    with pytest.raises(DataError, match="in segment 0 of gold is no name"):
        plain_sides([[(0, 1, "minor", category)]], [[]], {}, None)


def test_texts_are_held_for_pictures():
    lengths, content = plain_texts(["abc", 5], 2)
    assert (lengths.tolist(), content.tolist()) == ([3, 5], ["abc", ""])
    assert plain_texts(None, 2)[1].tolist() == ["", ""]


def test_ends_are_checked_against_the_text():
    side = plain_sides(GOLD_OF_PLAIN, GOLD_OF_PLAIN, {}, None)[0]
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
