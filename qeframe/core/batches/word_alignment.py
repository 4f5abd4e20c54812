"""The words of a candidate that a metric matched with words of its references: the bitext grid of one segment."""

from __future__ import annotations

from attrs import frozen


@frozen
class MatchedBlock:
    """A run of words of the candidate that was matched, word by word, with a run of words of a reference.

    Parameters
    ----------
    candidate : int
        The position of the first word in the candidate, from 0.
    reference, position : int
        The index of the reference, and the position of the first word in it, from 0.
    length : float
        The number of words; the last one may count in part.
    """

    candidate: int
    reference: int
    position: int
    length: float


@frozen
class Alignment:
    """The words and matched blocks of one segment.

    Parameters
    ----------
    candidate : tuple of str
        The words of the candidate.
    references : tuple of tuple of str
        The words of each reference.
    blocks : tuple of MatchedBlock
        No word is in two blocks, on either side.
    """

    candidate: tuple[str, ...]
    references: tuple[tuple[str, ...], ...]
    blocks: tuple[MatchedBlock, ...]

    @property
    def hits(self) -> frozenset[tuple[int, int, int]]:
        """All pairs of equal words: position in the candidate, index of the reference, position in the reference."""
        return frozenset(
            (i, number, j)
            for i, candidate_word in enumerate(self.candidate)
            for number, words in enumerate(self.references)
            for j, word in enumerate(words)
            if word == candidate_word
        )

    @property
    def matched(self) -> frozenset[tuple[int, int, int]]:
        """The hits that lie in a block, including those that count in part."""
        return frozenset(
            (block.candidate + k, block.reference, block.position + k)
            for block in self.blocks
            for k in range(-int(-block.length // 1))
        )
