"""Tables in files: columns by tabs or commas, every form of a frame, and what is wrong with its line."""

import gzip
from pathlib import Path

import numpy as np
import pytest

import qeframe
from qeframe.api.entered.entering import Entering
from qeframe.api.entered.given import values_in
from qeframe.core.task import Submission, Task
from qeframe.data.text_lines import read_text_lines
from qeframe.plugin import DataError, Grid, Scores
from tests.outcome import failure
from tests.registered import REGISTRY

LONG = "lp,System,seg,SCORE,note\nen-de,A,2,1.5,x\nen-de,B,2,2.5,\nen-de,A,1,0.5,y\nen-de,B,1,None,z\nro-en,A,1,7,q\n"


def read(path, text):
    Path(path).write_text(text)
    return values_in("'mine'", read_text_lines(path), (), REGISTRY)


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)


@pytest.mark.parametrize("separator", [",", "\t"])
def test_a_long_table_by_pair(separator):
    found = read("t", LONG.replace(",", separator))
    assert list(found) == ["en-de", "ro-en"]
    assert (found["en-de"].rows, found["en-de"].columns) == (("2", "1"), ("A", "B"))
    assert found["en-de"].values == pytest.approx(np.array([[1.5, 2.5], [0.5, np.nan]]), nan_ok=True)


def test_a_wide_table_and_a_column_of_scores():
    (wide,) = read("t", "segment\tA\tB\n10\t1\t2\n2\t3\t4\n").values()
    assert (wide.rows, wide.columns, wide.values.tolist()) == (("10", "2"), ("A", "B"), [[1, 2], [3, 4]])
    (scores,) = read("t", "METRIC,SID,SCORE,RANK\nm,7,0.5,1\nm,3,0.25,2\n").values()
    assert (scores.rows, scores.only_column().values.tolist()) == (("7", "3"), [0.5, 0.25])


@pytest.mark.parametrize("text", ["A\t1\nA\t2\n", "0.5\n0.25\n", "en-de\tm\t0\t0.5\n", "name,value\na,1\n"])
def test_other_files_are_no_tables(text):
    assert read("t", text) is None


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (
            "system,segment,score\nA,1\n",
            "t:2: 2 columns instead of 3 columns by commas (system segment score); repair or remove the line",
        ),
        (
            "system,segment,score\nA,1,1\nA,1,2\n",
            "t:3: 'mine' has unit 1 of system A twice; keep one row for each score",
        ),
        ("system,segment,score\nA,1,1\nA,2,x\n", "t:3: the score 'x' is not a number; every line needs a number"),
        ("system,segment,score\nA,1,1\n,2,1\n", "t:3: the system is empty; give every row a label"),
        ("segment,score\n", "t:1: there is no row"),
        ("segment,A,A\n1,2,3\n", "t:1: two columns are named 'A'"),
    ],
)
def test_what_is_wrong_is_named_with_its_line(text, said):
    assert failure(DataError, read, "t", text).startswith(said)


def test_tables_plain_files_and_folders_are_entered():
    like = Scores.from_plain([0.1, 0.4, 0.2], [1, 2, 3])
    cells = Grid.from_plain([[1.0, 2], [3, 4]], [[1.0, 2], [3, 4]])
    tasks = [
        Task(name="en-de", batches={Submission("S"): like}, numbered_from=1),
        Task(name="ro-en", batches={Submission("S"): cells}, numbered_from=1, systems=("A", "B")),
    ]
    Path("f").mkdir()
    Path("f/en-de.csv").write_text("segment,score\n3,0.3\n1,0.1\n2,0.2\n")
    Path("f/ro-en.tsv.gz").write_bytes(gzip.compress(b"segment\tB\tA\n2\t5\t6\n1\t7\t8\n"))
    first, second = Entering.of({"mine": "f"}, qeframe.load()).in_tasks(tasks)
    mine = Submission("mine", "entered")
    assert first.batches[mine].predicted.tolist() == [0.1, 0.2, 0.3]
    assert second.batches[mine].predicted.tolist() == [[8, 7], [6, 5]]
    assert [each.path for each in (*first.inputs, *second.inputs)] == ["en-de.csv", "ro-en.tsv.gz"] * 2
    assert first.files["mine"] == ("en-de.csv", "ro-en.tsv.gz")


def test_a_plain_file_is_read_where_it_is_not_in_the_format_of_the_task():
    Path("en-de/submissions").mkdir(parents=True)
    Path("en-de/gold.txt").write_text("0.1\n0.9\n0.4\n")
    Path("en-de/submissions/S.tsv").write_text("1\n2\n3\n" + "".join(f"en-de\tm\t{i}\t{i / 4}\n" for i in range(3)))
    for text, wanted in (("0.5\n0.2\n0.7\n", [0.5, 0.2, 0.7]), ("2 0.5\n0 0.2\n1 0.7\n", [0.2, 0.7, 0.5])):
        Path("plain.txt").write_text(text)
        (task,) = qeframe.read_tasks(qeframe.choose_profile("wmt22_qe_sentence"), "en-de", enter={"mine": "plain.txt"})
        assert task.batches[Submission("mine", "entered")].predicted.tolist() == wanted
    Path("plain.txt").write_text("0.5\nx\n0.7\n")
    with pytest.raises(DataError, match=r"plain\.txt"):
        qeframe.read_tasks(qeframe.choose_profile("wmt22_qe_sentence"), "en-de", enter={"mine": "plain.txt"})
