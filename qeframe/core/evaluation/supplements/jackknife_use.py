"""Where the jackknife gives a standard error: scores that are smooth in the weights, and enough units."""

from __future__ import annotations

from qeframe.core.components.comparable import Comparable
from qeframe.core.errors import counted
from qeframe.core.resampling.standard_errors.jackknife import FEWEST_UNITS

__all__ = ["no_error"]


def no_error(comparable: Comparable) -> str:
    """Return why differences have no jackknife error: the scores are not smooth, or units are few; else empty text."""
    if not comparable.smooth:
        return "the score is not smooth in the weights of units, so that the jackknife gives no standard error"
    units = sum(comparable.sizes)
    if units < FEWEST_UNITS:
        return f"{counted(units, 'unit')}: a jackknife error needs at least {FEWEST_UNITS}"
    return ""
