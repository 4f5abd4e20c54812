"""Tag lines, of words, of words and gaps, and of the source."""

from pathlib import Path

import pytest

from qeframe.core.components.parametric import Parametric
from qeframe.core.errors import DataError
from qeframe.data.align import align
from qeframe_wmt import tag_lines

LINES = Parametric(tag_lines)
GOLD = {"t/gold.tags": "OK BAD\nBAD\n"}


def rows(side):
    return [row.tolist() for row in side.values]


def read(reader, path="t"):
    (reading,) = reader.read(Path(path), "low")
    return reading


def seven(*words, kind="MT", pair="en-de"):
    return "".join(f"{pair}\tmy model\t{kind}\t{s}\t{i}\t{word}\t{tag}\n" for s, i, word, tag in words)


WORDS = ((0, 0, "Ein", "OK"), (0, 1, "<EOS>", "OK"), (1, 0, "<EOS>", "BAD"))


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


@pytest.mark.parametrize(
    ("reader", "text", "message"),
    [
        (LINES(), "OK BAD\nGUT\n", "a:2: unknown tag 'GUT', word 1 of the line; "),
        (LINES(), "OK\nBAD\n", "a:1: 1 tag in sentence 1, 2 expected as in t/gold.tags:1; give one tag for each tag"),
        (
            LINES(),
            "M\t0\t0\tw\tOK\n",
            "a:1: looks like 5 columns by tabs (METHOD SEG WORD_INDEX WORD TAG), not like plain tag lines; "
            "use reader=word_columns_2015",
        ),
        (
            LINES(),
            seven(*WORDS),
            "a:1: looks like 7 columns by tabs (LP METHOD TYPE SENT_ID WORD_IDX WORD TAG) after 0 header lines, not "
            "like plain tag lines; use reader=word_columns_2020(header_lines=0)",
        ),
        (
            LINES(),
            "1.1\t0\tw OK OK OK\n",
            "a:1: looks like six columns (sentence, index, word, three tags), not like plain tag lines; "
            "use reader=word_columns_2014",
        ),
        (
            LINES(),
            "1\n2\n3\nen-de\tx\t0\t.5\n",
            "a:1: looks like scores of sentences after 3 header lines, not like plain tag lines; "
            "use reader=qe_sentence(header_lines=3)",
        ),
        (
            LINES(),
            "1\nen-de\tx\t0\tWort\t-1\t-1\tno-error\n",
            "a:1: looks like 7 columns by tabs (LP METHOD SEG TARGET STARTS ENDS TYPES) after 1 header line, not like "
            "plain tag lines; use reader=spans_2023(header_lines=1)",
        ),
    ],
)
def test_broken_tag_lines(tree, refusal, reader, text, message):
    tree({**GOLD, "t/submissions/a": text})
    assert refusal(reader, "t").startswith("t/submissions/" + message)


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
    message = "t/submissions/a: 2 lines of tags, 3 expected as in t/gold.tags; give one line a sentence, in the order"
    assert refusal(LINES(), "t").startswith(message)


def test_rows_of_phrases_are_not_taken_for_those_of_2014(tree, refusal):
    tree({**GOLD, "t/submissions/a": "TEAM\t0\t0\tzwei Worte\tOK\n"})
    assert "looks like 5 columns by tabs" in refusal(LINES(), "t")
