"""`Comparable`, what a significance test is given, and the walk over the differences of all pairs.

A test asks a `Comparable` for scores, draws, exchanges or vectors and turns them into p-values; it contains no loop.
Its two implementations, for one task and for several, are in `qeframe.evaluation`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal, Protocol

import numpy as np
from attrs import frozen

from qeframe.batches.base import BoolArray, FloatArray, IntArray
from qeframe.resampling.memory import bounded_slices

__all__ = ["Comparable", "Pairwise", "Predicate", "Scheme", "ordered_pairs", "over_pairs", "parts_of_pairs"]

Scheme = Literal["multinomial", "poisson"]
Predicate = Callable[[FloatArray, slice], BoolArray]
"""From differences (b, p) and the slice of the pairs that they are of, to bool (b, p)."""


@frozen(kw_only=True, eq=False)
class Pairwise:
    """What a test says of every pair.

    Parameters
    ----------
    p : (pairs,) float64
        NaN where the test is undefined.
    statistic : (pairs,) float64, optional
        The test statistic, positive when the first of the pair is better.
    least_p : float, optional
        The smallest p that this run could have given, where it is not that of the test: of enumerated exchanges.
    """

    p: FloatArray
    statistic: FloatArray | None = None
    least_p: float | None = None


class Comparable(Protocol):
    """All submissions under one metric, every number turned so that higher is better."""

    @property
    def oriented(self) -> FloatArray:
        """(S,) float64: the scores, negated if the metric is better when lower; NaN where undefined."""

    @property
    def pairs(self) -> tuple[IntArray, IntArray]:
        """(pairs,) int64 twice: every unordered pair once, the better submission first (or as given)."""

    def resample(self, draws: int, scheme: Scheme = "multinomial") -> FloatArray:
        """Return the oriented scores of every bootstrap draw, (draws, S)."""

    @property
    def sizes(self) -> tuple[int, ...]:
        """How many units each independent sample (each task) has."""

    def jackknife(self) -> FloatArray:
        """Return the oriented scores with each unit left out in turn, (n, S), sample after sample."""

    def count_exchanges(self, draws: int, extreme: Predicate) -> tuple[FloatArray, int, bool]:
        """Count the exchanges whose differences are extreme.

        Parameters
        ----------
        draws : int
            How many exchanges are drawn; in a single task all 2**n are enumerated where that is not more.
        extreme : callable
            From differences (b, p) and the slice of the pairs that they are of, to bool (b, p).

        Returns
        -------
        counts : (pairs,) float64
        total : int
        exhaustive : bool
            Whether all exchanges were enumerated (the one that changes nothing among them).
        """

    def along(self, unit: str, *, standardise: bool = False) -> Comparable:
        """Return the same comparable with exchanges along an axis: by segment, cell, system or pair, see `Swap`."""

    def outcomes(self) -> FloatArray:
        """Return the outcomes (S, m) whose exchange a sign test is of: of pairs, or of units."""

    def vectors(self) -> tuple[FloatArray, FloatArray]:
        """Return gold (n,) and predicted (S, n), whose correlations are the scores."""

    def per_unit(self) -> FloatArray:
        """Return the values (S, n) whose means are the oriented."""


def ordered_pairs(oriented: FloatArray, *, as_given: bool = False) -> tuple[IntArray, IntArray]:
    """Return every unordered pair once, the better first; ties as given, undefined last."""
    order = np.arange(len(oriented))
    if not as_given:
        order = np.lexsort((order, -np.nan_to_num(oriented, nan=-np.inf)))
    first, second = np.triu_indices(len(order), 1)
    return order[first], order[second]


def parts_of_pairs(pairs: int, draws: int) -> list[slice]:
    """Cut the pairs so that their differences in so many draws take bounded memory."""
    return bounded_slices(pairs, draws)


def over_pairs(
    draws: FloatArray, pairs: tuple[IntArray, IntArray], reduce: Callable[[FloatArray, slice], FloatArray]
) -> FloatArray:
    """Apply `reduce` to the differences of all pairs, some pairs at a time so that memory stays bounded.

    Parameters
    ----------
    draws : (B, S) float64
    reduce : callable
        From differences (B, p) and the slice of the pairs that they are of, to (p,).
    """
    first, second = pairs
    parts = parts_of_pairs(len(first), len(draws))
    results = [reduce(draws[:, first[part]] - draws[:, second[part]], part) for part in parts]
    return np.concatenate(results) if results else np.empty(0)
