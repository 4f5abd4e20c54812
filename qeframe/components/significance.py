"""The components that plugins bring: frozen values, one class for each hook.

A component has a name and a one-line summary. Where it has parameters, the plugin brings a `Parametric`: a documented
function from keyword parameters to the component, with which ``f_beta(beta=2)`` is found, checked and printed back.
"""

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
        The capability that it asks a metric for; it never asks for a metric's name.
    run : callable
        From a `Comparable` and "one" or "two" (sided) to a `Pairwise`, for all pairs at once.
    sides : set of {"one", "two"}
        The kinds of p-value it can give.
    interval : callable, optional
        From a `Comparable`, draws and a level to (low, high), (S,) each, and the draws (B, S) they were read from.
    least_p : float
        Below this its p never is, on any data: 1 / (1 + draws) of a test by draws. 0: there is no such bound.
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
