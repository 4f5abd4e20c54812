"""Measures of counts where a side has only one class."""

import numpy as np
import pytest

from qeframe_detection.decision_counts import MEASURES

NONE, PERFECT, ALL_POSITIVE, ALL_NEGATIVE = [0, 0, 0, 0], [2, 0, 0, 3], [2, 3, 0, 0], [0, 0, 2, 3]
NO_POSITIVE, ONLY_POSITIVE = [0, 1, 0, 4], [3, 0, 2, 0]


@pytest.mark.parametrize(
    ("measure", "expected"),
    [
        ("mcc", [np.nan, 1, 0, 0, np.nan, np.nan]),
        ("kappa", [np.nan, 1, 0, 0, np.nan, np.nan]),
        ("precision", [np.nan, 1, 0.4, 0, 0, 1]),
        ("recall", [np.nan, 1, 1, 0, np.nan, 0.6]),
        ("f1", [np.nan, 1, 4 / 7, 0, np.nan, 0.75]),
    ],
)
def test_degenerate_counts(measure, expected):
    counts = np.array([NONE, PERFECT, ALL_POSITIVE, ALL_NEGATIVE, NO_POSITIVE, ONLY_POSITIVE], dtype=np.float64)
    assert MEASURES[measure](counts) == pytest.approx(expected, nan_ok=True)


def test_large_counts_do_not_overflow():
    counts = np.array([1e15, 1e15, 1e15, 1e15])
    assert MEASURES["mcc"](counts) == 0
    assert MEASURES["kappa"](counts) == 0
