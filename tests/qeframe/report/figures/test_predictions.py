"""Gold and predictions for figures of units."""

import numpy as np

from qeframe.report.figures.predictions import standardized


def test_standardized_constants_are_zero():
    assert standardized(np.full(3, 0.1)).tolist() == [0, 0, 0]
    assert standardized(np.array([1.0, 3.0])).tolist() == [-1, 1]
