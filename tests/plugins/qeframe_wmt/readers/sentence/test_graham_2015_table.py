"""The table of Graham (2015)."""

from pathlib import Path

import numpy as np
import pytest

from qeframe.core.calls import Parametric
from qeframe.core.task import Dropped
from qeframe.data.align import align
from qeframe_wmt import graham_table
from tests.plugins.qeframe_wmt.readings import only, sides

READER = Parametric(graham_table)
HEADER = "METRIC SID SCORE RANK HUMAN\n"
TWO = HEADER + "b 2 .5 1 4\nb 01 .25 2 3\na 1 7 0 3\na 2 8 0 4.0\n"


@pytest.mark.parametrize(
    "text", [TWO, TWO.replace(" ", "\t"), "\ufeff" + TWO.replace("\n", "\r\n"), TWO.replace(" ", "  ")]
)
def test_submissions_come_in_order_of_appearance_and_share_the_gold(tree, text):
    tree({"t.csv": text})
    reading = only(READER(), "t.csv")
    assert list(sides(reading)) == ["b", "a"]
    assert sides(reading) == {"b": ([2, 1], [0.5, 0.25], [2, 3]), "a": ([1, 2], [7, 8], [4, 5])}
    gold = reading.gold
    assert (gold.ids.tolist(), gold.values.tolist(), gold.lines.tolist()) == ([1, 2], [3, 4], [3, 2])
    assert (reading.name, reading.best, reading.dropped) == ("t", "low", ())
    assert [put.path for put in reading.inputs] == ["t.csv"]


def test_columns_are_found_by_name(tree):
    tree({"t.csv": "HUMAN NOTE RANK SCORE SID METRIC\n1 x 0 5 1 a\n2 y 0 6 2 a\n"})
    reading = only(READER(), "t.csv")
    assert sides(reading) == {"a": ([1, 2], [5, 6], [2, 3])}
    assert reading.gold.values.tolist() == [1, 2]


def test_the_gold_is_the_union_of_segments(tree):
    tree({"t.csv": HEADER + "a 3 1 0 30\na 1 1 0 10\nb 2 1 0 20\n"})
    reading = only(READER(), "t.csv")
    assert (reading.gold.ids.tolist(), reading.gold.values.tolist()) == ([1, 2, 3], [10, 20, 30])
    with pytest.raises(ValueError, match=r"^t\.csv: segment 2 is missing in a: 2 of 3 segments are there"):
        align(reading)


@pytest.mark.parametrize(("best", "values"), [("low", [1.0, 2.0]), ("high", [-1.0, -2.0])])
def test_ranks_rise_with_the_gold_and_an_absent_ranking_is_counted(tree, best, values):
    tree({"t.csv": TWO})
    reader = READER(score="RANK")
    assert reader.name == "graham_table(score=RANK)"
    reading = only(reader, "t.csv", best)
    assert sides(reading) == {"b": ([2, 1], values, [2, 3])}
    assert reading.dropped == (Dropped("t", "submission", 1, "a submitted no ranking: its whole column is 0"),)


def test_the_only_table_of_a_folder(tree):
    tree({"d/t.csv": TWO, "d/README": "about METRICs\n", "d/.t.csv": TWO, "d/e/t.csv": TWO})
    reading = only(READER(), "d")
    assert reading.name == "t"
    assert [put.path for put in reading.inputs] == ["t.csv"]
    assert sides(reading) == sides(only(READER(), "d/t.csv"))


def test_the_real_table_gives_the_published_correlations(shared_data):
    task = align(only(READER(), shared_data("wmt14-qe-task1.2")))
    found = {s.name: float(np.corrcoef(b.gold, b.predicted)[0, 1]) for s, b in task.batches.items()}
    assert task.units == 208
    assert {name: round(r, 3) for name, r in found.items()} == {
        "DCU-rtm-svr": 0.550,
        "FBK-UPV-UEDIN-wp": 0.540,
        "DCU-rtm-tree": 0.518,
        "DFKI-svr": 0.501,
        "USHEFF": 0.432,
        "SHEFF-lite-sparse": 0.428,
        "FBK-UPV-UEDIN-nowp": 0.414,
        "Multilizer": 0.409,
        "DFKI-svr-xdata": 0.349,
        "baseline": 0.283,
        "SHEFF-lite": 0.052,
    }


def test_a_file_that_cannot_be_opened_is_no_table(tree, monkeypatch):
    tree({"d/a.csv": TWO, "d/b.csv": TWO})
    opened = Path.open

    def open_but_one(path, *arguments, **options):
        if path.name == "a.csv":
            raise PermissionError(13, "Permission denied")
        return opened(path, *arguments, **options)

    monkeypatch.setattr(Path, "open", open_but_one)
    assert only(READER(), "d").name == "b"


@pytest.mark.parametrize("rescale", ["gold", "own"])
def test_another_mean_and_half_a_deviation(tree, rescale):
    values = {"a": [0.5, 2.0, -1.0], "b": [4.0, 4.0, 4.0]}
    gold = [0.1, 0.6, 0.2]
    lines = [f"{name} {i + 1} {of[i]} 0 {gold[i]}\n" for name, of in values.items() for i in range(3)]
    tree({"t.csv": HEADER + "".join(lines)})
    reading = only(READER(rescale=rescale), "t.csv")
    for submission in reading.submissions:
        before, target = values[submission.name], gold if rescale == "gold" else values[submission.name]
        assert submission.values.mean() == pytest.approx(np.mean(target))
        if submission.name == "a":
            assert submission.values.std() == pytest.approx(np.std(target) / 2)
            assert np.corrcoef(submission.values, before)[0, 1] == pytest.approx(1)
        else:
            assert np.ptp(submission.values) == 0
    assert reading.gold.values.tolist() == gold
