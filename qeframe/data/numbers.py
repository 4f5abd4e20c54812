"""Checks of numbers that users give: finite, not too large, as many on both sides."""

from __future__ import annotations

import sys
from decimal import Decimal
from numbers import Real
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from qeframe.core.batch import BoolArray, FloatArray, IntArray, is_masked
from qeframe.core.errors import DataError

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


def decimals(text: NDArray[np.uint8], starts: IntArray, ends: IntArray) -> tuple[FloatArray, BoolArray]:
    """Return the numbers at places of a text, and which of them were read as ``float`` reads them, (n,) each.

    Digits with at most one point and a minus before them are read, and of these not all numbers of 16 digits and more.
    """
    lengths = ends - starts
    width = max(1, int(min(lengths.max(initial=0), _MOST_DIGITS + 2)))  # with sign and point
    windows = np.lib.stride_tricks.sliding_window_view(np.append(text, np.zeros(width, np.uint8)), width)
    characters = np.ascontiguousarray(windows[starts].T)  # (width, n)
    rows = np.arange(width, dtype=np.uint8)[:, None]
    characters *= rows < np.minimum(lengths, width).astype(np.uint8)
    digit = characters - np.uint8(ord("0"))  # smaller characters wrap round to large ones
    is_digit, is_point, negative = digit < 10, characters == ord("."), characters[0] == ord("-")
    digits, points = (which.sum(axis=0, dtype=np.uint8) for which in (is_digit, is_point))
    is_read = (digits + points + negative == lengths) & (points <= 1) & (digits >= 1) & (digits <= _MOST_DIGITS)
    point = (is_point * rows).sum(axis=0, dtype=np.uint8)  # where there is one
    places = np.where(is_read & (points == 1), lengths - 1 - point, 0)
    whole = np.zeros(len(lengths), np.uint64)
    for counts, value in zip(is_digit, digit, strict=True):
        whole = np.where(counts, whole * np.uint64(10) + value, whole)
    numbers, is_sure = _over_powers(whole, places)
    return np.where(negative, -numbers, numbers), is_read & is_sure


def _over_powers(whole: NDArray[np.uint64], places: IntArray) -> tuple[FloatArray, BoolArray]:
    """Return whole numbers over powers of ten, and which of the ratios are rounded as the exact ratio is.

    Up to 2**53, float64 has both numbers, so that their ratio is rounded once. The others are divided in the 64 bits of
    an extended precision, which has both: rounding that again gives the same, but where it is halfway between two
    numbers of float64. Without a little-endian long double of 80 bits they are left to others.
    """
    is_sure = whole <= 2**53
    numbers = whole / _POWERS[places].astype(np.float64)
    if _HAS_64_BITS and not is_sure.all():
        longer = np.flatnonzero(~is_sure)
        ratio = whole[longer].astype(np.longdouble) / _POWERS[places[longer]]
        numbers[longer] = ratio
        is_sure[longer] = ratio.view(np.uint64).reshape(-1, 2)[:, 0] & np.uint64(2**11 - 1) != 2**10
    return numbers, is_sure


_MOST_DIGITS = 19  # of a whole number below 2**64
_POWERS = np.cumprod(np.array([1] + [10] * _MOST_DIGITS, np.longdouble))  # exact: 5**19 has 45 bits
_HAS_64_BITS = bool(np.finfo(np.longdouble).nmant == 63) and _POWERS.itemsize == 16 and sys.byteorder == "little"


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
    if is_masked(values) and (masked := np.argwhere(np.ma.getmaskarray(values))).size:
        place = ", ".join(map(str, masked[0]))
        raise DataError(f"masked value at position {place} of {what}", remedy="leave the unit out, or give its number")
    return values


def check_same_length(gold: int, predicted: int, *, unit: str = "values") -> None:
    """Raise a `DataError` unless both sides have the same number of units."""
    if gold != predicted:
        remedy = "give both sides the same units in the same order"
        raise DataError(f"length mismatch: {gold} gold {unit} and {predicted} predicted ones", remedy=remedy)
