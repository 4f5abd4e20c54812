"""Detectable differences as a column of the leaderboard and a note."""

import math

import attrs

from qeframe.evaluation.supplements.detectable import Detectable
from qeframe.report import leaderboard
from qeframe.report.tables.detectable import detectable_note

DETECTABLE = Detectable(
    power=0.8, level=0.05, sided="two", leader="best", from_leader={"best": math.nan, "next": 0.0625, "last": math.nan},
    smallest=0.05, median=0.0625, largest=0.125,
)  # fmt: skip


def texts(table, title):
    position = [column.title for column in table.columns].index(title)
    return [row[position].text for row in table.rows]


def test_the_column_of_a_leaderboard(evaluation_of, scored):
    names = {"best": 0.5, "next": 0.25, "last": math.nan}
    scores = [scored(name, rank, {"pearson": value, "mae": 1.0}) for rank, (name, value) in enumerate(names.items(), 1)]
    plain = evaluation_of(scores)
    assert "detectable" not in [column.title for column in leaderboard(plain).columns]
    board = leaderboard(attrs.evolve(plain, detectable=DETECTABLE))
    assert texts(board, "detectable") == ["", "0.0625", "n/a"]
    assert detectable_note(DETECTABLE) in board.notes
    assert detectable_note(DETECTABLE) == (
        "detectable: the smallest difference from best that a two-sided jackknife test at p = 0.05 (alpha after the "
        "correction) would have found with 80 %; over all pairs 0.050 to 0.125, median 0.062"
    )
    undefined = leaderboard(attrs.evolve(plain, detectable=attrs.evolve(DETECTABLE, reason="few units")))
    assert "detectable" not in [column.title for column in undefined.columns]
    assert "detectable differences are undefined: few units" in undefined.notes
    assert '"detectable"' in attrs.evolve(plain, detectable=DETECTABLE).to_json()
    assert '"detectable"' not in plain.to_json()
