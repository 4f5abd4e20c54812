"""Frames of scores of systems as tables: long and wide, with what is missing refused."""

import pandas
import polars
import pytest

from qeframe.api.frames.score_tables import score_table
from qeframe.core.errors import DataError


@pytest.mark.parametrize("library", [pandas, polars])
def test_long_and_wide_frames(library):
    long = library.DataFrame({"System": ["A", "A", "B", "B"], "seg": [1, 2, 1, 2], "score": [0.5, 1.0, 0.25, 2.0]})
    wide = library.DataFrame({"A": [0.5, 1.0], "B": [0.25, 2.0]})
    table = "system\tsegment\tscore\nA\t1\t0.5\nA\t2\t1.0\nB\t1\t0.25\nB\t2\t2.0\n"
    assert score_table(long, "mine") == score_table(wide, "mine") == table


def test_pairs_and_scores_of_systems():
    frame = pandas.DataFrame({"lp": ["en-de", "en-cs"], "system": ["A", "A"], "score": [1, 2]})
    assert score_table(frame, "mine") == "pair\tsystem\tscore\nen-de\tA\t1\nen-cs\tA\t2\n"


def test_what_is_refused():
    with pytest.raises(DataError, match="'mine' has a missing value"):
        score_table(pandas.DataFrame({"system": ["A"], "score": [float("nan")]}), "mine")
    with pytest.raises(DataError, match="the columns of 'mine' are name, value"):
        score_table(pandas.DataFrame({"name": ["A"], "value": [1.0]}), "mine")
