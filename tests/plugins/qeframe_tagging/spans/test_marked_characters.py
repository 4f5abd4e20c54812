"""Span F1 against references that walk through the characters, and the kind of batch that it works on."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from qeframe.core.errors import DataError
from qeframe.core.ragged import Ragged
from qeframe.kinds.spans import SegmentSpans, Spans

RULE_KEYS = [2023, 2025]


def marked(spans, length, rule):
    """Count the marks on every character: [minor, major]."""
    counts = [[0] * (length + 1) for _ in range(2)]
    for start, end, severity in spans:
        end = min(end, length)
        if rule == 2023 and start == end:
            end = start + 1
        for place in range(start, end):
            counts[severity != "minor"][place] += 1
    return list(zip(*counts, strict=True))


def credit_2023(gold, said):
    minor, major = (mark > 0 for mark in gold)
    if not (minor or major) or not any(said):
        return 0.0
    if minor and major:
        return 1.0
    return 1.0 if said[major] else 0.5


def credit_2025(gold, said):
    paired = sum(map(min, gold, said))
    left = [sum(max(0, a - b) for a, b in zip(*sides, strict=True)) for sides in ((gold, said), (said, gold))]
    return paired + 0.5 * min(left)


def slow(gold, predicted, text, rule):
    credit = in_gold = in_predicted = 0.0
    for truth, said, length in zip(gold, predicted, text, strict=True):
        for g, p in zip(marked(truth, length, rule), marked(said, length, rule), strict=True):
            credit += (credit_2023 if rule == 2023 else credit_2025)(g, p)
            in_gold += any(g) if rule == 2023 else sum(g)
            in_predicted += any(p) if rule == 2023 else sum(p)
    if rule == 2025 and not in_gold + in_predicted:
        return 1.0
    precision = credit / in_predicted if in_predicted else 0.0
    recall = credit / in_gold if in_gold else 0.0
    return 2 * precision * recall / (precision + recall) if precision + recall else 0.0


@st.composite
def corpora(draw):
    text = draw(st.lists(st.integers(1, 15), max_size=4))
    severity = st.sampled_from(["minor", "major", "critical"])

    def side():
        return [
            [
                (start, start + draw(st.integers(0, 8)), draw(severity))
                for start in draw(st.lists(st.integers(0, length), max_size=4))
            ]
            for length in text
        ]

    return side(), side(), text


@pytest.mark.parametrize("rule", RULE_KEYS)
@given(corpus=corpora())
def test_equals_the_definition(measure, rule, corpus):
    gold, predicted, text = corpus
    found = measure(f"span_f1(rule={rule})", gold, predicted, text=text, beyond="clip")
    assert found == pytest.approx(slow(gold, predicted, text, rule), abs=1e-12)
    assert 0 <= found <= 1


def test_checks_of_the_conventions(measure):
    gold, predicted = [[(0, 10, "major")]], [[(5, 12, "minor")]]
    for rule in RULE_KEYS:
        assert round(measure(f"span_f1(rule={rule})", gold, predicted), 4) == 0.2941
    both = [[(0, 10, "major"), (0, 10, "minor")]]
    assert measure("span_f1(rule=2023)", gold, both) == 1
    assert round(measure("span_f1(rule=2025)", gold, both), 4) == 0.6667


@pytest.mark.parametrize(("rule", "neither"), [(2023, 0.0), (2025, 1.0)])
def test_degenerate_cases(measure, named, rule, neither):
    name = f"span_f1(rule={rule})"
    assert named(name).degenerate == neither
    assert measure(name, [[], []], [[], []]) == neither
    assert measure(name, [], []) == neither
    assert measure(name, [[]], [[(0, 3, "minor")]]) == 0
    assert measure(name, [[(0, 3, "minor")]], [[]]) == 0


def test_empty_spans_and_ends_beyond_the_text(measure):
    gold = [[(2, 3, "major")]]
    assert measure("span_f1(rule=2023)", gold, [[(2, 2, "major")]], text=[10]) == 1
    assert measure("span_f1(rule=2025)", gold, [[(2, 2, "major")]], text=[10]) == 0
    for rule in RULE_KEYS:
        assert measure(f"span_f1(rule={rule})", gold, [[(2, 99, "major")]], text=["abc"], beyond="clip") == 1
        assert measure(f"span_f1(rule={rule})", gold, [[(2, 3, "critical")]], text=["abc"]) == 1


def test_segments_do_not_touch(measure):
    gold, predicted = [[(0, 3, "minor")], [(0, 1, "major")]], [[(0, 3, "minor")], []]
    assert measure("span_f1", gold, predicted, text=[3, 1]) == 2 * 3 / (4 + 3)


@given(corpus=corpora(), seed=st.integers(0, 99))
def test_units_are_taken_and_exchanged_whole(corpus, seed):
    gold, predicted, text = corpus
    mine, other = (Spans.from_plain(gold, side, text=text, beyond="clip") for side in (predicted, gold))
    rng = np.random.default_rng(seed)
    mask = rng.random(len(mine)) < 0.5
    swapped, given_away = mine.swap_answers(other, mask)
    for row, exchanged in enumerate(mask):
        np.testing.assert_array_equal(swapped.predicted[row], (other if exchanged else mine).predicted[row])
        np.testing.assert_array_equal(given_away.predicted[row], (mine if exchanged else other).predicted[row])
    some = rng.integers(0, max(1, len(mine)), size=len(mine))
    cut = mine.take(some)
    assert cut.text.tolist() == [text[i] for i in some]
    assert [row.tolist() for row in cut.gold] == [mine.gold[i].tolist() for i in some]


def test_pair_checks_the_texts():
    spans = Ragged(np.array([[0, 2, 1]]), np.array([0, 1, 1]))
    sides = [SegmentSpans(spans.values, spans.offsets, np.array(text)) for text in ([5, 6], [5, 7])]
    ids = np.array([10, 11])
    assert Spans.pair(ids=ids, gold=sides[0], predicted=spans).text.tolist() == [5, 6]
    assert sides[0].take(np.array([1])).text.tolist() == [6]
    with pytest.raises(DataError, match="the number of characters of segment 11 differs"):
        Spans.pair(ids=ids, gold=sides[0], predicted=sides[1])


@pytest.mark.parametrize(
    ("gold", "predicted", "message"),
    [
        (None, [[]], "gold spans are missing"),
        ([[]], "text", "predicted spans are text"),
        ([[]], [[], []], "number of segments differs: 1 gold and 2 predicted ones"),
        ([[(0, 1)]], [[]], "segment 0 of gold is not a span; write"),
        ([[]], [[(0, 1, "huge")]], "segment 0 of predicted is not a span; write"),
        ([[(3, 1, "minor")]], [[]], "must have 0 <= start <= end"),
        ([[(-1, 1, "minor")]], [[]], "must have 0 <= start <= end"),
    ],
)
def test_what_is_no_batch(gold, predicted, message):
    with pytest.raises(DataError, match=message):
        Spans.from_plain(gold, predicted)


@pytest.mark.parametrize("side", [0, 1])
def test_spans_beyond_the_text_are_refused_unless_asked_for(side):
    sides = [[[(0, 3, "minor")], [(1, 4, "major")]]] * 2
    sides[1 - side] = [[], []]
    assert Spans.from_plain(*sides, text=["abc", "abcd"]).text.tolist() == [3, 4]
    which = ("gold", "predicted")[side]
    with pytest.raises(
        DataError, match=f"a span from 1 to 4 in segment 1 of {which}, whose text has 3 characters; mark"
    ):
        Spans.from_plain(*sides, text=["abc", "abc"])
    assert Spans.from_plain(*sides, text=["abc", "abc"], beyond="clip").text.tolist() == [3, 3]


def test_number_of_texts():
    with pytest.raises(DataError, match="1 gold and 1 predicted ones, 2 texts"):
        Spans.from_plain([[]], [[]], text=["a", "b"])


def test_a_missing_answer_has_no_worst():
    with pytest.raises(DataError, match="drop_for_all"):
        Spans.worst_answers(None, None)
