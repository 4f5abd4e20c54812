"""Pairs of systems that humans compared, and the readings that they make."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import combinations
from pathlib import Path

import attrs
import numpy as np
from attrs import frozen
from numpy.typing import ArrayLike, NDArray

from qeframe.batch import Best, FloatArray, IntArray
from qeframe.judgments import Judgments
from qeframe.task import Dropped, Input, Reading, Side
from qeframe.text_files import TextFiles

__all__ = ["Compared", "distant_pairs", "labels_at", "ranked_pairs", "reading_of"]


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


def ranked_pairs(ranks: IntArray, systems: IntArray) -> tuple[IntArray, IntArray, IntArray, NDArray[np.int8]]:
    """Return the pairs that rankings hold: row, left, right, (pairs,) int64 each, and what was said, (pairs,) int8.

    Parameters
    ----------
    ranks : (rankings, k) int64
        1 is best; not above 0 where there is none.
    systems : (rankings, k) int64
        The position of the system; negative for one that is left out.

    Returns
    -------
    tuple of arrays
        Ranking after ranking; the same pair judged twice is there twice.
    """
    counted = (ranks > 0) & (systems >= 0)
    columns = list(combinations(range(ranks.shape[1]), 2))
    first, second = np.array(columns, dtype=np.int64).reshape(-1, 2).T
    row, nth = np.nonzero(counted[:, first] & counted[:, second])
    said = np.sign(ranks[row, second[nth]] - ranks[row, first[nth]])
    return row, systems[row, first[nth]], systems[row, second[nth]], said.astype(np.int8)


def distant_pairs(
    assessed: FloatArray, threshold: float, *, strict: bool
) -> tuple[IntArray, IntArray, IntArray, NDArray[np.int8]]:
    """Return the pairs of systems whose direct assessments of a segment are far enough apart.

    Parameters
    ----------
    assessed : (segments, systems) float64
        NaN where there is none.
    threshold : float
        How far apart at least; farther than that if `strict`. Equal assessments are never a pair.

    Returns
    -------
    tuple of arrays
        Segment, left and right, (pairs,) int64 each, and what was said, (pairs,) int8.
    """
    left, right = np.triu_indices(assessed.shape[1], 1)
    gap = assessed[:, left] - assessed[:, right]
    size = np.nan_to_num(np.abs(gap))
    segment, nth = np.nonzero((size > threshold if strict else size >= threshold) & (size > 0))
    return segment, left[nth], right[nth], np.sign(gap[segment, nth]).astype(np.int8)


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
