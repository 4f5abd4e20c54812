"""Pairs of systems that humans compared, and the readings that they make."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

import attrs
import numpy as np
from attrs import frozen
from numpy.typing import ArrayLike, NDArray

from qeframe.plugin import Best, Dropped, Input, IntArray, Judgments, Reading, Side, TextFiles

__all__ = ["Compared", "labels_at", "reading_of"]


@frozen(kw_only=True, eq=False)
class Compared:
    """Judgments of one language pair: who was compared with whom, where, and what the humans said.

    Parameters
    ----------
    pair : str
        The language pair.
    systems, segments : sequence of str
        The labels that the positions below count.
    segment, left, right : (n,) int64
        The segment, and the two systems, of every judgement.
    human : (n,) int8
        +1 left better, 0 tie, -1 right better.
    path : Path
        Where they were read.
    groups : mapping of str to sequence of str
        For each grouping, the label of every judgement.
    """

    pair: str
    systems: Sequence[str]
    segments: Sequence[str]
    segment: IntArray
    left: IntArray
    right: IntArray
    human: NDArray[np.int8]
    path: Path
    groups: Mapping[str, Sequence[str]]

    @property
    def whole(self) -> Compared:
        """The judgments as of systems: all of one segment, which has no name."""
        return attrs.evolve(self, segments=("",), segment=np.zeros_like(self.segment))

    @property
    def counts(self) -> dict[str, int]:
        """How many systems are in pairs, how many segments were judged, how many pairs were decided and tied."""
        tied = int(np.count_nonzero(self.human == 0))
        systems = len(np.unique(np.concatenate([self.left, self.right])))
        return {"systems": systems, "segments": len(self.segments), "decided": len(self.human) - tied, "tied": tied}


def labels_at(labels: ArrayLike, positions: IntArray) -> list[str]:
    """Return the labels at the given positions."""
    found: list[str] = np.asarray(labels, dtype=object)[positions].tolist()
    return found


def reading_of(
    compared: Compared,
    sides: Sequence[Side],
    *,
    best: Best,
    counts: Mapping[str, int] | None = None,
    dropped: Sequence[Dropped] = (),
    inputs: Sequence[Input] = (),
    texts: TextFiles | None = None,
) -> Reading:
    """Return a task of judgments, which stays one if no metric scored it."""
    ids = np.arange(len(compared.human))
    judged = np.stack([compared.human, compared.left, compared.right], axis=1).astype(np.int64)
    return Reading(
        name=compared.pair,
        kind=Judgments,
        gold=Side(name="gold", ids=ids, values=judged, path=str(compared.path)),
        submissions=tuple(sides),
        groups={"segment": labels_at(compared.segments, compared.segment), **compared.groups},
        best=best,
        counts={**(counts or {}), **compared.counts},
        dropped=tuple(dropped),
        inputs=tuple(inputs),
        texts=texts,
        may_be_unanswered=True,
    )
