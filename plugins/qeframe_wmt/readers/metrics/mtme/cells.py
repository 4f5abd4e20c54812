"""The cells of one language pair: the human scores of segments by systems, and a metric's scores of the same cells."""

from collections.abc import Mapping, Sequence

import numpy as np
from attrs import field, frozen

from qeframe.plugin import BoolArray, FloatArray, IntArray
from qeframe.plugin.calls import counted
from qeframe.plugin.readers import TextFile, and_more
from qeframe_wmt.formats.tables import present_means
from qeframe_wmt.readers.metrics.mtme.score_files import SystemColumns


@frozen(kw_only=True, eq=False)
class ScoreTables:
    """The scores of a metric, or of humans."""

    name: str
    segments: SystemColumns | None = None  # the scores of segments, if they are read
    systems: SystemColumns | None = None  # the scores of systems, a single row, if they are read
    # whether the scores of systems are means of segments, since the file of domain scores is absent
    averaged: bool = False

    @property
    def tables(self) -> tuple[SystemColumns, ...]:
        """The tables that were read."""
        return tuple(table for table in (self.segments, self.systems) if table is not None)

    @property
    def file(self) -> TextFile:
        """The first file that was read."""
        return self.tables[0].file

    @property
    def scored_systems(self) -> tuple[str, ...]:
        """The systems that have a score in every table."""
        scored = []
        for table in self.tables:
            has = np.flatnonzero(np.logical_or.reduce(~np.isnan(table.cells), axis=0))
            scored.append({table.systems[i] for i in has})
        return tuple(name for name in self.tables[0].systems if all(name in names for names in scored))

    @property
    def named_systems(self) -> tuple[str, ...]:
        """The systems in any table, in the order of the files."""
        return tuple(dict.fromkeys(name for table in self.tables for name in table.systems))


@frozen(kw_only=True, eq=False)
class GoldCells:
    """The human scores of the systems that are compared."""

    scores: ScoreTables
    systems: tuple[str, ...]
    rows: IntArray  # (n,), the segments that take part, from 0; a single 0 at system level
    cells: FloatArray  # (n, systems), NaN where there is no score
    unscored: int  # the number of segments without human scores
    outside: int  # the number of segments with human scores that are not of the domain
    remedies: Mapping[str, str] = field(factory=dict)  # by system, what else to do if a metric has no score of it

    @classmethod
    def of(
        cls,
        scores: ScoreTables,
        systems: Sequence[str],
        inside: BoolArray | None,
        remedies: Mapping[str, str] | None = None,
    ) -> "GoldCells":
        """Return the human scores of some systems; `inside` are the segments of the domain, by default all."""
        if not systems:
            remedy = "references and outliers do not count; choose another gold"
            raise scores.file.error("no system has a human score", remedy=remedy)
        table = scores.tables[0]
        cells = table.cells[:, _columns(table, systems)]
        kept = np.logical_or.reduce(~np.isnan(cells), axis=1)
        rows = np.flatnonzero(kept if inside is None else kept & inside)
        if not len(rows):
            raise scores.file.error("no segment of the domain has a human score", remedy="choose another domain")
        return cls(
            scores=scores,
            systems=tuple(systems),
            rows=rows,
            cells=_with_system_means(scores, systems, cells[rows], ~np.isnan(cells[rows])),
            unscored=int((~kept).sum()),
            outside=int(kept.sum()) - len(rows),
            remedies=remedies or {},
        )

    def of_metric(self, metric: ScoreTables) -> FloatArray:
        """Return the scores of a metric, (n, systems): every cell that humans scored must have one."""
        for table in metric.tables:
            self._check_systems(metric.name, table)
        table = metric.tables[0]
        self._check_length(table)
        columns = _columns(table, self.systems)
        cells = table.cells[np.ix_(self.rows, columns)]
        absent = np.argwhere(np.isnan(cells) & ~np.isnan(self.cells))
        if len(absent):
            row, column = absent[0]
            segment, line = self.rows[row], table.lines[self.rows[row], columns[column]]
            scored = f"segment {segment + 1} of {self.systems[column]}, which humans scored{and_more(len(absent))}"
            remedy = "complete it: missing scores are not filled"
            raise table.file.error(f"{metric.name} has no score of {scored}", line=int(line), remedy=remedy)
        return _with_system_means(metric, self.systems, cells, ~np.isnan(self.cells))

    def of_humans(self, humans: ScoreTables) -> tuple[FloatArray, FloatArray]:
        """Return other human scores, and the gold on the cells where both are, (n, systems) each."""
        self._check_length(humans.tables[0])
        scored = [name in humans.scored_systems for name in self.systems]
        names = [name for name in self.systems if name in humans.scored_systems]
        cells = np.full(self.cells.shape, np.nan)
        cells[:, scored] = humans.tables[0].cells[np.ix_(self.rows, _columns(humans.tables[0], names))]
        present = ~(np.isnan(self.cells) | np.isnan(cells))
        truth = np.where(present, self.cells, np.nan)
        both = np.flatnonzero(scored)
        cells[:, both] = _with_system_means(humans, names, np.where(present, cells, np.nan)[:, both], present[:, both])
        truth[:, both] = _with_system_means(self.scores, names, truth[:, both], present[:, both])
        return cells, truth

    def _check_length(self, table: SystemColumns) -> None:
        mine = self.scores.tables[0]
        if len(table.cells) != len(mine.cells):
            what = f"{counted(len(table.cells), 'line')} a system, but {len(mine.cells)} in {mine.file.path}"
            raise table.file.error(what, remedy="give every system one line a segment")

    def _check_systems(self, name: str, table: SystemColumns) -> None:
        for system in self.systems:
            if system not in table.systems:
                from difflib import get_close_matches

                unknown = [other for other in table.systems if other not in self.scores.named_systems]
                similar = get_close_matches(system, unknown, 1)
                but = f", but of '{similar[0]}', which is not in the gold" if similar else ""
                complete = "complete the file" + (", or rename the system" if similar else "")
                remedy = f"{complete}, or leave it out for all: --set 'outliers+=[{system}]'"
                what = f"{name} has no score of system '{system}'{but}"
                raise table.file.error(what, remedy=self.remedies.get(system, remedy))


def with_means(cells: FloatArray, target: FloatArray, present: BoolArray) -> FloatArray:
    """Return cells with a constant added to each column, so that the means of its present cells are the targets.

    A column without a present cell stays as it is.
    """
    return cells + (target - present_means(cells, present, otherwise=target))


def _with_system_means(
    scores: ScoreTables, systems: Sequence[str], cells: FloatArray, present: BoolArray
) -> FloatArray:
    """Return the cells of segments with the system scores as their means; other cells as they are."""
    if scores.segments is None or scores.systems is None:
        return cells
    return with_means(cells, scores.systems.cells[0, _columns(scores.systems, systems)], present)


def _columns(table: SystemColumns, systems: Sequence[str]) -> IntArray:
    position = {name: i for i, name in enumerate(table.systems)}
    return np.array([position[name] for name in systems], dtype=np.int64)
