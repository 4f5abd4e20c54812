"""METHOD, SEGMENT, SCORE and RANK; one number a line, the plainest reader of task folders."""

import hashlib
from pathlib import Path

import pytest

from qeframe.core.calls import Parametric
from qeframe.core.task import Dropped, Input
from qeframe.data.align import align
from qeframe_wmt import qe_four_columns, qe_plain
from tests.plugins.qeframe_wmt.readings import only, sides

READER = Parametric(qe_four_columns)
RANKS = READER(column="rank")
GOLD = {"t/gold.hter": "10\n20\n30\n"}
A = "A_1\t1\t.1\t2\nA_1\t2\t.2\t1\nA_1\t03\t.3\t3\n"


def test_scores(tree):
    tree({**GOLD, "t/submissions/x.txt": "B 2\t3\t7\t0\n" + A + "B 2\t1\t8\t0\nB 2\t2\t9\t0\n"})
    reading = only(READER())
    assert sides(reading) == {"B 2": ([3, 1, 2], [7, 8, 9], [1, 5, 6]), "A_1": ([1, 2, 3], [0.1, 0.2, 0.3], [2, 3, 4])}
    gold = reading.gold
    assert (gold.ids.tolist(), gold.values.tolist(), gold.lines.tolist()) == ([1, 2, 3], [10, 20, 30], [1, 2, 3])
    assert [batch.predicted.tolist() for batch in align(reading).batches.values()] == [[8, 9, 7], [0.1, 0.2, 0.3]]


@pytest.mark.parametrize(("best", "sign"), [("low", 1), ("high", -1)])
def test_ranks_rise_with_the_gold(tree, best, sign):
    tree({**GOLD, "t/submissions/x.txt": A})
    reading = only(RANKS, best=best)
    assert (RANKS.name, reading.best) == ("qe_four_columns(column=rank)", best)
    assert sides(reading) == {"A_1": ([1, 2, 3], [2 * sign, 1 * sign, 3 * sign], [1, 2, 3])}


def test_a_variant_that_was_not_submitted_is_counted(tree):
    zero = "B\t1\t0\t1\nB\t2\t0.0\t2\nB\t3\t0\t3\n"
    tree(
        {**GOLD, "t/submissions/a.txt": A.replace("\t2\n", "\t0\n").replace("\t1\n", "\t0\n").replace("\t3\n", "\t0\n")}
    )
    tree({"t/submissions/b.txt": zero})
    scores, ranks = only(READER()), only(RANKS)
    assert (list(sides(scores)), list(sides(ranks))) == (["A_1"], ["B"])
    assert scores.dropped == (Dropped("t", "submission", 1, "B submitted no scores: its whole column is 0"),)
    assert ranks.dropped == (Dropped("t", "submission", 1, "A_1 submitted no ranking: its whole column is 0"),)
    assert len(ranks.inputs) == 3


FIVE = {"t/gold.hter": "10\n20\n30\n40\n50\n"}


def five(scores, ranks, method="A"):
    rows = enumerate(zip(scores.split(), ranks.split(), strict=True), 1)
    return "".join(f"{method}\t{segment}\t{score}\t{rank}\n" for segment, (score, rank) in rows)


@pytest.mark.parametrize(
    ("reader", "text", "message"),
    [
        (READER(), five("? .2 .3 .4 .5", "1 2 3 4 5"), "1: '?' is not a number"),
        (RANKS, five(".1 .2 .3 .4 .5", "1 2 3 4 4"), "5: rank 4 twice, first on line 4"),
        (RANKS, five(".1 .2 .3 .4 .5", "1 2 3 4 0"), "5: rank 0 is not between 1 and 5"),
        (RANKS, five(".1 .2 .3 .4 .5", "1 2 3 4 5.5"), "5: '5.5' is not a whole number"),
    ],
)
def test_a_column_is_checked_where_it_is_evaluated(tree, refusal, reader, text, message):
    tree({**FIVE, "t/submissions/x": text})
    assert refusal(reader, "t").startswith(f"t/submissions/x:{message}")
    other = RANKS if reader is not RANKS else READER()
    (reading,) = other.read(Path("t"), "low")
    assert [len(side.values) for side in reading.submissions] == [5] * len(reading.submissions)


@pytest.mark.parametrize(
    ("scores", "ranks"),
    [
        (".1 .2 .3 .4 .5", "0 0 0 0 0"),
        ("1 2 3 4 5", "5 4 3 2 1"),
        ("1 1 2 3 4", "0 0 0 0 0"),
        ("0 0 0 0 0", "5 4 3 2 1"),
    ],
)
def test_columns_as_published_are_read(tree, scores, ranks):
    """Scores alone, both, ranks alone; ratings that are whole numbers."""
    tree({**FIVE, "t/submissions/x": five(scores, ranks)})
    reading = only(READER() if scores.strip("0 ") else RANKS)
    assert len(reading.submissions) == 1


def test_one_task(tree):
    tree({"t/gold.hter": "1\n2\n", "t/submissions/b.c.txt": "3\n4\n", "t/submissions/A.txt": "5\n6"})
    reading = only(qe_plain(), best="high")
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
    reading = only(qe_plain(), ".")
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
