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


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (("Wort", "Worte"), "2: word 'Worte', the gold has 'Wort' (t/gold:2); tag the words of the gold, or set"),
        (("1.1\t1", "1.1\t2"), "2: word index 2 in sentence 1.1, expected 1; number the words of a sentence 0, 1"),
        (("12.3", "12"), "3: '12' is not the number of a sentence; a sentence is X.Y"),
        (("12.3", "12.1000"), "3: '12.1000' is too large; a sentence is X.Y"),
        (("Fluency", "Style"), "2: unknown tag 'Style' of word 'Wort'; the tags are OK, Fluency, Accuracy"),
        (("Wort ", "Wort x "), "2: 7 columns instead of 6 columns by blanks or tabs"),
        (("12.3\t0\tund", "1.1\t2\tund"), "1: 3 tags in sentence 1.1, the gold has 2 (t/gold:1); give one line"),
    ],
)
def test_broken_six_columns(tree, refusal, change, message):
    tree({"t/gold": SIX_GOLD, "t/submissions/a": SIX_GOLD.replace(*change)})
    assert refusal(SIX(column="level1"), "t").startswith("t/submissions/a:" + message)


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


@pytest.mark.parametrize(
    ("tokens", "text", "message"),
    [
        ("words", "Ein Wort\n", "t/words:1: 1 line for 2 sentences in t/gold.tags; give the tokens"),
        ("words", "Ein\nda\n", "t/words:1: 1 token, 2 expected: the tags in t/gold.tags:1; give the tokens"),
        ("other", "Ein Wort\nda\n", "t/other: there is no such file"),
        ("a/b", "Ein Wort\nda\n", "tokens = 'a/b' must be the name of a file; put the file into t"),
    ],
)
def test_broken_tokens(tree, refusal, tokens, text, message):
    tree({**GOLD, "t/words": text, "t/submissions/a": FIVE_LINES})
    assert refusal(FIVE(tokens=tokens), "t").startswith(message)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("OK BAD\nBAD\n", " looks like plain tag lines, not like 5 columns by tabs (METHOD SEG WORD_INDEX WORD TAG)"),
        (FIVE_LINES.replace("TEAM\t01", "YOU\t01"), "3: METHOD 'YOU' after 'TEAM'; a file has one"),
        (FIVE_LINES.replace("TEAM", " "), "1: the METHOD has no name; name the submission"),
        (FIVE_LINES.replace("Ein\t", "Ein "), "1: 4 columns instead of 5 columns by tabs"),
        (FIVE_LINES + "\nTEAM\t1\t2\t.\tOK", "4: word index 2 in sentence 1, expected 1; number the words"),
        (FIVE_LINES + "\nTEAM\t0\t2\t.\tOK", "4: word index 2 in sentence 0, expected 0; number the words"),
        (FIVE_LINES.replace("Wort\tBAD", "Wort\tSO"), "2: unknown tag 'SO' of word 'Wort'; the tags are OK, ok, GOOD"),
    ],
)
def test_broken_five_columns(tree, refusal, text, message):
    tree({**GOLD, "t/submissions/a": text})
    assert refusal(FIVE(), "t").startswith("t/submissions/a:" + message)


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


def test_a_stream_that_the_layout_has_not():
    message = "stream=gaps asks for one of two streams, layout=words has one; set layout=words_and_gaps, or leave"
    with pytest.raises(DataError, match=f"^{message}"):
        LINES(stream="gaps")


SEVEN = "7 columns by tabs (LP METHOD"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("OK BAD\nGUT\n", "2: unknown tag 'GUT', word 1 of the line; "),
        ("OK\nBAD\n", "1: 1 tag in sentence 1, the gold has 2 (t/gold.tags:1); give one tag for each tag"),
    ],
)
def test_broken_tag_lines(tree, refusal, text, message):
    tree({**GOLD, "t/submissions/a": text})
    assert refusal(LINES(), "t").startswith("t/submissions/a:" + message)


@pytest.mark.parametrize(
    ("text", "layout", "reader"),
    [
        ("M\t0\t0\tw\tOK\n", "5 columns by tabs (METHOD SEG WORD_INDEX WORD TAG)", "word_columns_2015"),
        ("TEAM\t0\t0\tzwei Worte\tOK\n", "5 columns by tabs (METHOD SEG WORD_INDEX WORD TAG)", "word_columns_2015"),
        (
            "en-de\tm\tMT\t0\t0\tEin\tOK\n",
            f"{SEVEN} TYPE SENT_ID WORD_IDX WORD TAG) after 0 header lines",
            "word_columns_2020(header_lines=0)",
        ),
        ("1.1\t0\tw OK OK OK\n", "six columns (sentence, index, word, three tags)", "word_columns_2014"),
        ("1\n2\n3\nen-de\tx\t0\t.5\n", "scores of sentences after 3 header lines", "qe_sentence(header_lines=3)"),
        (
            "1\nen-de\tx\t0\tWort\t-1\t-1\tno-error\n",
            f"{SEVEN} SEG TARGET STARTS ENDS TYPES) after 1 header line",
            "spans_2023(header_lines=1)",
        ),
    ],
)
def test_files_in_another_layout(tree, refusal, text, layout, reader):
    tree({**GOLD, "t/submissions/a": text})
    ways = f"write it in the latter layout, or use reader={reader}"
    assert refusal(LINES(), "t") == f"t/submissions/a: looks like {layout}, not like plain tag lines; {ways}"


def test_words_and_gaps_need_an_odd_number_of_tags(tree, refusal):
    tree({"t/gold.tags": "OK BAD OK\nOK BAD\n", "t/submissions/a": "OK"})
    message = (
        "t/gold.tags:2: 2 tags, expected an odd number: N words and N + 1 gaps; "
        "give the tags of the gaps too, or set layout=words"
    )
    assert refusal(LINES(layout="words_and_gaps"), "t") == message


@pytest.mark.parametrize("text", ["OK BAD\nBAD\n", "OK BAD\nOK\n", "BAD\nOK\n"])
def test_a_missing_line_may_be_any(tree, refusal, text):
    tree({"t/gold.tags": "OK BAD\nBAD\nOK\n", "t/submissions/a": text})
    message = "t/submissions/a: 2 lines of tags, the gold has 3 (t/gold.tags); give one line a sentence, in the order"
    assert refusal(LINES(), "t").startswith(message)
