"""Pairs of systems that humans compared, and the reading of them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

import attrs
import numpy as np
from attrs import frozen
from numpy.typing import ArrayLike, NDArray

from qeframe.plugin import Best, DataError, IntArray, Judgments
from qeframe.plugin.calls import did_you_mean
from qeframe.plugin.readers import Dropped, Input, Reading, TextFiles, UnitValues


@frozen(kw_only=True, eq=False)
class ComparedPairs:
    """Judgments of one language pair: pairs of systems, their segments, and the preferences of the humans."""

    pair: str
    systems: Sequence[str]  # the labels to which the positions below refer, and those of segments
    segments: Sequence[str]
    segment: IntArray  # (n,) each: the positions of the segment and of the two systems of every judgment
    left: IntArray
    right: IntArray
    human: NDArray[np.int8]  # (n,), +1 left better, 0 tie, -1 right better
    path: Path  # the file or folder that was read
    groups: Mapping[str, Sequence[str]]  # for each grouping, the label of every judgment

    @property
    def at_system_level(self) -> ComparedPairs:
        """The same judgments, all of one segment, whose name is empty."""
        return attrs.evolve(self, segments=("",), segment=np.zeros_like(self.segment))

    @property
    def counts(self) -> dict[str, int]:
        """The numbers of systems in pairs, of judged segments, of decided and of tied pairs."""
        tied = int(np.count_nonzero(self.human == 0))
        systems = len(np.unique(np.concatenate([self.left, self.right])))
        return {"systems": systems, "segments": len(self.segments), "decided": len(self.human) - tied, "tied": tied}


def labels_at(labels: ArrayLike, positions: IntArray) -> list[str]:
    """Return the labels at the given positions."""
    chosen: list[str] = np.asarray(labels, dtype=object)[positions].tolist()
    return chosen


def reading_of(
    compared: ComparedPairs,
    submissions: Sequence[UnitValues],
    *,
    best: Best,
    counts: Mapping[str, int] | None = None,
    dropped: Sequence[Dropped] = (),
    inputs: Sequence[Input] = (),
    texts: TextFiles | None = None,
) -> Reading:
    """Return the reading of a task of judgments, which may be unanswered: a task that no metric scored is kept."""
    ids = np.arange(len(compared.human))
    judged = np.stack([compared.human, compared.left, compared.right], axis=1).astype(np.int64)
    return Reading(
        name=compared.pair,
        kind=Judgments,
        gold=UnitValues(name="gold", ids=ids, values=judged, path=str(compared.path), numbered_from=1),
        submissions=tuple(submissions),
        groups={"segment": labels_at(compared.segments, compared.segment), **compared.groups},
        best=best,
        counts={**(counts or {}), **compared.counts},
        dropped=tuple(dropped),
        inputs=tuple(inputs),
        texts=texts,
        may_be_unanswered=True,
    )


def located_texts(
    compared: ComparedPairs,
    translations: Mapping[str, Path],
    references: Sequence[Path],
    *,
    folder: Path,
    root: Path,
    whole: bool,
) -> TextFiles:
    """Return the paths of the texts of the systems that were compared, whose segments have their numbers as names.

    `translations` are the files of the systems in `folder`, and `whole` is whether a metric has one score for each
    system.
    """
    judged = np.unique(np.concatenate([compared.left, compared.right]))
    names = [compared.systems[i] for i in judged]
    absent = next((name for name in names if name not in translations), None)
    if absent is not None:
        remedy = did_you_mean(absent, translations)
        raise DataError(f"no translations of '{absent}', which was judged", path=folder, remedy=remedy)
    return TextFiles(
        pair=compared.pair,
        systems={name: translations[name] for name in names},
        references=tuple(references),
        segments=np.array(list(map(int, compared.segments)), dtype=np.int64)[compared.segment],
        left_right=np.searchsorted(judged, np.stack([compared.left, compared.right], axis=1)),
        root=root,
        whole=whole,
    )
