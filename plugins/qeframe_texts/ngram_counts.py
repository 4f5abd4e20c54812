"""Counts of the n-grams that candidates share with their references, as sparse matrices of segments by n-grams."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from attrs import frozen

from qeframe.plugin import FloatArray, IntArray, Ragged
from qeframe.plugin.texts import Tokens

if TYPE_CHECKING:
    from scipy.sparse import csr_array


@frozen(eq=False)
class GramCounts:
    """The n-grams of one order that some candidate shares with a reference of its segment.

    Parameters
    ----------
    hits : (n, grams) sparse
        How often each segment's candidate hits each n-gram, at most as often as one of the references has it.
    known : (n, grams) sparse
        How often all references of the segment have it.
    begun : (n, beginnings) sparse
        How often they have each beginning, an n-gram without its last word. Single words have one common beginning, of
        which every word is an occurrence.
    beginning : (grams,) int64
        The beginning of each n-gram.
    total : (n,) float64
        The number of n-grams of the candidate.
    """

    hits: csr_array
    known: csr_array
    begun: csr_array
    beginning: IntArray
    total: FloatArray

    def information(self, weights: FloatArray) -> FloatArray:
        """Return log2(begun / known) under unit weights, (..., n) -> (..., grams); 0 where the n-gram is not known."""
        known, begun = weights @ self.known, (weights @ self.begun)[..., self.beginning]
        ratio = np.divide(begun, known, out=np.ones_like(known), where=known > 0)
        return np.log2(ratio)


def count_grams(tokens: Tokens, order: int) -> list[GramCounts]:
    """Return the counts of all orders from 1 to `order`."""
    candidate = Occurrences.of_words(tokens.candidates)
    reference = Occurrences.of_words(tokens.references)
    kinds, first_words = tokens.vocabulary, np.zeros(tokens.vocabulary, dtype=np.int64)
    begun = _table(tokens.segment[reference.row], np.zeros_like(reference.gram), len(tokens.candidates), 1)
    counts = []
    for _ in range(order):
        hits = _hits(tokens, candidate, reference, kinds)
        everywhere = _table(tokens.segment[reference.row], reference.gram, len(tokens.candidates), kinds)
        kept = np.unique(hits.indices)
        total = np.bincount(candidate.row, minlength=len(tokens.candidates)).astype(np.float64)
        beginnings, beginning = np.unique(first_words[kept], return_inverse=True)
        counts.append(GramCounts(hits[:, kept], everywhere[:, kept], begun[:, beginnings], beginning, total))
        begun = everywhere
        candidate, reference, first_words = _longer(candidate, reference, tokens)
        kinds = len(first_words)
    return counts


@frozen(eq=False)
class Occurrences:
    """The positions of n-grams of one order, in all rows of tokens.

    Parameters
    ----------
    row, last, gram : (occurrences,) int64
        The row, the position of the last word among all tokens, and the number of the n-gram.
    """

    row: IntArray
    last: IntArray
    gram: IntArray

    @classmethod
    def of_words(cls, tokens: Ragged) -> Occurrences:
        """Return the occurrences of single words."""
        return cls(tokens.row_of_value, np.arange(len(tokens.values)), tokens.values)

    def before_another_word(self, tokens: Ragged) -> Occurrences:
        """Return those that are not at the end of their row."""
        goes_on = self.last + 1 < tokens.offsets[self.row + 1]
        return Occurrences(self.row[goes_on], self.last[goes_on], self.gram[goes_on])


def _longer(
    candidate: Occurrences, reference: Occurrences, tokens: Tokens
) -> tuple[Occurrences, Occurrences, IntArray]:
    """Return the n-grams that are one word longer on both sides, and of each kind the n-gram that it begins with."""
    sides = [(candidate.before_another_word(tokens.candidates), tokens.candidates)]
    sides.append((reference.before_another_word(tokens.references), tokens.references))
    keys = [side.gram * tokens.vocabulary + words.values[side.last + 1] for side, words in sides]
    kinds, grams = np.unique(np.concatenate(keys), return_inverse=True)
    parts = np.split(grams, [len(keys[0])])
    candidate, reference = (
        Occurrences(side.row, side.last + 1, part) for (side, _), part in zip(sides, parts, strict=True)
    )
    return candidate, reference, kinds // max(1, tokens.vocabulary)


def _hits(tokens: Tokens, candidate: Occurrences, reference: Occurrences, kinds: int) -> csr_array:
    """Return the largest clipped counts over the references of each segment."""
    from scipy.sparse import csr_array

    segments = len(tokens.candidates)
    candidate_counts = _table(candidate.row, candidate.gram, segments, kinds)
    first = np.searchsorted(tokens.segment, tokens.segment)
    nth = (np.arange(len(tokens.segment)) - first)[reference.row]
    most = csr_array((segments, kinds))
    for number in range(int(nth.max(initial=-1)) + 1):
        chosen = nth == number
        reference_counts = _table(tokens.segment[reference.row[chosen]], reference.gram[chosen], segments, kinds)
        most = most.maximum(candidate_counts.minimum(reference_counts))
    return most


def _table(rows: IntArray, columns: IntArray, height: int, width: int) -> csr_array:
    """Return how often each pair of row and column occurs."""
    from scipy.sparse import csr_array

    return csr_array((np.ones(len(rows)), (rows, columns)), shape=(height, width))
