"""The five columns of 2015 to 2017."""

from pathlib import Path

import pytest

from qeframe.core.components.parametric import Parametric
from qeframe.data.align import align
from qeframe_wmt import word_columns_2015

FIVE = Parametric(word_columns_2015)
GOLD = {"t/gold.tags": "OK BAD\nBAD\n"}
FIVE_LINES = "TEAM\t0\t0\tEin\tOK\nTEAM\t0\t1\tWort\tBAD\nTEAM\t01\t0\tda\tBAD"


def rows(side):
    return [row.tolist() for row in side.values]


def read(reader, path="t"):
    (reading,) = reader.read(Path(path), "low")
    return reading


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
        "t/submissions/a:3: word 'da', but 'Da' expected as in t/mt_tok:2; tag the words of the gold, or set "
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
        (
            "OK BAD\nBAD\n",
            "a:1: looks like plain tag lines, not like 5 columns by tabs (METHOD SEG WORD_INDEX WORD TAG)",
        ),
        (FIVE_LINES.replace("TEAM\t01", "YOU\t01"), "a:3: METHOD 'YOU' after 'TEAM'; a file has one"),
        (FIVE_LINES.replace("TEAM", " "), "a:1: the METHOD has no name; name the submission"),
        (FIVE_LINES.replace("Ein\t", "Ein "), "a:1: 4 columns instead of 5 columns by tabs"),
        (FIVE_LINES + "\nTEAM\t1\t2\t.\tOK", "a:4: word index 2 in sentence 1, expected 1; number the words"),
        (FIVE_LINES + "\nTEAM\t0\t2\t.\tOK", "a:4: word index 2 in sentence 0, expected 0; number the words"),
        (
            FIVE_LINES.replace("Wort\tBAD", "Wort\tSO"),
            "a:2: unknown tag 'SO' of word 'Wort'; the tags are OK, ok, GOOD",
        ),
    ],
)
def test_broken_five_columns(tree, refusal, text, message):
    tree({**GOLD, "t/submissions/a": text})
    assert refusal(FIVE(), "t").startswith("t/submissions/" + message)
