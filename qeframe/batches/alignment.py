"""Which words of a candidate a metric matched with words of its references: the bitext grid of one segment."""

from __future__ import annotations

from attrs import frozen

__all__ = ["Alignment", "MatchedBlock"]


@frozen
class MatchedBlock:
    """A piece of the candidate that was matched with a piece of a reference, word by word.

    Parameters
    ----------
    candidate : int
        The position of its first word in the candidate, from 0.
    reference, position : int
        The number of the reference, and the position in it, from 0.
    length : float
        Words; the last one may count in part.
    """

    candidate: int
    reference: int
    position: int
    length: float


@frozen
class Alignment:
    """One segment.

    Parameters
    ----------
    candidate : tuple of str
        Its words.
    references : tuple of tuple of str
        The words of each reference.
    blocks : tuple of MatchedBlock
        No word is in two of them, on either side.
    """

    candidate: tuple[str, ...]
    references: tuple[tuple[str, ...], ...]
    blocks: tuple[MatchedBlock, ...]

    @property
    def hits(self) -> frozenset[tuple[int, int, int]]:
        """All equal words: position in the candidate, reference, position in it."""
        return frozenset(
            (i, number, j)
            for i, said in enumerate(self.candidate)
            for number, words in enumerate(self.references)
            for j, word in enumerate(words)
            if word == said
        )

    @property
    def matched(self) -> frozenset[tuple[int, int, int]]:
        """The hits that lie in a block, also those that count in part."""
        return frozenset(
            (block.candidate + k, block.reference, block.position + k)
            for block in self.blocks
            for k in range(-int(-block.length // 1))
        )
