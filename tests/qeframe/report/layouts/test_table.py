"""A table as a value."""

import pytest

from qeframe.report import Cell, Column, Table, leaderboard


def test_a_table_refuses_columns_of_different_lengths():
    with pytest.raises(ValueError, match="shorter"):
        Table.from_columns("t", [(Column("a"), [Cell("1")]), (Column("b"), [])])


def test_heads_are_cut_with_their_columns(over_tasks):
    board = leaderboard(over_tasks)
    assert board.narrowed([1, 3]).heads == (("pairs", "12,345"), ("systems", "4"))
    assert board.narrowed([1, 2]).heads == ()
