"""Averages of ranks over columns: metrics, and what submissions state."""

import attrs
import numpy as np
import pytest

from qeframe import DataError, Result
from qeframe.assembly.places import absent_columns, join_columns
from qeframe.plugin import Aggregation
from tests.qeframe.core.evaluation.made_contests import made_task, scoreboard

STATED = {"good": {"bytes": 30.0}, "fair": {"bytes": 10.0}, "poor": {"bytes": 20.0}}


@pytest.fixture
def board(registry):
    return scoreboard(registry, "mae", [attrs.evolve(made_task(), stated=STATED)])


def test_columns_are_oriented_before_they_are_joined(registry, board):
    """Both a metric that is better when lower and a stated number are negated."""
    mean = registry.get(Aggregation, "mean")
    results = [[Result(value=value) for value in (1.0, 2.0, 3.0)]]
    found = join_columns(board, results, ["mae", "bytes"], mean, mean)
    assert [result.value for result in found] == [-15.5, -6.0, -11.5]


def test_a_submission_that_lacks_a_column_has_no_average(registry, board):
    mean = registry.get(Aggregation, "mean")
    results = [[Result(value=value) for value in (1.0, np.nan, 3.0)]]
    found = join_columns(board, results, ["mae"], mean, mean)
    assert np.isnan([result.value for result in found]).tolist() == [False, True, False]


def test_columns_that_are_absent_are_refused_only_of_the_user(board):
    assert absent_columns(board, ["mae", "bytes"], set_by_user=True) == []
    assert absent_columns(board, ["mae", "byte"], set_by_user=False) == ["byte"]
    with pytest.raises(DataError, match="'byte' is neither a metric of the profile nor stated by a submission"):
        absent_columns(board, ["mae", "byte"], set_by_user=True)
