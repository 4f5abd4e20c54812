"""`SignificanceTest` compares submissions; `Correction` adjusts a family of p-values."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Literal

from attrs import field, frozen

from qeframe.batches.base import FloatArray
from qeframe.components.component import Component

if TYPE_CHECKING:
    from qeframe.components.comparable import Comparable, Pairwise


__all__ = ["Correction", "Sided", "SignificanceTest"]

Sided = Literal["one", "two"]


def _sides(sides: Iterable[Sided]) -> frozenset[Sided]:
    return frozenset(sides)


@frozen(kw_only=True)
class SignificanceTest(Component):
    """A test comparing submissions.

    Parameters
    ----------
    needs : {"bind", "exchange", "outcomes", "vectors", "per_unit"}
        The capability that the metric must have. A test depends on capabilities, never on the names of metrics.
    run : callable
        From a `Comparable` and "one" or "two" (sided) to a `Pairwise`, for all pairs at once.
    sides : set of {"one", "two"}
        The p-values that it can compute, one-sided or two-sided.
    interval : callable, optional
        From a `Comparable` and a confidence level to the ends of the intervals of all scores, low and high, (S,) each,
        and the draws (B, S) that they were computed from.
    least_p : float
        A lower bound of p on any data: 1 / (1 + draws) for a test by draws. 0 if there is no such bound.
    """

    needs: Literal["bind", "exchange", "outcomes", "vectors", "per_unit"]
    run: Callable[[Comparable, Sided], Pairwise]
    sides: frozenset[Sided] = field(default=("one", "two"), converter=_sides)
    interval: Callable[[Comparable, float], tuple[FloatArray, FloatArray, FloatArray]] | None = None
    least_p: float = 0.0


@frozen(kw_only=True)
class Correction(Component):
    """An adjustment of a family of p-values.

    Parameters
    ----------
    adjust : callable
        From p (m,) to adjusted p (m,), at most 1. NaN stays NaN and counts in m.
    """

    adjust: Callable[[FloatArray], FloatArray]
