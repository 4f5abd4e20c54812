"""Scores that a metric gave to segments of systems, and their values on judged pairs."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cached_property

import numpy as np
from attrs import frozen

from qeframe.plugin import BoolArray, DataError, FloatArray, IntArray, labels_to_index
from qeframe.plugin.readers import Dropped, Submitted, TextFile, UnitValues, parse_numbers
from qeframe_wmt.readers.metrics.compared_pairs import ComparedPairs


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

    def of_pairs(self, compared: ComparedPairs) -> UnitValues:
        """Return the scores of the left and the right system of every judgment; each that was judged must have one."""
        cells, systems, segments = self._cells()
        row = _positions(segments, compared.segments)[compared.segment]
        column = _positions(systems, compared.systems)
        values = np.stack([cells[row, column[system]] for system in (compared.left, compared.right)], axis=1)
        self._check_answered(values, compared)
        return UnitValues(name=self.metric, ids=np.arange(len(values)), values=values, path=str(self.file.path))

    def alone(self, pair: str, dropped: Sequence[Dropped]) -> Submitted:
        """Return the scores of a language pair without judgments; a unit is a segment of a system, or a system."""
        self._cells()
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

    def _cells(self) -> tuple[FloatArray, Sequence[str], Sequence[str]]:
        """Return the scores by segment and system, with a last row and a last column of unknown labels."""
        system, systems = labels_to_index(self.systems)
        segment, segments = labels_to_index(self.segments)
        cells = np.full((len(segments) + 1, len(systems) + 1), np.nan)
        self.check_each_once()
        cells[segment, system] = self.scores
        self._check_rectangular(np.isnan(cells[:-1, :-1]), systems, segments)
        return cells, systems, segments

    def check_each_once(self) -> None:
        """Raise a `DataError` at the first segment and system that is scored twice."""
        system, systems = labels_to_index(self.systems)
        segment, _ = labels_to_index(self.segments)
        cell = segment * len(systems) + system
        _, first = np.unique(cell, return_index=True)
        if len(first) == len(cell):
            return
        again = int(np.setdiff1d(np.arange(len(cell)), first)[0])
        earlier = int(self.lines[np.flatnonzero(cell == cell[again])[0]])
        what = f"{_cell(self.segments[again], self.systems[again])} is scored twice, first on line {earlier}"
        remedy = "keep one line a segment and system" if self.segments[again] else "keep one line a system"
        raise self.file.error(what, line=int(self.lines[again]), remedy=remedy)

    def _check_rectangular(self, absent: BoolArray, systems: Sequence[str], segments: Sequence[str]) -> None:
        if absent.any():
            segment, system = np.argwhere(absent)[0]
            more = f" (and {absent.sum() - 1} more)" if absent.sum() > 1 else ""
            what = f"{self.metric} has no score of segment {segments[segment]} of {systems[system]}{more}"
            raise self.file.error(
                what, remedy="other systems have one: complete the file, missing scores are not filled"
            )

    def _check_answered(self, values: FloatArray, compared: ComparedPairs) -> None:
        absent = np.argwhere(np.isnan(values))
        if len(absent):
            judgment, side = absent[0]
            system = compared.systems[(compared.left, compared.right)[side][judgment]]
            segment = compared.segments[compared.segment[judgment]]
            what = f"{self.metric} has no score of {_cell(segment, system)}, which was judged"
            raise self.file.error(what, remedy="complete the file: missing scores are not filled")


def submitted_scores(pairs: Iterable[tuple[str, SegmentScores]], dropped: Sequence[Dropped] = ()) -> list[Submitted]:
    """Return the scores of one file for each of its metrics and language pairs."""
    return [scores.alone(pair, dropped) for pair, scores in pairs]


def _cell(segment: object, system: str) -> str:
    """Return the name of a cell."""
    return f"segment {segment} of {system}" if segment != "" else f"system {system}"


def _positions(labels: Sequence[str], wanted: Sequence[str]) -> IntArray:
    """Return the positions of the wanted labels, -1 for unknown ones."""
    position = {label: i for i, label in enumerate(labels)}
    return np.array([position.get(label, -1) for label in wanted], dtype=np.int64)


def finite_cells(
    texts: Sequence[str], file: TextFile, *, systems: Sequence[str], segments: Sequence[object], skip: int = 0
) -> FloatArray:
    """Read a column of finite scores; an error names the system and the segment."""
    try:
        return parse_numbers(texts, file, skip=skip)
    except DataError as error:
        row = (error.line or 1) - skip - 1
        what = f"the score of {_cell(segments[row], systems[row])} is not a number: {error.what}"
        raise file.error(what, line=error.line, remedy="every segment and system needs a finite number") from None
