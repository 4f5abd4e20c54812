"""The annotation of one side: spans, categories, faults; taken, joined and exchanged whole."""

from random import Random

import attrs
import numpy as np
import pytest

from qeframe.kinds.spans import Spans
from qeframe.kinds.spans.annotation import (
    NO_CODE,
    AnnotatedSegments,
    SegmentSpans,
    annotated,
    exchanged,
    joined,
    known_texts,
)
from qeframe.kinds.spans.batch import check_within, plain_sides, plain_texts
from qeframe.kinds.spans.kind import KIND
from qeframe.plugin import DataError, Ragged
from tests.outcome import failure

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
        NAMED, OFFSETS, np.array([5, 9]), content=np.array(["abcde", "abcdefghi"], dtype=object),
        omission=np.array([NO_CODE, 1]), categories=("a", "b"),
    )  # fmt: skip
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


def test_faults_are_exchanged_with_the_spans_and_stay_when_these_move():
    mine, theirs = exchanged(side(), side(instruction_fault=np.array([2, 1])), np.array([True, False]))
    assert mine.instruction_fault.tolist() == [2, NO_CODE]
    assert theirs.instruction_fault.tolist() == [NO_CODE, 1]
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


def test_fixed_submissions_share_the_gold():
    batches = KIND.fixed_submissions(Random(1), 6)
    golds = [KIND.plain(batch)["gold"] for batch in batches]
    assert len(batches) == 3
    assert golds[0] == golds[1] == golds[2]


def test_every_constant_and_the_gold_are_answers():
    batch = KIND.fixed_submissions(Random(1), 4)[0]
    for answers in KIND.constants(batch):
        assert len(KIND.with_answers(batch, answers)) == len(batch)
    plain = KIND.plain(KIND.audit.perfect(KIND.fixed_submissions(Random(2), 4)[0]))
    assert plain["gold"] == plain["predicted"]
    assert len(KIND.audit.generate(np.random.default_rng(1)).batch) > 100


GOLD = [[(0, 4, "minor"), (2, 2, "critical")], []]


def test_names_and_codes_of_severities_are_the_same():
    by_name, by_code = (Spans.from_plain(GOLD, [[(1, 3, severity)], []]) for severity in ("major", 1))
    assert by_name.predicted.values.tolist() == by_code.predicted.values.tolist() == [[1, 3, 1]]
    assert by_name.gold.values.tolist() == [[0, 4, 0], [2, 2, 2]]
    assert by_name.gold.lengths.tolist() == [2, 0]


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
    assert failure(DataError, Spans.from_plain, GOLD, predicted).startswith(message)


def test_a_gold_without_spans_and_faults_is_warned_of():
    assert "no span" in Spans.from_plain([[]], [[]]).gold_warning()
    assert Spans.from_plain(GOLD, [[], []]).gold_warning() == ""
    assert Spans.from_plain([[]], [[]], omission=(["minor"], [None])).gold_warning() == ""


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


def test_texts_are_held_for_pictures_and_taken_with_their_segments():
    batch = Spans.from_plain([[], []], [[], []], text=["abc", "de"])
    assert batch.take(np.array([1])).content.tolist() == ["de"]
    lengths, content = plain_texts(["abc", 5], 2)
    assert (lengths.tolist(), content.tolist()) == ([3, 5], ["abc", ""])
    assert plain_texts(None, 2)[1].tolist() == ["", ""]


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
