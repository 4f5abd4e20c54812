"""Scores that a metric gave to segments of systems: tables of lines, and the answers to judgments that they hold."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property

import numpy as np
from attrs import frozen

from qeframe.plugin import BoolArray, DataError, FloatArray, IntArray, Side, TextFile, labels_to_index, parse_numbers
from qeframe_wmt.compared import Compared

__all__ = ["SegmentScores", "finite_cells", "only_text"]


@frozen(kw_only=True, eq=False, slots=False)
class SegmentScores:
    """What one metric scored in one language pair.

    Parameters
    ----------
    metric : str
    file : TextFile
        Where the scores were read.
    systems, segments : sequence of str
        The system and the segment of every score; the segment is empty where a system has one score.
    scores : (n,) float64
        Finite.
    lines : (n,) int64
        The line of every score.
    """

    metric: str
    file: TextFile
    systems: Sequence[str]
    segments: Sequence[str]
    scores: FloatArray
    lines: IntArray

    @cached_property
    def names(self) -> tuple[str, ...]:
        """The systems that were scored."""
        return labels_to_index(self.systems)[1]

    def side(self, compared: Compared) -> Side:
        """Return the metric's scores of left and right of every judgement.

        Raises
        ------
        DataError
            If a segment was scored twice, or misses a score in one system that it has in another, or a system or a
            segment that was judged has no score.
        """
        system, systems = labels_to_index(self.systems)
        segment, segments = labels_to_index(self.segments)
        cells = np.full((len(segments) + 1, len(systems) + 1), np.nan)  # the last ones stand for what is not there
        self._check_each_once(segment * len(systems) + system)
        cells[segment, system] = self.scores
        self._check_rectangular(np.isnan(cells[:-1, :-1]), systems, segments)
        of_segment = _positions(segments, compared.segments)[compared.segment]
        of_system = _positions(systems, compared.systems)
        values = np.stack(
            [cells[of_segment, of_system[side]] for side in (compared.left, compared.right)],
            axis=1,
        )
        self._check_answered(values, compared)
        return Side(name=self.metric, ids=np.arange(len(values)), values=values, path=str(self.file.path))

    def _check_each_once(self, cell: IntArray) -> None:
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

    def _check_answered(self, values: FloatArray, compared: Compared) -> None:
        absent = np.argwhere(np.isnan(values))
        if len(absent):
            judgement, side = absent[0]
            system = compared.systems[(compared.left, compared.right)[side][judgement]]
            segment = compared.segments[compared.segment[judgement]]
            what = f"{self.metric} has no score of {_cell(segment, system)}, which was judged"
            raise self.file.error(what, remedy="complete the file: missing scores are not filled")


def _cell(segment: object, system: str) -> str:
    """Return what a cell is called."""
    return f"segment {segment} of {system}" if segment != "" else f"system {system}"


def _positions(there: Sequence[str], wanted: Sequence[str]) -> IntArray:
    """Return where the wanted labels are, -1 for those that are not there."""
    place = {label: i for i, label in enumerate(there)}
    return np.array([place.get(label, -1) for label in wanted], dtype=np.int64)


def finite_cells(
    texts: Sequence[str], file: TextFile, *, systems: Sequence[str], segments: Sequence[object], skip: int = 0
) -> FloatArray:
    """Read a column of finite scores; what is wrong with one names its system and segment.

    Raises
    ------
    DataError
        For the first text that is not a finite number, with its line and its cell.
    """
    try:
        return parse_numbers(texts, file, skip=skip)
    except DataError as error:
        row = (error.line or 1) - skip - 1
        what = f"the score of {_cell(segments[row], systems[row])} is no number: {error.what}"
        raise file.error(what, line=error.line, remedy="every segment and system needs a finite number") from None


def only_text(column: Sequence[str], name: str, file: TextFile) -> str:
    """Return the text that a whole column has.

    Raises
    ------
    DataError
        At the first line that has another one.
    """
    if column.count(column[0]) != len(column):
        line = next(i for i, text in enumerate(column, 1) if text != column[0])
        what = f"{name} '{column[line - 1]}' after '{column[0]}'"
        raise file.error(what, line=line, remedy=f"a file has one {name}")
    return column[0]
