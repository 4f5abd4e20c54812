"""Scalar ratings: means over raters, segments without a rating, and what is refused."""

from pathlib import Path

import numpy as np
import pytest

from qeframe.core.errors import DataError
from qeframe_wmt.readers.metrics.ratings.mqm_and_sqm import sqm_ratings

FIELDS = ("system", "doc", "doc_id", "seg_id", "rater", "source", "target", "score")
HEADER = "\t".join(FIELDS)


def row(system, segment, rater, score, doc="d"):
    return f"{system}\t{doc}\t1\t{segment}\t{rater}\ts\tt\t{score}"


ROWS = [row("B", 3, "r1", 6), row("B", 3, "r2", 5), row("A", 1, "r1", "0"), row("B", 1, "r1", 2.5)]


def scores(reader, path):
    (task,) = reader.read(Path(path), "high")
    return dict(zip(task.assessments[0].systems, task.gold.values.T.tolist(), strict=True))


@pytest.mark.parametrize("header", [True, False])
def test_the_mean_over_raters(tree, header):
    tree({"t": "\n".join([HEADER, *ROWS] if header else ROWS) + "\n"})
    found = scores(sqm_ratings(fields=() if header else FIELDS), "t")
    assert list(found) == ["B", "A"]
    assert found["B"] == pytest.approx([2.5, np.nan, 5.5], nan_ok=True)
    assert found["A"] == pytest.approx([0, np.nan, np.nan], nan_ok=True)


def test_the_test_set_may_be_longer(tree, refusal):
    tree({"t": "\n".join([HEADER, *ROWS])})
    assert len(scores(sqm_ratings(segments=5), "t")["A"]) == 5
    assert refusal(sqm_ratings(segments=2), "t") == "t: segment 3 of a test set of 2; correct segments of the reader"


@pytest.mark.parametrize("other", [row("A", 1, "r1", 3, doc="e"), row("A", "x", "r1", 3), row("A", 0, "r1", 3)])
def test_segments_without_numbers_of_their_own_are_in_the_order_of_the_table(tree, refusal, other):
    tree({"t": "\n".join([HEADER, *ROWS, other])})
    (task,) = sqm_ratings().read(Path("t"), "high")
    assert list(task.gold.names.values())[:2] == ["d/3", "d/1"]
    assert list(task.gold.names) == [1, 2, 3]
    assert "have no numbers of their own" in refusal(sqm_ratings(segments=5), "t")


def test_a_rater_scores_once(tree, refusal):
    tree({"t": "\n".join([HEADER, *ROWS, row("A", 1, "r1", 3)])})
    assert refusal(sqm_ratings(), "t").startswith("t:6: rater 'r1' scored 'A' in segment 'd/1' again")
    assert scores(sqm_ratings(repeated="add"), "t")["A"][0] == 3


@pytest.mark.parametrize(
    ("lines", "message"),
    [
        (ROWS, "t:1: the columns are missing: system, doc, seg_id, rater, score; the first line names the columns"),
        ([HEADER, row("A", 1, "", 3)], "t:2: rater is ''; every line names a translation and a rater"),
        ([HEADER, row("A", 1, "r", "good")], "t:2: 'good' is not a number"),
        ([HEADER, *ROWS, *ROWS], "t:6: lines 6 to 9 repeat lines 2 to 5"),
    ],
)
def test_broken_tables(tree, refusal, lines, message):
    tree({"t": "\n".join(lines)})
    assert refusal(sqm_ratings(), "t").startswith(message)


@pytest.mark.parametrize("wrong", [{"fields": ("system",)}, {"fields": (*FIELDS, "doc")}, {"segments": -1}])
def test_wrong_parameters(wrong):
    with pytest.raises(DataError):
        sqm_ratings(**wrong)
