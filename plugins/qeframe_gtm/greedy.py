"""Greedy matching: repeatedly take the longest run of free hits, in all segments at once.

A run that comes before all runs with which it shares a row or a column is taken whole in the end, since no run that is
taken earlier touches it. All such runs are taken in one step, so that a few steps suffice.
"""

from __future__ import annotations

import numpy as np

from qeframe.plugin import BoolArray, IntArray
from qeframe_gtm.hits import Hits, Runs


def greedy_runs(hits: Hits) -> Runs:
    """Return the runs of the greedy matching, in no order.

    Longer runs are taken first. Among runs of equal length, the one with the last position in the candidate is first,
    then the one with the last position in the references. The rest of a run that is partly covered stays available.

    Parameters
    ----------
    hits : Hits
        The hits of a block of segments; the runs number the segments from 0.
    """
    bits = hits.width.bit_length() - 1
    key, row, column = hits.key, (hits.segment << bits) + hits.candidate, (hits.segment << bits) + hits.reference
    best = np.zeros((2, hits.segments << bits), dtype=np.int64)
    taken: list[IntArray] = [np.empty((4, 0), dtype=np.int64)]
    while len(key):
        starts = np.flatnonzero(np.diff(key, prepend=-2) != 1)
        length = np.diff(starts, append=len(key))
        first = row[starts] & hits.width - 1, column[starts] & hits.width - 1
        order = np.repeat((length << 2 * bits) + (first[0] << bits) + first[1], length)
        chosen = np.logical_and.reduceat(_foremost(order, row, best[0]) & _foremost(order, column, best[1]), starts)
        taken.append(np.stack([row[starts] >> bits, *first, length])[:, chosen])
        free = _untouched(np.repeat(chosen, length), row, column, best)
        key, row, column = key[free], row[free], column[free]
    return Runs(*np.concatenate(taken, axis=1))


def _foremost(order: IntArray, cell: IntArray, best: IntArray) -> BoolArray:
    """Return whether each hit's run comes before all others in its row, or its column."""
    best[cell] = 0
    np.maximum.at(best, cell, order)
    return best[cell] == order


def _untouched(chosen: BoolArray, row: IntArray, column: IntArray, marks: IntArray) -> BoolArray:
    """Return which hits are in no row and no column of a chosen one."""
    marks[0, row], marks[1, column] = 0, 0
    marks[0, row[chosen]], marks[1, column[chosen]] = 1, 1
    return (marks[0, row] | marks[1, column]) == 0
