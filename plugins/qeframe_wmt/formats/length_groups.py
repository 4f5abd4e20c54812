"""The grouping "length": the ranges of the numbers of words or tags."""

from __future__ import annotations

import numpy as np

from qeframe.plugin import IntArray

_FIRST_LENGTHS = (1, 11, 21, 31)
_RANGES = np.array(["0", "1-10", "11-20", "21-30", "31+"])


def length_labels(lengths: IntArray) -> list[str]:
    """Return the label of the range of each length, in steps of ten: "0", "1-10", "11-20", "21-30", "31+"."""
    labels: list[str] = _RANGES[np.digitize(lengths, _FIRST_LENGTHS)].tolist()
    return labels
