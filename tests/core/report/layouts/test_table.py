"""A table as a value."""

import math

import pytest

from qeframe.evaluation.result import Result
from qeframe.report import (
    Cell,
    Column,
    Table,
    leaderboard,
)


def test_a_table_refuses_columns_of_different_lengths():
    with pytest.raises(ValueError, match="shorter"):
        Table.from_columns("t", [(Column("a"), [Cell("1")]), (Column("b"), [])])


@pytest.fixture
def over_tasks(evaluation_of, scored):
    """Three submissions in two tasks of three, the last one in one of them only."""

    def over(name, rank, first, second, mae):
        parts = {"en-de": Result(value=first, low=first - 0.03, high=first + 0.01)}
        parts |= {} if math.isnan(second) else {"de-en": Result(value=second)}
        whole = Result(value=(first + second) / 2, tasks=parts)
        return scored(name, rank, {"pearson": whole, "mae": mae})

    submissions = [over("c", 1, 0.9, math.nan, 0.1), over("a", 2, 0.75, 0.25, 0.5), over("b", 3, 0.5, 0.125, 0.25)]
    counts = {"en-de": {"systems": 4, "pairs": 12345}, "de-en": {"systems": 5}, "cs-en": {"pairs": 7}}
    return evaluation_of(submissions, tasks=counts)


def test_heads_are_cut_with_their_columns(over_tasks):
    board = leaderboard(over_tasks)
    assert board.narrowed([1, 2]).heads == (("systems", "4"), ("pairs", "12,345"))
    assert board.narrowed([1, 5]).heads == ()
