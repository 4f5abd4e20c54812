"""Drawing small inputs: with Hypothesis for the laws, with Python's own generator for locked numbers.

Numbers are eighths of small whole numbers. Sums of them are exact, so two ways to compute a score differ by rounding
only, and ties and constants are common. Python's generator draws the same numbers in every version of Python.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from random import Random
from typing import TYPE_CHECKING, Any, Concatenate, ParamSpec, TypeVar

import numpy as np

from qeframe.batches.base import FloatArray

if TYPE_CHECKING:
    from hypothesis.strategies import DrawFn, SearchStrategy

__all__ = ["composite", "few", "fixed_numbers", "numbers", "only", "whole"]

P = ParamSpec("P")
T = TypeVar("T")


def composite(function: Callable[Concatenate[DrawFn, P], T]) -> Callable[P, SearchStrategy[T]]:
    """Return ``hypothesis.strategies.composite(function)``, but import Hypothesis when the strategy is called."""

    @wraps(function)
    def strategy(*arguments: P.args, **options: P.kwargs) -> SearchStrategy[T]:
        from hypothesis import strategies as st

        return st.composite(function)(*arguments, **options)

    return strategy


def only(submissions: tuple[Any, ...]) -> Any:
    """Return the first of several submissions: the only one of a strategy that draws one."""
    return submissions[0]


def few() -> SearchStrategy[float]:
    """Draw one of the numbers 0 to 3, so that ties are frequent."""
    from hypothesis import strategies as st

    return st.integers(0, 3).map(float)


def numbers(units: int, *, ties: bool = True, constant: bool = True) -> SearchStrategy[FloatArray]:
    """Draw one number for each unit, (units,).

    Parameters
    ----------
    ties : bool
        Whether values may repeat.
    constant : bool
        Whether all of them may be the same value.
    """
    from hypothesis import strategies as st

    eighths = st.integers(-80, 80).map(lambda number: number / 8)
    several = [st.lists(eighths, min_size=units, max_size=units, unique=not ties)]
    if ties:
        several.append(st.lists(few(), min_size=units, max_size=units))
    drawn = st.one_of(several).map(np.array)
    return drawn if constant else drawn.filter(lambda values: values.min() < values.max())


def whole(rng: Random, low: int, high: int) -> int:
    """Draw a whole number from `low` to `high`."""
    return low + int(rng.random() * (high - low + 1))


def fixed_numbers(rng: Random, count: int, *, low: int = -8, high: int = 24) -> list[float]:
    """Draw numbers with ties: eighths of whole numbers from `low` to `high`."""
    return [whole(rng, low, high) / 8 for _ in range(count)]
