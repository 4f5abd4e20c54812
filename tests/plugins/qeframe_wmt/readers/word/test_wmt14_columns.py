"""The six columns of 2014."""

from pathlib import Path

import numpy as np
import pytest

import qeframe
from qeframe.core.components.metric import Metric
from qeframe.core.components.parametric import Parametric
from qeframe.core.errors import DataError
from qeframe.data.align import align
from qeframe_wmt import word_columns_2014

SIX = Parametric(word_columns_2014)
SIX_GOLD = "1.1\t0\tein  OK\tOK\tOK\n1.1\t1\tWort Word_order\tFluency\tBAD\n12.3\t0\tund Untranslated\tAccuracy\tBAD\n"


def rows(side):
    return [row.tolist() for row in side.values]


def read(reader, path="t"):
    (reading,) = reader.read(Path(path), "low")
    return reading


@pytest.mark.parametrize(
    ("column", "classes", "expected"),
    [
        ("binary", ("OK", "BAD"), [[0, 1], [1]]),
        ("level1", ("OK", "Fluency", "Accuracy"), [[0, 1], [2]]),
        ("fine", None, [[0, 20], [6]]),
    ],
)
def test_six_columns(tree, registry, column, classes, expected):
    tree({"t/gold.tsv": SIX_GOLD, "t/submissions/a": SIX_GOLD.lower().replace("\n", "\r\n")})
    reading = read(SIX(column=column, compare="case_insensitive"))
    assert rows(reading.gold) == rows(reading.submissions[0]) == expected
    assert (reading.gold.ids.tolist(), reading.gold.lines.tolist()) == ([1001, 12003], [1, 3])
    found = reading.gold.values.classes
    assert found == classes or (found[0], found[6], found[20], len(found)) == ("OK", "Untranslated", "Word_order", 21)
    (batch,) = align(reading).batches.values()
    assert registry.get(Metric, "f1_weighted(classes=non_ok)").bind(batch)(np.ones(2)) == 1


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (("Wort", "Worte"), "a:2: word 'Worte', but 'Wort' expected as in t/gold:2; tag the words of the gold, or set"),
        (("1.1\t1", "1.1\t2"), "a:2: word index 2 in sentence 1.1, expected 1; number the words of a sentence 0, 1"),
        (("12.3", "12"), "a:3: '12' is not the number of a sentence; a sentence is X.Y"),
        (("12.3", "12.1000"), "a:3: '12.1000' is too large; a sentence is X.Y"),
        (("Fluency", "Style"), "a:2: unknown tag 'Style' of word 'Wort'; the tags are OK, Fluency, Accuracy"),
        (
            ("Word_order", "Wordorder"),
            "a:2: unknown tag 'Wordorder' of word 'Wort'; the tags are OK, Accuracy, Addition",
        ),
        (("BAD", "WRONG"), "a:2: unknown tag 'WRONG' of word 'Wort'; the tags are OK, BAD"),
        (("Wort ", "Wort x "), "a:2: 7 columns instead of 6 columns by blanks or tabs"),
        (("12.3\t0\tund", "1.1\t2\tund"), "a:1: 3 tags in sentence 1.1, 2 expected as in t/gold:1; give one line"),
    ],
)
def test_broken_six_columns(tree, refusal, change, message):
    tree({"t/gold": SIX_GOLD, "t/submissions/a": SIX_GOLD.replace(*change)})
    assert refusal(SIX(column="level1"), "t").startswith("t/submissions/" + message)


def test_columns_that_contradict_each_other(tree):
    """The submissions of 2014 have such lines, and the official script takes them."""
    tree({"t/gold": SIX_GOLD, "t/submissions/a": SIX_GOLD.replace("Word_order\tFluency", "OK\tAccuracy")})
    assert rows(read(SIX(column="level1")).submissions[0]) == [[0, 2], [2]]


def test_sentences_of_2014_are_called_by_their_numbers(tree):
    without = SIX_GOLD[: SIX_GOLD.index("12.3")]
    tree({"t/gold": SIX_GOLD, "t/submissions/a": without, "t/submissions/b": SIX_GOLD.replace("OK\tBAD", "BAD\tBAD")})
    with pytest.raises(DataError, match=r"^t/submissions/a: segment 12\.3 is missing in a: 1 of 2 segments are there"):
        align(read(SIX()))
    found = qeframe.evaluate("wmt14_qe_word", "t", settings=["missing=score_as_worst"], explain=True)
    worst = next(s for s in found.submissions if s.name == "a").scores[found.primary].details["worst_units"]
    assert [unit["name"] for unit in worst] == ["12.3"]
