"""The six columns of 2014, the five of 2015 to 2017, and tag lines: of words, of words and gaps, and of the source."""

import numpy as np
import pytest

import qeframe
from qeframe.core.calls import Parametric
from qeframe.core.errors import DataError
from qeframe.core.metric import Metric
from qeframe.data.align import align
from qeframe_wmt import tag_lines, word_columns_2014, word_columns_2015
from tests.plugins.qeframe_wmt.readings import only as read
from tests.plugins.qeframe_wmt.readings import rows

SIX = Parametric(word_columns_2014)
SIX_GOLD = "1.1\t0\tein  OK\tOK\tOK\n1.1\t1\tWort Word_order\tFluency\tBAD\n12.3\t0\tund Untranslated\tAccuracy\tBAD\n"


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


def test_columns_that_contradict_each_other(tree):
    """The submissions of 2014 have such lines, and the official script takes them."""
    tree({"t/gold": SIX_GOLD, "t/submissions/a": SIX_GOLD.replace("Word_order\tFluency", "OK\tAccuracy")})
    assert rows(read(SIX(column="level1")).submissions[0]) == [[0, 2], [2]]


@pytest.mark.parametrize(("column", "other"), [("binary", "fine"), ("fine", "binary"), ("level1", "fine")])
def test_a_column_that_is_not_scored_may_hold_anything(tree, refusal, column, other):
    wrong = {"fine": ("Word_order", "BAD"), "binary": ("BAD", "1")}
    tree({"t/gold": SIX_GOLD, "t/submissions/a": SIX_GOLD.replace(*wrong[other])})
    reading = read(SIX(column=column))
    assert rows(reading.submissions[0]) == rows(reading.gold)
    assert refusal(SIX(column=other), "t").startswith("t/submissions/a:2: unknown tag")


def test_sentences_of_2014_are_called_by_their_numbers(tree):
    without = SIX_GOLD[: SIX_GOLD.index("12.3")]
    tree({"t/gold": SIX_GOLD, "t/submissions/a": without, "t/submissions/b": SIX_GOLD.replace("OK\tBAD", "BAD\tBAD")})
    with pytest.raises(DataError, match=r"^t/submissions/a: segment 12\.3 is missing in a: 1 of 2 segments are there"):
        align(read(SIX()))
    found = qeframe.evaluate("wmt14_qe_word", "t", settings=["missing=score_as_worst"], explain=True)
    worst = next(s for s in found.submissions if s.name == "a").scores[found.primary].details["worst_units"]
    assert [unit["name"] for unit in worst] == ["12.3"]


FIVE = Parametric(word_columns_2015)
GOLD = {"t/gold.tags": "OK BAD\nBAD\n"}
FIVE_LINES = "TEAM\t0\t0\tEin\tOK\nTEAM\t0\t1\tWort\tBAD\nTEAM\t01\t0\tda\tBAD"


def test_five_columns(tree):
    tree({**GOLD, "t/submissions/file.txt": FIVE_LINES})
    reading = read(FIVE())
    assert [(side.name, rows(side)) for side in reading.submissions] == [("TEAM", [[0, 1], [1]])]
    assert reading.submissions[0].lines.tolist() == [1, 3]
    assert len(reading.inputs) == 2


def test_a_sentence_without_tags_needs_no_line_of_a_table(tree):
    text = "TEAM\t0\t0\tEin\tOK\nTEAM\t2\t0\tda\tBAD"
    tree({"t/gold": "OK\n\nBAD\n", "t/mt_tok": "Ein\n\nda\n", "t/submissions/a": text})
    (batch,) = align(read(FIVE())).batches.values()
    assert [row.tolist() for row in batch.predicted] == [[0], [], [1]]
    assert batch.ids.tolist() == [0, 1, 2]


def test_tokens_are_compared_where_they_are(tree, refusal):
    tree({**GOLD, "t/mt_tok": "Ein Wort\nDa\n", "t/submissions/a": FIVE_LINES})
    message = (
        "t/submissions/a:3: word 'da', the gold has 'Da' (t/mt_tok:2); tag the words of the gold, or set "
        "compare=case_insensitive or compare=no in the reader"
    )
    assert refusal(FIVE(), "t") == message
    assert [put.path for put in read(FIVE(compare="case_insensitive")).inputs][-1] == "mt_tok"
    read(FIVE(compare="no"))


LINES = Parametric(tag_lines)


@pytest.mark.parametrize(
    ("options", "gold", "expected"),
    [
        ({}, "OK BAD\n\nBAD", [[0, 1], [], [1]]),
        ({"layout": "source"}, "OK BAD", [[0, 1]]),
        ({"layout": "words_and_gaps"}, "OK BAD OK\n\nOK BAD OK OK BAD", [[0, 1, 0], [], [0, 1, 0, 0, 1]]),
        ({"layout": "words_and_gaps", "stream": "words"}, "OK BAD OK\n\nOK BAD OK OK BAD", [[1], [], [1, 0]]),
        ({"layout": "words_and_gaps", "stream": "gaps"}, "OK BAD OK\n\nOK BAD OK OK BAD", [[0, 0], [], [0, 0, 1]]),
        ({"layout": "words_and_gaps", "stream": "gaps"}, "BAD", [[1]]),
    ],
)
def test_layouts_and_streams(tree, options, gold, expected):
    tree({"t/gold.tags": gold, "t/submissions/a.b.tags": gold})
    reading = read(LINES(**options))
    assert (rows(reading.gold), reading.gold.ids.tolist()) == (expected, list(range(len(expected))))
    assert [(side.name, rows(side)) for side in reading.submissions] == [("a.b", expected)]
    assert reading.groups == {"length": ["1-10" if row else "0" for row in expected]}


def test_sentences_are_grouped_by_length(tree):
    lines = "\n".join(" ".join(["OK"] * count) for count in (1, 10, 11, 20, 21, 30, 31, 99))
    tree({"t/gold.tags": lines, "t/submissions/a": lines})
    labels = ["1-10", "1-10", "11-20", "11-20", "21-30", "21-30", "31+", "31+"]
    assert align(read(LINES())).groups == {"length": tuple(labels)}
