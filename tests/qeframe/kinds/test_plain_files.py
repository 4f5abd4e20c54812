"""Plain gold and submission files of each kind of batch."""

import functools
import hashlib
from pathlib import Path

import pytest

from qeframe.core.task import Input
from qeframe.data.align import align
from qeframe.kinds.plain_files import plain_reading
from qeframe.plugin import DataError, Scores, Texts, Values
from tests.outcome import failure
from tests.qeframe.kinds.plain_sides import read_plain


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


def test_a_reading_joins_on_ids(write):
    paths = [write("a/one.txt", "2 30\n0 10\n1 20\n"), write("b/two.x.txt", "0 1\n1 2\n2 3\n")]
    reading = plain_reading(Scores, write("gold.txt", "0 1\n1 2\n2 3\n"), paths, best="high")
    assert (reading.name, reading.best, reading.kind) == ("gold", "high", Scores)
    task = align(reading)
    found = {submission.name: batch.predicted.tolist() for submission, batch in task.batches.items()}
    assert found == {"one": [10, 20, 30], "two.x": [1, 2, 3]}
    assert [put.path for put in task.inputs] == ["gold.txt", "a/one.txt", "b/two.x.txt"]
    assert task.inputs[1] == Input("a/one.txt", hashlib.sha256(b"2 30\n0 10\n1 20\n").hexdigest())


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
