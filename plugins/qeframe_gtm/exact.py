"""Exact matching: greedy where that is proved to be the largest, a search in all other segments."""

from __future__ import annotations

import numpy as np

from qeframe.plugin import BoolArray, DataError, FloatArray, IntArray
from qeframe_gtm.greedy import greedy_runs
from qeframe_gtm.hits import Hits, Runs
from qeframe_gtm.search import largest_matching, runs_of


def exact_runs(hits: Hits, limit: FloatArray, ids: IntArray, *, exponent: float, budget: int) -> Runs:
    """Return the runs of a matching of the largest size in every segment.

    Parameters
    ----------
    hits : Hits
        The hits of a block of segments.
    limit : (segments,) float64
        How many words a matching may cover; the shortest runs are cut to it.
    ids : (segments,) int64
        The segments' names in error messages.
    exponent : float
        Above 1.
    budget : int
        How many sets of hits may be examined in one segment.

    Raises
    ------
    DataError
        If the budget does not suffice for a segment.
    """
    greedy = greedy_runs(hits)
    uncertain = ~_certain(hits, greedy, exponent)
    kept = ~uncertain[greedy.segment]
    parts = [np.stack([greedy.segment, greedy.candidate, greedy.reference, greedy.length])[:, kept]]
    for segment in np.flatnonzero(uncertain):
        own = slice(*np.searchsorted(hits.segment, [segment, segment + 1]))
        cells = list(zip(hits.candidate[own].tolist(), hits.reference[own].tolist(), strict=True))
        best = largest_matching(
            cells, _covered(greedy, segment), limit=float(limit[segment]), exponent=exponent, budget=budget
        )
        if best is None:
            what = f"segment {ids[segment]}: no matching of its {len(cells)} hits was proved largest in {budget} steps"
            raise DataError(what, remedy="set a larger budget, or matching=greedy")
        runs = [(segment, *run[0], len(run)) for run in runs_of(best)]
        parts.append(np.array(runs, dtype=np.int64).reshape(-1, 4).T)
    return Runs(*np.concatenate(parts, axis=1))


def _covered(runs: Runs, segment: np.int64) -> list[tuple[int, int]]:
    """Return the hits of the runs of one segment."""
    own = runs.segment == segment
    parts = zip(runs.candidate[own].tolist(), runs.reference[own].tolist(), runs.length[own].tolist(), strict=True)
    return [(i + k, j + k) for i, j, length in parts for k in range(length)]


def _certain(hits: Hits, matched: Runs, exponent: float) -> BoolArray:
    """Return the segments in which every word that has a hit is matched in the longest run that it is in.

    No matching can be larger, since no word has a larger value than in the longest run through it, on either side.
    """
    starts = np.flatnonzero(np.diff(hits.key, prepend=-2) != 1)
    length = np.diff(starts, append=len(hits.key))
    cells = hits.segment * hits.width + np.stack([hits.candidate, hits.reference])
    longest = np.zeros((2, hits.segments * hits.width))
    for side, cell in zip(longest, cells, strict=True):
        np.maximum.at(side, cell, np.repeat(length, length))
    words = longest.reshape(2, hits.segments, hits.width)
    scale = np.maximum(words.max(axis=(0, 2)), 1)
    bound = np.where(words > 0, (words / scale[:, None]) ** (exponent - 1), 0).sum(axis=2).min(axis=0)
    worth = matched.length * (matched.length / scale[matched.segment]) ** (exponent - 1)
    return bound <= np.bincount(matched.segment, worth, minlength=hits.segments) * (1 + 1e-12)
