"""The layout of task folders, told by the plainest reader of it."""

import hashlib
from pathlib import Path

import pytest

from qeframe.tasks.align import align
from qeframe.tasks.task import Input
from qeframe_wmt import qe_plain

LAYOUT = "a task is a folder with one file gold.* and a folder submissions, PATH is one or holds some"


def test_one_task(tree):
    tree({"t/gold.hter": "1\n2\n", "t/submissions/b.c.txt": "3\n4\n", "t/submissions/A.txt": "5\n6"})
    (reading,) = qe_plain.read(Path("t"), "high")
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
    (reading,) = qe_plain.read(Path("."), "low")
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
    readings = qe_plain.read(Path("year"), "low")
    assert [(reading.name, len(reading.gold.ids)) for reading in readings] == [("en-de", 3), ("ro-en", 2)]
    assert [put.path for put in readings[1].inputs] == ["ro-en/gold.txt", "ro-en/submissions/a.txt"]
    assert [len(align(reading).batches) for reading in readings] == [1, 1]


@pytest.mark.parametrize(
    ("files", "path", "message"),
    [
        ({}, "t", "t: there is no such folder; check the path"),
        ({"t": "1\n"}, "t", f"t: this is a file, a folder is expected; {LAYOUT}"),
        ({"t/a/b.txt": ""}, "t", f"t: neither a gold file nor folders of tasks are here; {LAYOUT}"),
        ({"t/gold.txt": "1\n"}, "t", f"t: there is a gold file, but no folder submissions; {LAYOUT}"),
        ({"t/submissions/a": "1\n"}, "t", f"t: there are submissions, but no file gold.*; {LAYOUT}"),
        ({"y/t/submissions/a": "1\n"}, "y", f"y/t: there are submissions, but no file gold.*; {LAYOUT}"),
        (
            {"t/gold.da": "1\n", "t/gold.mqm": "1\n", "t/submissions/a": "1\n"},
            "t",
            "t: 2 gold files: gold.da, gold.mqm; keep one, rename the others",
        ),
        (
            {"t/gold": "1\n", "t/submissions/.hidden": ""},
            "t",
            "t/submissions: no submission is here; put one file a submission into it",
        ),
        (
            {"t/gold": "1\n", "t/submissions/team/a": "1\n"},
            "t",
            "t/submissions/team: a folder among the submissions; move its files up, or it elsewhere",
        ),
        (
            {"t/gold": "1\n", "t/submissions/a": "1\n2,5\n"},
            "t",
            "t/submissions/a:2: '2,5' is not a number; write decimals with a point, as in 0.25",
        ),
        (
            {"t/gold": "1\nx\n", "t/submissions/a": "1\n"},
            "t",
            "t/gold:2: 'x' is not a number; every line needs a number",
        ),
    ],
)
def test_broken_folders(tree, refusal, files, path, message):
    tree(files)
    assert refusal(qe_plain, path) == message


def test_a_folder_without_permission(tree, refusal, monkeypatch):
    def refuse(_):
        raise PermissionError

    monkeypatch.setattr(Path, "iterdir", refuse)
    tree({"t/gold": "1\n"})
    assert refusal(qe_plain, "t") == "t: no permission to read the folder; make it readable for you"


def test_two_submissions_of_one_stem_are_refused_by_the_alignment(tree):
    tree({"t/gold": "1\n2\n", "t/submissions/a.txt": "1\n2\n", "t/submissions/a.csv": "1\n2\n"})
    (reading,) = qe_plain.read(Path("t"), "low")
    with pytest.raises(ValueError, match=r"two submissions are named 'a', the other is t/submissions/a\.csv"):
        align(reading)
