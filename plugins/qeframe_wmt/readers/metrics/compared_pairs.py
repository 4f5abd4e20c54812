"""Pairs of systems that humans compared, and the scores that a metric gave to segments of these systems."""

from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import Any

import attrs
import numpy as np
from attrs import frozen
from numpy.typing import ArrayLike, NDArray

from qeframe.plugin import Best, DataError, FloatArray, IntArray, Judgments
from qeframe.plugin.calls import did_you_mean
from qeframe.plugin.kinds import labels_to_index
from qeframe.plugin.readers import (
    Dropped,
    Reading,
    Submitted,
    TextFile,
    TextFiles,
    UnitValues,
    and_more,
    input_of,
    parse_numbers,
)
from qeframe_wmt.formats.tables import first_repeat
from qeframe_wmt.selections.selection import Level


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
    def at_system_level(self) -> "ComparedPairs":
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
    scores: Sequence["SegmentScores"],
    *,
    best: Best,
    files: Iterable[TextFile],
    root: Path,
    counts: Mapping[str, int] | None = None,
    level: Level = "seg",
    **fields: Any,
) -> Reading:
    """Return the reading of a task of judgments, which may be unanswered: a task that no metric scored is kept.

    `files`: those of the judgments, below `root`. `fields`: further ones of `Reading`.
    """
    ids = np.arange(len(compared.human))
    judged = np.stack([compared.human, compared.left, compared.right], axis=1).astype(np.int64)
    scored = compared if level == "seg" else compared.at_system_level
    return Reading(
        name=compared.pair,
        kind=Judgments,
        gold=UnitValues(name="gold", ids=ids, values=judged, path=str(compared.path), numbered_from=1),
        submissions=tuple(of_metric.of_pairs(scored) for of_metric in scores),
        groups={"segment": labels_at(compared.segments, compared.segment), **compared.groups},
        best=best,
        counts={**(counts or {}), **compared.counts},
        inputs=tuple(input_of(used, root) for used in (*files, *(of_metric.file for of_metric in scores))),
        systems=tuple(compared.systems),
        level=level,
        may_be_unanswered=True,
        **fields,
    )


def texts_of(
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
        raise DataError(f"no translations of '{absent[:40]}', which was judged", path=folder, remedy=remedy)
    return TextFiles(
        pair=compared.pair,
        systems={name: translations[name] for name in names},
        references=tuple(references),
        segments=np.array(list(map(int, compared.segments)), dtype=np.int64)[compared.segment],
        left_right=np.searchsorted(judged, np.stack([compared.left, compared.right], axis=1)),
        root=root,
        whole=whole,
    )


@frozen(kw_only=True, eq=False, slots=False)
class SegmentScores:
    """The scores of one metric in one language pair."""

    metric: str
    file: TextFile
    systems: Sequence[str]  # the system of every score
    segments: Sequence[str]  # empty where a system has a single score
    scores: FloatArray  # finite
    lines: IntArray

    @cached_property
    def names(self) -> tuple[str, ...]:
        """The names of the systems that were scored."""
        return labels_to_index(self.systems)[1]

    @cached_property
    def _cells(self) -> tuple[FloatArray, Sequence[str], Sequence[str]]:
        """The scores by segment and system, with a last row and a last column of unknown labels; and the labels."""
        system, systems = labels_to_index(self.systems)
        segment, segments = labels_to_index(self.segments)
        cells = np.full((len(segments) + 1, len(systems) + 1), np.nan)
        cells[segment, system] = self.scores
        return cells, segments, systems

    def grid(self, segments: Sequence[str], systems: Sequence[str]) -> FloatArray:
        """Return the scores of some segments and systems, (segments, systems); NaN where there is none."""
        cells, of_rows, of_columns = self._cells
        return cells[np.ix_(_positions(of_rows, segments), _positions(of_columns, systems))]

    def of_pairs(self, compared: ComparedPairs) -> UnitValues:
        """Return the scores of the left and the right system of every judgment; each that was judged must have one."""
        self._check_complete()
        cells, sides = self.grid(compared.segments, compared.systems), (compared.left, compared.right)
        values = np.stack([cells[compared.segment, system] for system in sides], axis=1)
        absent = np.argwhere(np.isnan(values))
        if len(absent):
            judgment, side = absent[0]
            name = compared.systems[sides[side][judgment]]
            segment = compared.segments[compared.segment[judgment]]
            what = f"{self.metric} has no score of {_cell(segment, name)}, which was judged"
            raise self.file.error(what, remedy="complete the file: missing scores are not filled")
        return UnitValues(name=self.metric, ids=np.arange(len(values)), values=values, path=str(self.file.path))

    def alone(self, pair: str, dropped: Sequence[Dropped] = ()) -> Submitted:
        """Return the scores of a language pair without judgments; a unit is a segment of a system, or a system."""
        self._check_complete()
        units = zip(self.segments, self.systems, strict=True)
        answers = UnitValues(
            name=self.metric,
            ids=np.arange(len(self.scores)),
            values=self.scores,
            path=str(self.file.path),
            lines=self.lines,
            names={i: f"{segment} of {name}" if segment != "" else name for i, (segment, name) in enumerate(units)},
        )
        return Submitted(part=pair, answers=answers, dropped=tuple(note for note in dropped if note.task == pair))

    def _check_complete(self) -> None:
        """Raise a `DataError` for a cell that is scored twice, or not although others of its segment and system are."""
        self.check_each_once()
        cells, segments, systems = self._cells
        absent = np.argwhere(np.isnan(cells[:-1, :-1]))
        if len(absent):
            row, column = absent[0]
            what = f"{self.metric} has no score of segment {segments[row]} of {systems[column]}{and_more(len(absent))}"
            remedy = "other systems have one: complete the file, missing scores are not filled"
            raise self.file.error(what, remedy=remedy)

    def check_each_once(self) -> None:
        """Raise a `DataError` at the first segment and system that is scored twice."""
        if twice := first_repeat(zip(self.segments, self.systems, strict=True)):
            again, earlier = twice[0], int(self.lines[twice[1]])
            what = f"{_cell(self.segments[again], self.systems[again])} is scored twice, first on line {earlier}"
            remedy = "keep one line a segment and system" if self.segments[again] else "keep one line a system"
            raise self.file.error(what, line=int(self.lines[again]), remedy=remedy)


def _cell(segment: object, system: str) -> str:
    """Return the name of a cell."""
    return f"segment {segment} of {system}" if segment != "" else f"system {system}"


def _positions(labels: Sequence[str], wanted: Sequence[str]) -> IntArray:
    """Return the positions of the wanted labels, -1 for unknown ones."""
    position = {label: i for i, label in enumerate(labels)}
    return np.array([position.get(label, -1) for label in wanted], dtype=np.int64)


def finite_cells(
    texts: Sequence[str], file: TextFile, *, systems: Sequence[str], segments: Sequence[object]
) -> FloatArray:
    """Read a column of finite scores; an error names the system and the segment."""
    try:
        return parse_numbers(texts, file)
    except DataError as error:
        row = (error.line or 1) - 1
        what = f"the score of {_cell(segments[row], systems[row])} is not a number: {error.what}"
        raise file.error(what, line=error.line, remedy="every segment and system needs a finite number") from None
