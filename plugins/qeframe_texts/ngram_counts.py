"""Counts of the n-grams that candidates share with their references, as sparse matrices of segments by n-grams."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from attrs import frozen

from qeframe.plugin import FloatArray, IntArray, Ragged, Tokens

if TYPE_CHECKING:
    from scipy.sparse import csr_array

__all__ = ["GramCounts", "count_grams"]


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
    found : (n,) float64
        The number of n-grams of the candidate.
    """

    hits: csr_array
    known: csr_array
    begun: csr_array
    beginning: IntArray
    found: FloatArray

    def information(self, weights: FloatArray) -> FloatArray:
        """Return log2(begun / known) under unit weights, (..., n) -> (..., grams); 0 where the n-gram is not known."""
        known, begun = weights @ self.known, (weights @ self.begun)[..., self.beginning]
        ratio = np.divide(begun, known, out=np.ones_like(known), where=known > 0)
        return np.log2(ratio)


def count_grams(tokens: Tokens, order: int) -> list[GramCounts]:
    """Return the counts of all orders from 1 to `order`."""
    said = Occurrences.of_words(tokens.candidates)
    known = Occurrences.of_words(tokens.references)
    kinds, first_words = tokens.vocabulary, np.zeros(tokens.vocabulary, dtype=np.int64)
    begun = _table(tokens.segment[known.row], np.zeros_like(known.gram), len(tokens.candidates), 1)
    counts = []
    for _ in range(order):
        hits = _hits(tokens, said, known, kinds)
        everywhere = _table(tokens.segment[known.row], known.gram, len(tokens.candidates), kinds)
        kept = np.unique(hits.indices)
        found = np.bincount(said.row, minlength=len(tokens.candidates)).astype(np.float64)
        beginnings, beginning = np.unique(first_words[kept], return_inverse=True)
        counts.append(GramCounts(hits[:, kept], everywhere[:, kept], begun[:, beginnings], beginning, found))
        begun = everywhere
        said, known, first_words = _longer(said, known, tokens)
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


def _longer(said: Occurrences, known: Occurrences, tokens: Tokens) -> tuple[Occurrences, Occurrences, IntArray]:
    """Return the n-grams that are one word longer on both sides, and of each kind the n-gram that it begins with."""
    sides = [(said.before_another_word(tokens.candidates), tokens.candidates)]
    sides.append((known.before_another_word(tokens.references), tokens.references))
    keys = [of.gram * tokens.vocabulary + all_of.values[of.last + 1] for of, all_of in sides]
    kinds, grams = np.unique(np.concatenate(keys), return_inverse=True)
    parts = np.split(grams, [len(keys[0])])
    said, known = (Occurrences(of.row, of.last + 1, part) for (of, _), part in zip(sides, parts, strict=True))
    return said, known, kinds // max(1, tokens.vocabulary)


def _hits(tokens: Tokens, said: Occurrences, known: Occurrences, kinds: int) -> csr_array:
    """Return the largest clipped counts over the references of each segment."""
    from scipy.sparse import csr_array

    segments = len(tokens.candidates)
    candidate = _table(said.row, said.gram, segments, kinds)
    first = np.searchsorted(tokens.segment, tokens.segment)
    nth = (np.arange(len(tokens.segment)) - first)[known.row]
    most = csr_array((segments, kinds))
    for number in range(int(nth.max(initial=-1)) + 1):
        of = nth == number
        reference = _table(tokens.segment[known.row[of]], known.gram[of], segments, kinds)
        most = most.maximum(candidate.minimum(reference))
    return most


def _table(rows: IntArray, columns: IntArray, height: int, width: int) -> csr_array:
    """Return how often each pair of row and column occurs."""
    from scipy.sparse import csr_array

    return csr_array((np.ones(len(rows)), (rows, columns)), shape=(height, width))
