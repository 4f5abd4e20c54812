"""Pairs of translations that a metric scored, as preferences: it prefers the one with the higher score."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from qeframe.plugin import FloatArray, IntArray
from qeframe.plugin.kinds import NOT_ASKED, UNKNOWN_LENGTH


def preferred(scores: FloatArray) -> FloatArray:
    """Return the decisions of a metric and its scores of A and B, (n, 4), from the scores, (n, 2)."""
    decisions = np.sign(scores[:, 0] - scores[:, 1])
    return np.column_stack([decisions, np.full(len(scores), NOT_ASKED), scores])


def gold_of_pairs(preference: ArrayLike, sections: Sequence[str], lengths: IntArray | None = None) -> NDArray[Any]:
    """Return the gold of pairs as records, in no order of presentation.

    Parameters
    ----------
    preference : int or (n,) array_like
        +1 A is better, 0 both are equal.
    sections : sequence of str
        The section of each pair.
    lengths : (n, 2) int64, optional
        The lengths of A and B.
    """
    names = np.array(sections, dtype=np.str_)
    fields = [("preference", "i1"), ("lengths", "i8", (2,)), ("section", names.dtype), ("shown_first", "i1")]
    records = np.zeros(len(names), dtype=np.dtype(fields))
    records["preference"], records["section"] = preference, names
    records["lengths"] = UNKNOWN_LENGTH if lengths is None else lengths
    return records
