"""Labels of ranges of lengths."""

import numpy as np

from qeframe_wmt.formats.tables import length_labels


def test_labels():
    lengths = np.array([0, 1, 10, 11, 20, 21, 30, 31, 99])
    assert length_labels(lengths) == ["0", "1-10", "1-10", "11-20", "11-20", "21-30", "21-30", "31+", "31+"]
