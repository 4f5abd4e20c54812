"""The words that an alignment of texts matches, and the alignments of a metric, checked."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from attrs import frozen

from qeframe.core.batch import Batch
from qeframe.core.component import WrongReturnError, at_work, describe, full_name
from qeframe.core.errors import PluginError
from qeframe.core.metric import Metric
from qeframe.core.metric_calls import batch_for


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


def alignments(metric: Metric, batch: Batch) -> Sequence[Alignment]:
    """Return the words that a metric matches, one alignment for each unit; it must have them."""
    assert metric.alignments is not None
    with at_work(metric, "alignments"):
        returned: Any = metric.alignments(batch_for(metric, batch))
        if not (isinstance(returned, Sequence) and all(isinstance(alignment, Alignment) for alignment in returned)):
            raise WrongReturnError("alignments", describe(returned), "a list with an Alignment for each unit")
        if len(returned) != len(batch):
            raise WrongReturnError("alignments", f"{len(returned)} alignments", f"{len(batch)}, one for each unit")
        for alignment in returned:
            _check_alignment(alignment)
    return returned


def _check_alignment(alignment: Alignment) -> None:
    """Raise a `WrongReturnError` unless words are text and every block lies within the words of both sides."""
    for words in (alignment.candidate, *alignment.references):
        if not (isinstance(words, tuple) and all(isinstance(word, str) for word in words)):
            raise WrongReturnError("alignments", f"words that are {describe(words)}", "a tuple of text")
    for block in alignment.blocks:
        has_reference = 0 <= block.reference < len(alignment.references)
        rooms = (len(alignment.candidate), len(alignment.references[block.reference]) if has_reference else 0)
        starts = (block.candidate, block.position)
        within = [0 <= start <= room - block.length for start, room in zip(starts, rooms, strict=True)]
        if not (has_reference and all(within)):
            raise WrongReturnError("alignments", describe(block), "blocks within the words of both sides")


def detail(metric: Metric, details: Mapping[str, Any], name: str) -> float:
    """Return one of the further results that must be a single number."""
    value: Any = details[name]
    if not isinstance(value, (int, float, np.number, np.bool_)):
        raise PluginError(f"{full_name(metric)}: details returned {describe(value)} as '{name}', expected a number")
    return float(value)
