"""Tie tables as notes."""

import math

from qeframe.evaluation.result import Result
from qeframe.report import (
    leaderboard,
)


def test_tie_tables_are_printed(evaluation_of, scored):
    table = [[1.0, -1.0, -1.0], [math.nan] * 3, [-1.0, -1.0, 1.0]]
    board = leaderboard(evaluation_of([scored("a", 1, {"pearson": Result(value=0.5, details={"table": table})})]))
    assert (
        "tie table of pearson, human < = > by metric < = > (x: excluded): < 1 -1 -1, = x x x, > -1 -1 1" in board.notes
    )
