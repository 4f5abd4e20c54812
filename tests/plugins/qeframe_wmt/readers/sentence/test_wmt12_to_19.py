"""METHOD, SEGMENT, SCORE and RANK; one number a line, the plainest reader of task folders."""

import hashlib
from pathlib import Path

import pytest

from qeframe.core.calls import Parametric
from qeframe.core.errors import DataError
from qeframe.core.task import Dropped, Input
from qeframe.data.align import align
from qeframe_wmt import qe_four_columns, qe_plain
from tests.plugins.qeframe_wmt.readings import DIGITS, NUMBER, REPAIR, only, sides

READER = Parametric(qe_four_columns)
RANKS = READER(column="rank")
GOLD = {"t/gold.hter": "10\n20\n30\n"}
A = "A_1\t1\t.1\t2\nA_1\t2\t.2\t1\nA_1\t03\t.3\t3\n"
NAMES, BY_BLANK = "METHOD\tSEGMENT\tSCORE\tRANK", "METHOD SEGMENT SCORE RANK"
PERMUTATION = "ranks are a permutation of 1 to 3; no ranking is 0 in every line"


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


@pytest.mark.parametrize("reader", [READER(), RANKS], ids=["score", "rank"])
@pytest.mark.parametrize(
    ("text", "message"),
    [
        (five("3 1 2 5 4", ".1 .2 .3 .4 .5"), "1: the scores of A are the ranks 1 to 5, and its ranks are no ranking"),
        (five("3 1 2 5 4", "0 0 0 0 0"), "1: the scores of A are the ranks 1 to 5, and its ranks are 0; either the"),
        (five("3 1 2 5 4", "2 2 1 4 5"), "1: the scores of A are the ranks 1 to 5, and its ranks are no ranking"),
    ],
)
def test_exchanged_columns_are_refused_whichever_is_evaluated(tree, refusal, reader, text, message):
    tree({**FIVE, "t/submissions/x": text})
    assert refusal(reader, "t").startswith(f"t/submissions/x:{message}")


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


@pytest.mark.parametrize(
    ("reader", "files", "message"),
    [
        (RANKS, {"x": A.replace("\t3\n", "\t1\n")}, f"/x:3: rank 1 twice, first on line 2; {PERMUTATION}"),
        (RANKS, {"x": A.replace("\t3\n", "\t4\n")}, f"/x:3: rank 4 is not between 1 and 3; {PERMUTATION}"),
        (RANKS, {"x": A.replace("\t2\n", "\t0\n")}, f"/x:1: rank 0 is not between 1 and 3; {PERMUTATION}"),
        (RANKS, {"x": A.replace("\t3\n", "\t3.0\n")}, f"/x:3: '3.0' is not a whole number from 0; {DIGITS}"),
        (READER(), {"x": A + "A_1 4 .4 4\n"}, f"/x:4: 1 column instead of 4 columns by tabs ({BY_BLANK}); {REPAIR}"),
        (READER(), {"x": f"{NAMES}\n{A}"}, f"/x:1: 'SEGMENT' is not a whole number from 0; {DIGITS}"),
        (READER(), {"x": A + "A_1\t4\tinf\t0\n"}, "/x:4: an infinite value ('inf'); every unit needs a finite number"),
        (READER(), {"x": A + " \t4\t1\t1\n"}, "/x:4: the METHOD has no name; name the submission"),
        (
            READER(),
            {"x": A, "y": "B\t1\t1\t1\nA_1 \t1\t1\t1\n"},
            "/y:2: METHOD 'A_1' is in t/submissions/x as well; rename one, or put all its lines into one file",
        ),
    ],
)
def test_broken_submissions(tree, refusal, reader, files, message):
    tree({**GOLD, **{f"t/submissions/{name}": text for name, text in files.items()}})
    assert refusal(reader, "t") == "t/submissions" + message


@pytest.mark.parametrize(
    ("reader", "gold", "text", "message"),
    [
        (RANKS, "1\n", "B\t1\t.5\t0\n", "t: no METHOD has a rank: all are 0; read the other column"),
        (
            READER(),
            "1 2\n",
            A,
            "t/gold.hter:1: 2 columns instead of 1 column (NUMBER); correct this line, as lines are units by position",
        ),
        (
            RANKS,
            "10\n20\n",
            A,
            "t/gold.hter: 2 segments, but A_1 ranks 3 in t/submissions/x; give the gold of every segment",
        ),
    ],
)
def test_what_is_no_fault_of_the_submission(tree, refusal, reader, gold, text, message):
    tree({"t/gold.hter": gold, "t/submissions/x": text})
    assert refusal(reader, "t").startswith(message)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (A.replace("A_1\t2\t", "A_1\t3\t"), "x:3: segment 3 of A_1 occurs twice, first seen on line 2;"),
        (A.replace("03", "4"), "x:3: segment 4 of A_1 is not in the gold;"),
        (A.replace("A_1\t1\t", "A_1\t0\t"), "x:1: segment 0 of A_1 is not in the gold;"),
        (A[: A.index("A_1\t03")], "x: segment 3 is missing in A_1: 2 of 3 segments are there;"),
    ],
)
def test_what_the_alignment_refuses(tree, text, message):
    tree({**GOLD, "t/submissions/x": text})
    reading = only(READER())
    with pytest.raises(DataError, match=f"^t/submissions/{message}"):
        align(reading)


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


ALIKE = "a:1: this file and t/gold do not both have a column of ids; give ids to both or to neither"


@pytest.mark.parametrize(
    ("gold", "text", "message"),
    [
        ("1\n", "1\n2,5\n", "submissions/a:2: '2,5' is not a number; write decimals with a point, as in 0.25"),
        ("1\nx\n", "1\n", f"gold:2: 'x' is not a number; {NUMBER}"),
        ("5\n6\n", "1 5\n2 6\n", f"submissions/{ALIKE}"),
        ("1 5\n2 6\n", "5\n6\n", f"submissions/{ALIKE}"),
    ],
)
def test_broken_files(tree, refusal, gold, text, message):
    tree({"t/gold": gold, "t/submissions/a": text})
    assert refusal(qe_plain(), "t") == f"t/{message}"


def test_two_submissions_of_one_stem_are_refused_by_the_alignment(tree):
    tree({"t/gold": "1\n2\n", "t/submissions/a.txt": "1\n2\n", "t/submissions/a.csv": "1\n2\n"})
    reading = only(qe_plain())
    with pytest.raises(ValueError, match=r"two submissions are named 'a', the other is t/submissions/a\.csv"):
        align(reading)
