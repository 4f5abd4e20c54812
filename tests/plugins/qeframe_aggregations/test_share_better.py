"""The share of better systems, against counting."""

import numpy as np
import pytest

from qeframe_aggregations.share_better import share_better


def test_counting():
    scores = np.array([[3.0, 1.0, np.nan], [2.0, 1.0, 5.0], [1.0, 4.0, 4.0], [np.nan, 0.0, np.nan]])
    expected = [(0 / 3 + 1 / 4) / 2, (1 / 3 + 1 / 4 + 0) / 3, (2 / 3 + 0 + 1 / 2) / 3, 3 / 4]
    assert share_better.aggregate(scores, np.ones(3), True) == pytest.approx(expected)
    draws = np.stack([scores, scores])
    assert share_better.aggregate(draws, np.ones(3), True) == pytest.approx(np.array([expected] * 2))


def test_lower_is_better_and_weight_zero():
    scores = np.array([[3.0, 9.0], [2.0, 1.0]])
    assert share_better.aggregate(scores, np.array([1.0, 0.0]), False).tolist() == [0.5, 0.0]
    assert share_better.higher_is_better is False
    assert np.isnan(share_better.aggregate(np.full((2, 1), np.nan), np.ones(1), True)).all()
