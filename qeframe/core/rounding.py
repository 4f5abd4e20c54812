"""Scores that are equal but for rounding, and the positions of equal values in a sorted row."""

from __future__ import annotations

import numpy as np

from qeframe.core.batch import BoolArray, FloatArray, IntArray

ROUNDING = 1e-12
"""Equal scores differ by less than this, in proportion to the larger one."""


def shared_positions(differs: BoolArray) -> tuple[IntArray, IntArray]:
    """Return the first and the last position of the values that each sorted value is equal to.

    Parameters
    ----------
    differs : (..., n) bool
        Where a value differs from the one before it; the first position of every row counts as such.

    Returns
    -------
    first, last : (..., n) int64
        From 1.
    """
    positions = np.arange(1, differs.shape[-1] + 1)
    starts = differs | (positions == 1)
    ends = np.concatenate([starts[..., 1:], np.ones_like(starts[..., :1])], axis=-1)
    # a start holds until the next one; an end, read from the right, until the one before it
    first = np.maximum.accumulate(np.where(starts, positions, 0), axis=-1)
    last = np.minimum.accumulate(np.where(ends, positions, positions.size)[..., ::-1], axis=-1)[..., ::-1]
    return first, last


def rounding_slack(first: FloatArray | float, second: FloatArray | float) -> FloatArray:
    """Return how far two equal scores may lie apart by rounding.

    Two scores that are equal in exact arithmetic differ in their last bits: the correlations of a submission and of a
    linear function of it. Ranks, tests and tables call scores equal that differ by at most this.

    Parameters
    ----------
    first, second : (...) float64

    Returns
    -------
    (...) float64
        1e-12 times the larger magnitude of the two, so that a factor of all scores changes nothing. It does not depend
        on any other score. Tables show six decimals at most, or three digits of numbers from 1e7 on.
    """
    larger = np.maximum(np.abs(first), np.abs(second))
    return np.asarray(ROUNDING * np.where(np.isfinite(larger), larger, 1.0))


def without_rounding(scores: FloatArray) -> FloatArray:
    """Return scores in which those that are equal up to `rounding_slack` are equal in every bit.

    `scores` (..., S): NaN where undefined. Result: every score is the largest of those it is equal to. Sorted neighbors
    are compared, so that a chain of near neighbors is one score. NaN and infinities stay as they are.
    """
    order = np.argsort(-scores, axis=-1, kind="stable")  # NaN is last
    ordered = np.take_along_axis(scores, order, axis=-1)
    high, low = ordered[..., :-1], ordered[..., 1:]
    differs = np.ones(ordered.shape, dtype=np.bool_)
    with np.errstate(invalid="ignore"):  # two equal infinities are apart, and stay the same
        differs[..., 1:] = ~(high - low <= rounding_slack(high, low))
    # the whole run takes its highest value, so that equality is transitive
    first = shared_positions(differs)[0] - 1
    equal = np.empty(scores.shape)
    np.put_along_axis(equal, order, np.take_along_axis(ordered, first, axis=-1), axis=-1)
    return equal
