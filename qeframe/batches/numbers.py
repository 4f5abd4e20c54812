"""Checks of numbers that users give: finite, not too large, as many on both sides."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from qeframe.batches.base import FloatArray
from qeframe.errors import DataError

__all__ = ["LARGEST", "check_same_length", "finite_numbers"]

LARGEST = 1e100
"""The largest magnitude that is accepted: sums of squares and of products of such numbers are still finite."""


def finite_numbers(values: ArrayLike, what: str, *, least: int) -> FloatArray:
    """Return values as finite float64 numbers of magnitudes up to `LARGEST`.

    Parameters
    ----------
    values : array_like
        One dimension.
    what : str
        The name of the argument, for messages.
    least : int
        The smallest number of values that is accepted.

    Returns
    -------
    (n,) float64

    Raises
    ------
    DataError
        If there are too few values, or naming the first value that cannot be used.
    """
    try:
        array = np.asarray(values, dtype=np.float64)
    except (TypeError, ValueError):
        raise DataError(
            f"{what} values must be numbers, one per unit", remedy="give a list or an array of numbers"
        ) from None
    if array.ndim != 1:
        remedy = "give a list or an array of numbers"
        raise DataError(f"{what} values must have one dimension, not {array.ndim}", remedy=remedy)
    if len(array) < least:
        raise DataError(f"too few values: {len(array)} {what}", remedy=f"at least {least} are needed")
    unusable = np.flatnonzero(~np.isfinite(array))
    if len(unusable):
        kind = "missing value (NaN)" if np.isnan(array[unusable[0]]) else "infinite value"
        raise DataError(f"{kind} at position {unusable[0]} of {what}", remedy="every unit needs a finite number")
    large = np.flatnonzero(np.abs(array) > LARGEST)
    if len(large):
        what = f"{array[large[0]]:g} at position {large[0]} of {what} is too large to compute with"
        raise DataError(what, remedy=f"magnitudes up to {LARGEST:g} are accepted")
    return array


def check_same_length(gold: int, predicted: int, *, unit: str = "values") -> None:
    """Raise a `DataError` unless both sides have the same number of units."""
    if gold != predicted:
        remedy = "give both sides the same units in the same order"
        raise DataError(f"length mismatch: {gold} gold {unit} and {predicted} predicted ones", remedy=remedy)
