"""F1 by exact spans of BAD, against values by hand and a slow reference."""

import itertools

import numpy as np
import pytest
from hypothesis import given

from qeframe.kinds.tags.batch import Tags
from tests.examples import FEWER
from tests.plugins.qeframe_tagging.test_phrase_metrics import phrases_of, sides

NAME = "exact_span_f1_bad"


def slow(gold, predicted):
    of_gold, of_predicted = ({span for span in phrases_of(side) if span[3] == "BAD"} for side in (gold, predicted))
    every = len(of_gold) + len(of_predicted)
    return 2 * len(of_gold & of_predicted) / every if every else 0.0


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
    assert measure(NAME, tagged(gold), tagged(predicted)) == pytest.approx(expected, abs=1e-12)


@FEWER
@given(pair=sides())
def test_equals_the_definition(measure, pair):
    assert measure(NAME, *pair) == pytest.approx(slow(*pair), abs=1e-12)


@FEWER
@given(pair=sides(tags=("OK", "BAD", "BAD_omission")))
def test_two_bad_classes_side_by_side_are_two_spans(measure, pair):
    assert measure(NAME, *pair, classes=("OK", "BAD", "BAD_omission")) == pytest.approx(slow(*pair), abs=1e-12)


def test_every_tagging_of_a_short_sentence(metric):
    every = [list(tags) for tags in itertools.product(("OK", "BAD"), repeat=5)]
    for predicted in every:
        batch = Tags.from_plain(every, [predicted] * len(every))
        each = metric(NAME).bind(batch)(np.eye(len(every)))
        assert each.tolist() == [slow([gold], [predicted]) for gold in every]
