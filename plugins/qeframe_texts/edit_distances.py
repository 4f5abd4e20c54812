"""Edit distances and overlaps of many pairs of token rows at once.

Pairs of similar length are computed together. A step moves on by one reference token in all of them, and every position
in the candidate is a row of the arrays.
"""

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from qeframe.plugin import IntArray, Ragged
from qeframe_texts.translation_edits.pairs import padded

Costs = NDArray[np.int32]
_CELLS_AT_ONCE = 2**16  # how many costs are kept at once: few enough to fit into the cache


def levenshtein_distance(candidates: Ragged, references: Ragged) -> IntArray:
    """Return the fewest insertions, deletions and substitutions between the rows of each pair, (pairs,)."""

    def begin(positions: int) -> Costs:
        return np.arange(positions, dtype=np.int32)

    def within_row(costs: Costs) -> Costs:
        steps = np.arange(len(costs), dtype=np.int32)[:, None]
        return np.minimum.accumulate(costs - steps, axis=0) + steps

    return _distances(candidates, references, begin, within_row)


def cover_disjoint_distance(candidates: Ragged, references: Ragged) -> IntArray:
    """Return the cost at which each reference is covered once, word by word, by pieces of the candidate.

    A match, which moves to the next position in the candidate, costs nothing. A substitution, an insertion, a deletion
    and a *long jump* to any other position cost 1 each. The path starts before the first candidate word and ends after
    the last one. Candidate words can be used several times or not at all.

    `candidates`, `references`: with equal numbers of rows, which can be empty. Without a reference word the cost is 1,
    or 0 if there is no candidate word either. Result: (pairs,).
    """

    def begin(positions: int) -> Costs:
        return (np.arange(positions) > 0).astype(np.int32)

    def within_row(costs: Costs) -> Costs:
        """Add long jumps: each costs 1 more than the cheapest position; no chain of deletions is cheaper."""
        return np.minimum(costs, costs.min(axis=0) + 1)

    return _distances(candidates, references, begin, within_row)


def _distances(
    candidates: Ragged, references: Ragged, begin: Callable[[int], Costs], within_row: Callable[[Costs], Costs]
) -> IntArray:
    """Return the cost at the end of each pair's grid."""
    distances = np.empty(len(candidates), dtype=np.int64)
    order = np.lexsort((candidates.lengths, references.lengths))
    start = 0
    while start < len(order):
        width = 1 + int(candidates.lengths[order[start:]].max(initial=0))
        pairs = order[start : start + max(1, _CELLS_AT_ONCE // width)]
        distances[pairs] = _block(candidates.take(pairs), references.take(pairs), begin, within_row)
        start += len(pairs)
    return distances


def _block(
    candidates: Ragged, references: Ragged, begin: Callable[[int], Costs], within_row: Callable[[Costs], Costs]
) -> IntArray:
    """Return the distances of pairs whose references are sorted by length.

    Shorter candidates are filled up with tokens that match nothing. These are after the ends, so that no cost there is
    less than the cheapest one before it.
    """
    # columns in one piece: a step reads the next word of all pairs
    candidate = np.ascontiguousarray(padded(candidates.values, candidates, -1).T)
    reference = np.ascontiguousarray(padded(references.values, references, -2).T)
    costs = np.repeat(begin(len(candidate) + 1)[:, None], len(candidates), axis=1)
    for step, word in enumerate(reference):
        left = int(np.searchsorted(references.lengths, step, side="right"))
        before = costs[:, left:]
        after = before + 1
        np.minimum(after[1:], before[:-1] + (candidate[:, left:] != word[left:]), out=after[1:])
        costs[:, left:] = within_row(after)
    return costs[candidates.lengths, np.arange(len(candidates))].astype(np.int64)


def clipped_overlap(candidates: Ragged, references: Ragged) -> IntArray:
    """Return how many words the rows of each pair share; a word counts as often as on the side that has fewer."""
    vocabulary = 1 + max(int(rows.values.max(initial=0)) for rows in (candidates, references))
    (candidate, often), (reference, others) = (
        np.unique(rows.row_of_value * vocabulary + rows.values, return_counts=True) for rows in (candidates, references)
    )
    shared, mine, theirs = np.intersect1d(candidate, reference, assume_unique=True, return_indices=True)
    hits = np.minimum(often[mine], others[theirs])
    return np.bincount(shared // vocabulary, hits, minlength=len(candidates)).astype(np.int64)
