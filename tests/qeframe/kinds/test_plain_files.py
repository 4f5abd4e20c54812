"""Plain gold and submission files of each kind of batch."""

import functools
import hashlib
from pathlib import Path

import pytest

from qeframe.core.task import Input
from qeframe.data.align import align
from qeframe.kinds.plain_files import plain_reading
from qeframe.plugin import Batch, DataError, Scores, Texts, Values
from tests.outcome import failure
from tests.qeframe.kinds.plain_sides import read_plain

IN_PLACE = "correct this line, as lines are units by position; a file with ids, ID NUMBER, may leave units out"

OTHER_FORMATS = (
    "the formats of shared tasks are read by 'qeframe run PROFILE PATH', a table with a header by 'qeframe run qe PATH'"
)


@pytest.fixture
def write(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)

    def write_text(name: str, text: str) -> str:
        Path(name).parent.mkdir(exist_ok=True)
        Path(name).write_text(text, encoding="utf-8")
        return name

    return write_text


refusal = functools.partial(failure, DataError)


@pytest.mark.parametrize("kind", [Values, Scores])
@pytest.mark.parametrize(
    ("text", "ids", "values"),
    [
        ("0.5\n-1\n2e1\n", [0, 1, 2], [0.5, -1, 20]),
        ("  0.5\n1\t\n", [0, 1], [0.5, 1]),
        ("7\t0.5\n03 1\n", [7, 3], [0.5, 1]),
    ],
)
def test_numbers(write, kind, text, ids, values):
    side = read_plain(kind, write("s.txt", text), name="s")
    assert (side.name, side.path) == ("s", "s.txt")
    assert (side.ids.tolist(), side.values.tolist()) == (ids, values)
    assert side.lines.tolist() == list(range(1, len(ids) + 1))


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("1\n2 3\n", "s.txt:2: 2 columns instead of 1 column (NUMBER); " + IN_PLACE),
        ("1\n\n2\n", "s.txt:2: an empty line instead of 1 column (NUMBER); " + IN_PLACE),
        ("1 2\n3\n", "s.txt:2: 1 column instead of 2 columns by blanks or tabs (ID NUMBER); repair or remove the line"),
        ("\n1\n", "s.txt:1: an empty line instead of 1 column (NUMBER); " + IN_PLACE),
        ("1 2 3\n", "s.txt:1: 3 columns, where a plain file has one (NUMBER) or two (ID NUMBER); " + OTHER_FORMATS),
        ("1\nx\n", "s.txt:2: 'x' is not a number; every line needs a number"),
        ("1\nnan\n", "s.txt:2: NaN (a missing value); every unit needs a finite number"),
        ("a 2\n-1 3\n", "s.txt:2: '-1' is not a whole number from 0; write digits only, without sign, point or blank"),
        ("1.0 2\n", "s.txt:1: '1.0' is not a whole number from 0; write digits only, without sign, point or blank"),
        (
            "en-de\tX\t0\t0.5\n",
            "s.txt:1: 4 columns, where a plain file has one (NUMBER) or two (ID NUMBER); " + OTHER_FORMATS,
        ),
    ],
)
def test_broken_files(write, text, message):
    assert refusal(read_plain, Scores, write("s.txt", text)) == message


def test_ids_are_numbers_or_texts_and_a_number_may_be_absent(write):
    write("gold.txt", "22.11.06-19 1\nd 2\n7 3\nx 4\nNA 5\n")
    write("a.txt", "7 0.3\nd 0.2\nx None\nNA 0.5\n22.11.06-19 0.1\n")
    reading = plain_reading(Scores, "gold.txt", ["a.txt"])
    assert [reading.gold.unit_name(unit) for unit in reading.gold.ids] == ["22.11.06-19", "d", "7", "x", "NA"]
    (side,) = reading.submissions
    assert (side.lines.tolist(), side.values.tolist()) == ([1, 2, 4, 5], [0.3, 0.2, 0.5, 0.1])
    assert refusal(align, reading).startswith("a.txt: segment x is missing in a: 4 of 5 segments are there")
    (batch,) = align(reading, missing="drop_for_all").batches.values()
    assert (batch.gold.tolist(), batch.predicted.tolist()) == ([1, 2, 3, 5], [0.1, 0.2, 0.3, 0.5])


def test_a_kind_without_a_plain_format(write):
    class Spans(Batch):
        pass

    message = refusal(read_plain, Spans, write("s.txt", "1\n"))
    assert message.startswith("s.txt: a batch of Spans has no plain file format; ")


def test_a_reading_joins_on_ids(write):
    paths = [write("a/one.txt", "2 30\n0 10\n1 20\n"), write("b/two.x.txt", "0 1\n1 2\n2 3\n")]
    reading = plain_reading(Scores, write("gold.txt", "0 1\n1 2\n2 3\n"), paths, best="high")
    assert (reading.name, reading.best, reading.kind) == ("gold", "high", Scores)
    task = align(reading)
    found = {submission.name: batch.predicted.tolist() for submission, batch in task.batches.items()}
    assert found == {"one": [10, 20, 30], "two.x": [1, 2, 3]}
    assert [put.path for put in task.inputs] == ["gold.txt", "a/one.txt", "b/two.x.txt"]
    assert task.inputs[1] == Input("a/one.txt", hashlib.sha256(b"2 30\n0 10\n1 20\n").hexdigest())


def test_ids_in_one_file_and_none_in_another_are_not_joined(write):
    gold, path = write("gold.txt", "1\n2\n"), write("s.txt", "1 5\n2 6\n")
    assert refusal(plain_reading, Scores, gold, [path]) == (
        "s.txt:1: this file and gold.txt do not both have a column of ids; give ids to both or to neither"
    )


@pytest.mark.parametrize(
    ("gold", "submission", "said"),
    [
        ("lp\tid\tscore\nen-de\t1\t2\n", "lp,id,score\nen-de,1,2\n", "gold.tsv:1: 3 columns, where a plain file has"),
        ("1\n2\n", "lp\tid\tscore\nen-de\t1\t2\n", "s.csv:1: 3 columns, where a plain file has one"),
        ("1 1\n2 2\n", "id,score,x\n1,2,3\n", "s.csv:1: 3 columns between commas, where a plain file has"),
        ("1\n2\n", "id,score\n1,2\n", "s.csv:1: 2 columns between commas, where a plain file has"),
    ],
)
def test_tables_are_named_before_their_ids(write, gold, submission, said):
    message = refusal(plain_reading, Scores, write("gold.tsv", gold), [write("s.csv", submission)])
    assert message.startswith(said)
    assert message.endswith(OTHER_FORMATS)


def test_files_with_the_same_stem_are_called_by_their_paths_and_a_file_is_given_once(write):
    paths = [write(name, "1\n2\n") for name in ("a/s.txt", "b/s.txt", "b/t.txt")]
    reading = plain_reading(Scores, write("gold.txt", "1\n2\n"), paths)
    assert [side.name for side in reading.submissions] == ["a/s.txt", "b/s.txt", "t"]
    path = write("s.txt", "1\n")
    assert refusal(plain_reading, Scores, path, [path, path]) == "s.txt: the submission is given twice; give it once"


def test_a_missing_line_is_reported_by_the_alignment(write):
    reading = plain_reading(Scores, write("gold.txt", "1\n2\n3\n"), [write("s.txt", "1\n2\n")])
    assert refusal(align, reading).startswith("s.txt: 2 lines, the gold has 3 (gold.txt)")


def test_texts_one_segment_a_line(write):
    gold = write("gold.txt", "a b\n\n c\n")
    reading = plain_reading(Texts, gold, [write("s.txt", "a\nb c d\n\u00a0x\n")])
    (batch,) = align(reading).batches.values()
    assert [row.tolist() for row in batch.gold] == [["a b"], [""], [" c"]]
    assert batch.predicted.tolist() == ["a", "b c d", "\u00a0x"]
    assert reading.gold.lines is not None
    assert reading.gold.lines.tolist() == [1, 2, 3]


def test_an_empty_text_at_the_end_is_a_text(write):
    gold, submission = write("gold.txt", "a\nb\n"), write("s.txt", "a\n\n")
    (batch,) = align(plain_reading(Texts, gold, [submission])).batches.values()
    assert batch.predicted.tolist() == ["a", ""]
    assert read_plain(Texts, submission).values.tolist() == ["a", ""]


def test_texts_of_different_numbers_of_lines(write):
    gold, submission = write("gold.txt", "a\nb\n"), write("s.txt", "a\nb\nc\n")
    assert refusal(plain_reading, Texts, gold, [submission]) == (
        "s.txt: 3 segments, but 2 in gold.txt; give both one line (or <seg>) a segment; "
        "an empty line at the end is an empty segment"
    )
