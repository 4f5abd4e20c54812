"""The sign test against scipy, and its counts against a loop."""

from typing import Any

import numpy as np
import pytest
import scipy.stats
from hypothesis import given
from hypothesis import strategies as st

import qeframe
from qeframe.core.errors import DataError
from qeframe_significance import sign_p_values
from qeframe_significance.outcome_signs import count_wins_of


@pytest.mark.parametrize(("sided", "alternative"), [("two", "two-sided"), ("one", "greater")])
@given(st.integers(0, 40), st.integers(0, 40))
def test_p_is_that_of_scipy(sided: Any, alternative: Any, wins: int, losses: int) -> None:
    found = float(sign_p_values(wins, losses, sided=sided))
    if wins + losses == 0:
        assert found == 1.0
        return
    assert found == pytest.approx(scipy.stats.binomtest(wins, wins + losses, alternative=alternative).pvalue)


def test_p_of_many_pairs_at_once() -> None:
    assert sign_p_values([5, 0, 3], [0, 0, 3]) == pytest.approx([2 / 32, 1.0, 1.0])
    assert sign_p_values([5, 0], [0, 5], sided="one") == pytest.approx([1 / 32, 1.0])


def test_counts_below_zero_are_refused() -> None:
    with pytest.raises(DataError, match="wins and losses are counts: they must not be negative"):
        sign_p_values([3, -1], [0, 0])


@given(st.integers(1, 4), st.integers(0, 12), st.sampled_from([(0.0, 1.0), (-1.0, 0.0, 1.0), (0.0, 0.25)]), st.data())
def test_wins_are_counted(submissions: int, outcomes: int, values: tuple[float, ...], data: st.DataObject) -> None:
    row = st.lists(st.sampled_from(values), min_size=outcomes, max_size=outcomes)
    drawn = np.array([data.draw(row) for _ in range(submissions)]).reshape(submissions, outcomes)
    slow = [[sum(x > y for x, y in zip(a, b, strict=True)) for b in drawn] for a in drawn]
    assert count_wins_of(drawn).tolist() == slow


def test_differences_by_rounding_are_no_wins() -> None:
    assert count_wins_of(np.array([[0.1 + 0.2, 0.5, 0.0], [0.3, 0.0, 0.7]])).tolist() == [[0, 1], [1, 0]]


def test_of_answers() -> None:
    gold, right = [0.0, 0.0, 0.0, 0.0, 0.0], {"A": [0.0, 0.0, 0.0, 0.0, 1.0], "B": [1.0, 2.0, 1.0, 1.0, 1.0]}
    (pair,) = qeframe.compare("mae", gold, right, test="sign")
    assert pair.p == pytest.approx(2 / 16)
