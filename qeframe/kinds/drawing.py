"""Drawing small inputs: with Hypothesis for the laws, with Python's own generator for locked numbers.

Hypothesis takes as long to draw one byte as to draw a row of them, so rows of small numbers are drawn as bytes.
Numbers are eighths of small whole numbers. Sums of them are exact, so two ways to compute a score differ by rounding
only, and ties and constants are common. Python's generator draws the same numbers in every version of Python.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import cache, lru_cache, wraps
from itertools import accumulate, pairwise
from random import Random
from typing import TYPE_CHECKING, Any, Concatenate, ParamSpec, TypeVar

import numpy as np

from qeframe.core.batch import FloatArray, IntArray

if TYPE_CHECKING:
    from hypothesis.strategies import DrawFn, SearchStrategy

P = ParamSpec("P")
T = TypeVar("T")


def composite(function: Callable[Concatenate[DrawFn, P], T]) -> Callable[P, SearchStrategy[T]]:
    """Return ``hypothesis.strategies.composite(function)``, but import Hypothesis when the strategy is called."""

    @cache
    def made() -> Callable[P, SearchStrategy[T]]:
        from hypothesis import strategies as st

        return st.composite(function)

    @wraps(function)
    def strategy(*arguments: P.args, **options: P.kwargs) -> SearchStrategy[T]:
        return made()(*arguments, **options)

    return strategy


def only(submissions: tuple[Any, ...]) -> Any:
    """Return the first of several submissions: the only one of a strategy that draws one."""
    return submissions[0]


@lru_cache(1000)  # Hypothesis looks into every new strategy once
def whole_numbers(count: int, low: int, high: int) -> SearchStrategy[IntArray]:
    """Draw whole numbers from `low` to `high`, (count,), at most 256 different ones; they shrink to 0, or to `low`."""
    from hypothesis import strategies as st

    values = np.arange(low, high + 1)
    if low < 0 <= high:
        values = np.roll(values, low)  # 0 comes first, then the positive numbers, then the negative ones
    return st.binary(min_size=count, max_size=count).map(
        lambda drawn: values[np.frombuffer(drawn, dtype=np.uint8).astype(np.int64) % len(values)]
    )


def rows_of(lengths: Sequence[int], low: int, high: int) -> SearchStrategy[list[list[int]]]:
    """Draw rows of whole numbers from `low` to `high`, of these lengths."""
    ends = list(pairwise(accumulate(lengths, initial=0)))
    return whole_numbers(sum(lengths), low, high).map(lambda drawn: [drawn[slice(*row)].tolist() for row in ends])


@lru_cache(100)
def few(count: int) -> SearchStrategy[FloatArray]:
    """Draw numbers from 0 to 3, (count,), so that ties are frequent."""
    return whole_numbers(count, 0, 3).map(lambda drawn: drawn.astype(np.float64))


@lru_cache(100)
def numbers(units: int, *, ties: bool = True, constant: bool = True) -> SearchStrategy[FloatArray]:
    """Draw one number for each unit, (units,).

    `ties`: whether values may repeat. `constant`: whether all of them may be the same value.
    """
    from hypothesis import strategies as st

    eighths: SearchStrategy[FloatArray] = whole_numbers(units, -80, 80).map(lambda drawn: drawn / 8)
    drawn = st.one_of(eighths, few(units)) if ties else eighths.filter(lambda row: len(set(row)) == units)
    return drawn if constant else drawn.filter(lambda values: values.min() < values.max())


def whole(rng: Random, low: int, high: int) -> int:
    """Draw a whole number from `low` to `high`."""
    return low + int(rng.random() * (high - low + 1))


def beside_thresholds(most: float = 100.0) -> list[float]:
    """Return numbers from .001 to `most` on usual thresholds, and just below and above each of them."""
    usual = [step / 100 for step in range(1, 101)]
    usual += [digit * 10.0**exponent for exponent in (-3, 0, 1) for digit in (1.5, 2, 2.5, 3, 4, 5, 6, 7, 7.5, 8, 9)]
    return [value * (1 + side / 227) for value in usual if value < most for side in (-1, 0, 1)]


def shuffled(rng: Random, values: Iterable[T]) -> list[T]:
    """Return values in a random order."""
    return [value for _, value in sorted((rng.random(), value) for value in values)]


def fixed_numbers(rng: Random, count: int, *, low: int = -8, high: int = 24) -> list[float]:
    """Draw numbers with ties: eighths of whole numbers from `low` to `high`."""
    return [whole(rng, low, high) / 8 for _ in range(count)]
