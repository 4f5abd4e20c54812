"""The search for a small set of units without which the leader is passed."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np

from qeframe.plugin import FloatArray, IntArray

_MOST_LEFT_OUT = 0.5
"""The largest share of the units that is left out."""
_GROWTH = 1.1


def fewest_to_pass(
    weighted: Callable[[FloatArray], FloatArray], oriented: FloatArray, left_out: FloatArray, leader: int
) -> tuple[int, IntArray] | None:
    """Return a challenger, and units without which it is better than the leader.

    Parameters
    ----------
    weighted : callable
        From weights (n,) to oriented scores (S,).
    oriented : (S,) float64
        The scores with all units.
    left_out : (n, S) float64
        The scores with each unit left out.
    leader : int
        The position of the only submission with the best score.

    Returns
    -------
    (int, (k,) int64) or None
        The challenger that needs the fewest units by the sum of influences on the lead, and the units, the most
        influential first. Without them the challenger is better, and without one unit less it is not. None if leaving
        out up to half of the units does not suffice, or no other submission has a score.

    Notes
    -----
    The influences add up to a first guess of the number of units. The scores of the remaining units then decide, so
    that what is returned is a fact; that no smaller set exists is not.
    """
    units = len(left_out)
    with np.errstate(invalid="ignore"):
        lead = oriented[leader] - oriented
        falls = lead - (left_out[:, [leader]] - left_out)
    falls = np.where(np.isfinite(falls), falls, 0.0)
    largest = int(_MOST_LEFT_OUT * units)
    rivals = [i for i in range(len(oriented)) if i != leader and np.isfinite(lead[i])]
    if not rivals or not largest:
        return None
    needed = {i: _count_to(falls[:, i], lead[i]) for i in rivals}
    challenger = min(rivals, key=lambda i: (needed[i], lead[i]))
    order = np.argsort(-falls[:, challenger], kind="stable")

    def is_passed(count: int) -> bool:
        weights = np.ones(units)
        weights[order[:count]] = 0.0
        scores = weighted(weights)
        return bool(scores[challenger] > scores[leader])

    count = _smallest(is_passed, int(min(needed[challenger], largest)), largest)
    return None if count is None else (challenger, order[:count])


def _count_to(falls: FloatArray, lead: float) -> float:
    """Return how many of the largest falls add up to more than the lead; infinite if all do not, or it is undefined."""
    exceeded = np.cumsum(np.sort(falls)[::-1]) > lead
    return float(np.argmax(exceeded)) + 1 if exceeded.any() else math.inf


def _smallest(is_passed: Callable[[int], bool], start: int, largest: int) -> int | None:
    """Return a count that passes while one less does not; None if none is found from `start` up to `largest`."""
    high = start
    while not is_passed(high):
        if high >= largest:
            return None
        high = min(largest, max(high + 1, math.ceil(high * _GROWTH)))
    low = 0
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if is_passed(middle) else (middle, high)
    return high
