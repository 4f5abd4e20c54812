"""Checks of numbers that users give: finite, not too large, as many on both sides."""

from __future__ import annotations

from decimal import Decimal
from numbers import Real
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from qeframe.core.batches.base import FloatArray
from qeframe.core.errors import DataError

__all__ = ["LARGEST", "check_same_length", "finite_numbers", "real_numbers", "unmasked"]

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
    unmasked(values, what)
    try:
        array = real_numbers(values)
    except OverflowError:
        remedy = f"magnitudes up to {LARGEST:g} are accepted"
        raise DataError(f"a whole number of {what} is too large to compute with", remedy=remedy) from None
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


def real_numbers(values: Any) -> FloatArray:
    """Return values as float64 numbers, NaN for None.

    Raises
    ------
    TypeError, ValueError
        If they have no common shape, or one is no real number: numpy would read texts as Python does (``"1_0"``), count
        the nanoseconds of times, and drop the imaginary part of complex numbers.
    OverflowError
        If a whole number exceeds all numbers of float64.
    """
    array = np.asarray(values)
    if array.dtype.kind not in "biufO":
        raise TypeError(array.dtype)
    if array.dtype.kind == "O":
        for value in array.flat:
            if not (value is None or isinstance(value, (Real, Decimal, np.bool_))):
                raise TypeError(type(value))
    return np.asarray(array, dtype=np.float64)


def unmasked(values: Any, what: str) -> Any:
    """Return values; raise a `DataError` for a masked array that masks one: its number would be taken as it is."""
    if isinstance(values, np.ma.MaskedArray) and (masked := np.argwhere(np.ma.getmaskarray(values))).size:
        place = ", ".join(map(str, masked[0]))
        raise DataError(f"masked value at position {place} of {what}", remedy="leave the unit out, or give its number")
    return values


def check_same_length(gold: int, predicted: int, *, unit: str = "values") -> None:
    """Raise a `DataError` unless both sides have the same number of units."""
    if gold != predicted:
        remedy = "give both sides the same units in the same order"
        raise DataError(f"length mismatch: {gold} gold {unit} and {predicted} predicted ones", remedy=remedy)
