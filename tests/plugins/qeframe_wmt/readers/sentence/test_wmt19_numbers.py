"""One number a line: the plainest reader of task folders."""

import hashlib
from pathlib import Path

import pytest

from qeframe.core.tasks.task import Input
from qeframe.data.align import align
from qeframe_wmt import qe_plain


def test_one_task(tree):
    tree({"t/gold.hter": "1\n2\n", "t/submissions/b.c.txt": "3\n4\n", "t/submissions/A.txt": "5\n6"})
    (reading,) = qe_plain().read(Path("t"), "high")
    assert (reading.name, reading.best, reading.dropped) == ("t", "high", ())
    assert reading.gold.values.tolist() == [1, 2]
    assert [(side.name, side.path, side.values.tolist()) for side in reading.submissions] == [
        ("A", "t/submissions/A.txt", [5, 6]),
        ("b.c", "t/submissions/b.c.txt", [3, 4]),
    ]
    assert [put.path for put in reading.inputs] == ["gold.hter", "submissions/A.txt", "submissions/b.c.txt"]
    assert reading.inputs[0] == Input("gold.hter", hashlib.sha256(b"1\n2\n").hexdigest())


def test_the_task_of_the_working_folder_has_a_name(tree, monkeypatch):
    tree({"t/gold": "1\n", "t/submissions/a": "2\n"})
    monkeypatch.chdir("t")
    (reading,) = qe_plain().read(Path("."), "low")
    assert reading.name == "t"
    assert [put.path for put in reading.inputs] == ["gold", "submissions/a"]


def test_some_tasks_among_other_things(tree):
    tree(
        {
            "year/ro-en/gold.txt": "1\n2\n",
            "year/ro-en/submissions/a.txt": "1\n2\n",
            "year/ro-en/submissions/.hidden": "",
            "year/ro-en/README": "",
            "year/en-de/goldlabels.txt": "1\n2\n3\n",
            "year/en-de/.gold.swp": "",
            "year/en-de/submissions/a.txt": "1\n2\n3\n",
            "year/.git/gold.txt": "",
            "year/papers/findings.txt": "",
            "year/README": "",
        }
    )
    readings = qe_plain().read(Path("year"), "low")
    assert [(reading.name, len(reading.gold.ids)) for reading in readings] == [("en-de", 3), ("ro-en", 2)]
    assert [put.path for put in readings[1].inputs] == ["ro-en/gold.txt", "ro-en/submissions/a.txt"]
    assert [len(align(reading).batches) for reading in readings] == [1, 1]


@pytest.mark.parametrize(
    ("files", "message"),
    [
        (
            {"t/gold": "1\n", "t/submissions/a": "1\n2,5\n"},
            "t/submissions/a:2: '2,5' is not a number; write decimals with a point, as in 0.25",
        ),
        (
            {"t/gold": "1\nx\n", "t/submissions/a": "1\n"},
            "t/gold:2: 'x' is not a number; every line needs a number",
        ),
    ],
)
def test_broken_files(tree, refusal, files, message):
    tree(files)
    assert refusal(qe_plain(), "t") == message


def test_two_submissions_of_one_stem_are_refused_by_the_alignment(tree):
    tree({"t/gold": "1\n2\n", "t/submissions/a.txt": "1\n2\n", "t/submissions/a.csv": "1\n2\n"})
    (reading,) = qe_plain().read(Path("t"), "low")
    with pytest.raises(ValueError, match=r"two submissions are named 'a', the other is t/submissions/a\.csv"):
        align(reading)


@pytest.mark.parametrize(("gold", "side"), [("5\n6\n", "1 5\n2 6\n"), ("1 5\n2 6\n", "5\n6\n")])
def test_ids_on_one_side_alone(tree, refusal, gold, side):
    tree({"t/gold": gold, "t/submissions/a": side})
    assert refusal(qe_plain(), "t") == (
        "t/submissions/a:1: this file and t/gold do not both have a column of ids; give ids to both or to neither"
    )
