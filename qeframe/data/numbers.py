"""Checks of numbers that users give: finite, not too large, as many on both sides."""

from __future__ import annotations

from decimal import Decimal
from numbers import Real
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from qeframe.core.batches.base import FloatArray
from qeframe.core.errors import DataError

__all__ = ["LARGEST", "check_same_length", "finite_numbers", "numbers_of_lines", "real_numbers", "unmasked"]

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


def numbers_of_lines(content: bytes) -> FloatArray | None:
    """Return the numbers of lines that hold nothing else, as ``float`` reads them; None if that is not sure.

    `content`: lines in ASCII without blanks and underscores; each ends with a line feed.
    """
    numbers = _short_decimals(content)
    if numbers is None:
        try:
            numbers = np.array(content.split(b"\n")[:-1], dtype=np.float64)
        except ValueError:
            return None
    return numbers if (np.abs(numbers) <= LARGEST).all() else None


def _short_decimals(content: bytes) -> FloatArray | None:
    """Return the numbers of lines of at most 15 digits with at most one point and a minus; None if a line is longer.

    The digits are a whole number below 2**53 and the power of ten is at most 10**15: float64 has both, so that their
    ratio is rounded once, as that of ``float`` is.
    """
    if len(content) > (_EXACT_DIGITS + 3) * content.count(b"\n"):  # with sign, point and line end
        return None
    text = np.frombuffer(content, np.uint8)
    ends, dots = np.flatnonzero(text == ord("\n")), np.flatnonzero(text == ord("."))
    if not len(ends) or ends[-1] + 1 != len(text):
        return None
    starts = np.concatenate([[0], ends[:-1] + 1])
    negative = text[starts] == ord("-")
    starts += negative
    points = ends.copy()
    points[np.searchsorted(ends, dots)] = dots  # a second point of a line is no digit, and found below
    digits = ends - starts - (points < ends)
    is_digit = np.count_nonzero(text - np.uint8(ord("0")) < 10)  # smaller characters wrap round to large ones
    if digits.min() < 1 or digits.max() > _EXACT_DIGITS or digits.sum() != is_digit:
        return None
    whole = np.zeros(len(ends), np.int64)
    for place in range(int((ends - starts).max())):  # at most 16
        at = np.minimum(starts + place, ends)
        counts = (at < ends) & (at != points)
        whole = np.where(counts, 10 * whole + text[at] - ord("0"), whole)
    values = whole / 10.0 ** np.maximum(ends - points - 1, 0)
    return np.where(negative, -values, values)


_EXACT_DIGITS = 15


def real_numbers(values: Any) -> FloatArray:
    """Return values as float64 numbers, NaN for None.

    Raises TypeError, ValueError if they have no common shape, or one is no real number: numpy would read texts as
    Python does (``"1_0"``), count the nanoseconds of times, and drop the imaginary part of complex numbers. Raises
    OverflowError if a whole number exceeds all numbers of float64.
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
