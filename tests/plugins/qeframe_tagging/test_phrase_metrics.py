"""F1 of spans of tags, by exact spans and by the four readings of phrase-level F1, against slow references."""

import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from qeframe.core.errors import DataError
from qeframe.kinds.tags.batch import Tags
from qeframe_tagging import phrase_shares
from tests.examples import FEWER

READINGS = ["literal", "clipped", "softconf", "symmetric"]


def phrases_of(sentences):
    """List the spans of all sentences: (sentence, start, end, tag)."""
    for number, tags in enumerate(sentences):
        start = 0
        for tag, group in itertools.groupby(tags):
            length = len(list(group))
            yield number, start, start + length, tag
            start += length


def share(other, number, start, end, tag):
    return sum(each == tag for each in other[number][start:end]) / (end - start)


def ratio(a, b):
    return a / b if b else 0.0


def slow(gold, predicted, tag, reading):
    of_gold, of_predicted = list(phrases_of(gold)), list(phrases_of(predicted))
    mine = [span for span in of_gold if span[3] == tag]
    said = [span for span in of_predicted if span[3] == tag]
    hits = sum(share(predicted, *span) for span in mine)
    precision, recall = ratio(hits, len(said)), ratio(hits, len(mine))
    if reading == "clipped":
        precision = min(precision, 1.0)
    elif reading == "symmetric":
        precision = ratio(sum(share(gold, *span) for span in said), len(said))
    elif reading == "softconf":
        false = sum(share(predicted, *span[:3], tag) for span in of_gold if span[3] != tag)
        precision = ratio(hits, hits + false)
    return ratio(2 * precision * recall, precision + recall)


@st.composite
def sides(draw, tags=("OK", "BAD")):
    lengths = draw(st.lists(st.integers(0, 14), max_size=6))
    side = [st.lists(st.sampled_from(tags), min_size=n, max_size=n) for n in lengths]
    return [draw(one) for one in side], [draw(one) for one in side]


@pytest.mark.parametrize("reading", READINGS)
@FEWER
@given(pair=sides())
def test_equals_the_definition(measure, reading, pair):
    bad, ok = slow(*pair, "BAD", reading), slow(*pair, "OK", reading)
    assert measure(f"phrase_f1_bad(reading={reading})", *pair) == pytest.approx(bad, abs=1e-12)
    assert measure(f"phrase_f1_ok(reading={reading})", *pair) == pytest.approx(ok, abs=1e-12)
    assert measure(f"phrase_f1_mult(reading={reading})", *pair) == pytest.approx(bad * ok, abs=1e-12)


@pytest.mark.parametrize("reading", READINGS)
@FEWER
@given(pair=sides(tags=("OK", "BAD", "BAD_omission")))
def test_equals_the_definition_for_three_classes(measure, reading, pair):
    classes = ("OK", "BAD", "BAD_omission")
    found = measure(f"phrase_f1_bad(reading={reading})", *pair, classes=classes)
    assert found == pytest.approx(slow(*pair, "BAD", reading), abs=1e-12)


@pytest.mark.parametrize("reading", READINGS)
@FEWER
@given(pair=sides())
def test_bounds(measure, named, reading, pair):
    for name in ("phrase_f1_bad", "phrase_f1_ok", "phrase_f1_mult"):
        low, high = named(f"{name}(reading={reading})").bounds
        assert low <= measure(f"{name}(reading={reading})", *pair) <= high + (1e-12 if high == 1 else -1e-12)


@given(pair=sides())
def test_literal_factors_cannot_both_exceed_one(measure, pair):
    assert min(measure("phrase_f1_bad", *pair), measure("phrase_f1_ok", *pair)) <= 1 + 1e-12


@given(pair=sides())
def test_shares_count_spans(pair):
    batch = Tags.from_plain(*pair)
    shares = phrase_shares(batch).sum(axis=0)
    for side, sentences, axis in ((0, pair[0], 1), (1, pair[1], 0)):
        tags = [tag for *_, tag in phrases_of(sentences)]
        np.testing.assert_allclose(shares[side].sum(axis=axis), [tags.count("OK"), tags.count("BAD")], atol=1e-12)


@pytest.mark.parametrize(("reading", "value"), list(zip(READINGS, [4 / 3, 1, 0.8, 0.8], strict=True)))
def test_the_counter_example_of_the_docstring(measure, reading, value):
    gold, all_bad = [["BAD", "OK", "BAD"]], [["BAD"] * 3]
    assert measure(f"phrase_f1_bad(reading={reading})", gold, all_bad) == pytest.approx(value, abs=1e-12)
    assert measure(f"phrase_f1_bad(reading={reading})", gold, gold) == pytest.approx(1, abs=1e-12)


@pytest.mark.parametrize("reading", READINGS)
def test_literal_comes_near_two_and_no_other_above_one(measure, reading):
    gold = [["BAD", "OK"] * 500]
    score = measure(f"phrase_f1_bad(reading={reading})", gold, [["BAD"] * 1000])
    assert (1.99 < score < 2) if reading == "literal" else score <= 1


@pytest.mark.parametrize("reading", READINGS)
@pytest.mark.parametrize("side", [[], [[]], [["OK", "OK"]]])
def test_degenerate_is_zero(measure, reading, side):
    assert measure(f"phrase_f1_bad(reading={reading})", side, side) == 0
    assert measure(f"phrase_f1_mult(reading={reading})", side, side) == 0


def test_a_constant_tagging_scores_zero_in_the_product(measure):
    gold = [["OK", "BAD", "OK"], ["BAD"]]
    for tag, reading in itertools.product(("OK", "BAD"), READINGS):
        assert measure(f"phrase_f1_mult(reading={reading})", gold, [[tag] * 3, [tag]]) == 0


def test_the_product_is_for_two_classes(measure):
    with pytest.raises(DataError, match="defined for OK and BAD"):
        measure("phrase_f1_mult", [["OK", "BAD", "GAP"]], [["OK", "BAD", "OK"]], classes=["OK", "BAD", "GAP"])


EXACT = ["exact_span_f1", "exact_span_precision", "exact_span_recall"]


def slow_exact(gold, predicted, tag="BAD"):
    """Return F1, precision and recall of sets of spans."""
    of_gold, of_predicted = ({span for span in phrases_of(side) if span[3] == tag} for side in (gold, predicted))
    right = len(of_gold & of_predicted)
    of_both = ratio(2 * right, len(of_gold) + len(of_predicted))
    return of_both, ratio(right, len(of_predicted)), ratio(right, len(of_gold))


def tagged(text):
    return [["BAD" if letter == "B" else "OK" for letter in sentence] for sentence in text.split("|")]


@pytest.mark.parametrize(
    ("gold", "predicted", "expected"),
    [
        ("BOB", "BOB", 1.0),
        ("BOB", "BBB", 0.0),
        ("OBBO", "OBOO", 0.0),
        ("OBBO", "OBBB", 0.0),
        ("OBBOB", "OBBOO", 2 / 3),
        ("BBOBOB", "BBOOBB", 2 / 5),
        ("BB|BB", "BB|OB", 2 / 4),
        ("B|B", "B|B", 1.0),
        ("OO", "OO", 0.0),
        ("OO", "BB", 0.0),
        ("BB", "OO", 0.0),
        ("", "", 0.0),
    ],
)
def test_values_by_hand(measure, gold, predicted, expected):
    assert measure("exact_span_f1", tagged(gold), tagged(predicted)) == pytest.approx(expected, abs=1e-12)


@pytest.mark.parametrize(
    ("gold", "predicted", "precision", "recall"),
    [("BBOBOB", "BBOOBB", 1 / 2, 1 / 3), ("OO", "BB", 0, 0), ("BB", "OO", 0, 0), ("BOBB", "OOBB", 1, 1 / 2)],
)
def test_precision_and_recall_by_hand(measure, gold, predicted, precision, recall):
    assert measure("exact_span_precision", tagged(gold), tagged(predicted)) == precision
    assert measure("exact_span_recall", tagged(gold), tagged(predicted)) == pytest.approx(recall, abs=1e-12)


@FEWER
@given(pair=sides())
def test_equals_the_definition_exact(measure, pair):
    for tag in ("BAD", "OK"):
        scores = [measure(f"{name}(tag={tag})", *pair) for name in EXACT]
        assert scores == pytest.approx(slow_exact(*pair, tag), abs=1e-12)


@FEWER
@given(pair=sides(tags=("OK", "BAD", "BAD_omission")))
def test_two_bad_classes_side_by_side_are_two_spans(measure, pair):
    for tag in ("BAD", "BAD_omission"):
        scores = [measure(f"{name}(tag={tag})", *pair, classes=("OK", "BAD", "BAD_omission")) for name in EXACT]
        assert scores == pytest.approx(slow_exact(*pair, tag), abs=1e-12)


@pytest.mark.parametrize("nth", [0, 1, 2])
def test_every_tagging_of_a_short_sentence(named, nth):
    every = [list(tags) for tags in itertools.product(("OK", "BAD"), repeat=5)]
    for predicted in every:
        batch = Tags.from_plain(every, [predicted] * len(every))
        each = named(EXACT[nth]).bind(batch)(np.eye(len(every)))
        assert each.tolist() == [slow_exact([gold], [predicted])[nth] for gold in every]
