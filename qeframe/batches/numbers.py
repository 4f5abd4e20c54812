"""Batches: n units of one kind, the gold side and one submission's side, aligned by id.

A kind of batch knows how to be made from plain Python values, how to keep some of its units, how to swap units with
another submission's batch, and which answer would be the worst to a unit that a submission left out. Nothing in here
knows a metric. A plugin may bring a kind of its own: a subclass of `Batch`.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from qeframe.batches.base import (
    FloatArray,
)
from qeframe.errors import DataError

__all__ = []


LARGEST = 1e100
"""The largest magnitude of a number of a unit: sums of squares and products of it are still finite."""


def finite_numbers(values: ArrayLike, what: str, *, least: int) -> FloatArray:
    """Return finite float64 numbers of magnitudes up to `LARGEST`, or say which value is not one.

    Parameters
    ----------
    values : array_like
        One dimension.
    what : str
        The name of the argument, for messages.
    least : int
        How many there must be at least.
    """
    try:
        array = np.asarray(values, dtype=np.float64)
    except (TypeError, ValueError):
        raise DataError(
            f"{what} values must be numbers, one a unit", remedy="give a list or an array of numbers"
        ) from None
    if array.ndim != 1:
        remedy = "give a list or an array of numbers"
        raise DataError(f"{what} values must have one dimension, not {array.ndim}", remedy=remedy)
    if len(array) < least:
        raise DataError(f"too few values: {len(array)} {what}", remedy=f"at least {least} are needed")
    wrong = np.flatnonzero(~np.isfinite(array))
    if len(wrong):
        kind = "missing value (NaN)" if np.isnan(array[wrong[0]]) else "infinite value"
        raise DataError(f"{kind} at position {wrong[0]} of {what}", remedy="every unit needs a finite number")
    large = np.flatnonzero(np.abs(array) > LARGEST)
    if len(large):
        what = f"{array[large[0]]:g} at position {large[0]} of {what} is too large to compute with"
        raise DataError(what, remedy=f"magnitudes up to {LARGEST:g} are accepted")
    return array


def check_same_length(gold: int, predicted: int, *, unit: str = "values") -> None:
    """Raise a `DataError` unless both sides have as many units."""
    if gold != predicted:
        remedy = "give both sides the same units in the same order"
        raise DataError(f"length mismatch: {gold} gold {unit} and {predicted} predicted ones", remedy=remedy)
