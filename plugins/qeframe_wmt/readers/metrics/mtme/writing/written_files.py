"""The layout of mt-metrics-eval, written: human-scores, metric-scores, documents, references and system-outputs.

A language pair has ``human-scores/LP.NAME.seg.score`` and ``metric-scores/LP/METRIC-REF.seg.score``, and the same with
``.sys.score``. What the reader knows beside scores is written too: ``documents/LP.docs``, ``sources/LP.txt``,
``references/LP.refA.txt`` and ``system-outputs/LP/SYSTEM.txt``. What was read from this layout keeps the names of its
files; a reference that is scored as a system is written as a reference. If a profile reads a task several times, its
readings are joined. Scores of systems that were not read are the means of their segments with human scores, counted.
"""

from collections.abc import Iterable, Sequence

import numpy as np
from attrs import frozen

from qeframe.plugin import DataError, FloatArray, Grid, IntArray
from qeframe.plugin.readers import Dropped, Reading, Written
from qeframe_wmt.formats.tables import score_lines
from qeframe_wmt.readers.metrics.mtme.writing.scored_cells import Names, ScoredCells, Scorer, cells_of, check_column

_UNKNOWN = "unknown"
_FOLDERS = {"human": "human-scores/{pair}.{name}", "metric": "metric-scores/{pair}/{name}"}


def write_files(readings: Sequence[Reading], *, names: Names) -> Written:
    """Write one score a line for every system and segment, None for a missing one."""
    parts: dict[str, list[ScoredCells]] = {}
    without_gold = [reading for reading in readings if _has_no_gold(reading)]
    if len(without_gold) == len(readings):
        raise DataError("no task has a human score", remedy="the layout is for scores with a gold")
    for reading in (written for written in readings if written not in without_gold):
        parts.setdefault(reading.name, []).append(cells_of(reading, names))
    pairs = [_Pair.of(of_pair) for of_pair in parts.values()]
    files = {path: text.encode() for pair in pairs for path, text in pair.files().items()}
    notes = [Dropped(reading.name, "task", 1, "it has no gold") for reading in without_gold]
    return Written(files=files, dropped=tuple(dict.fromkeys([*notes, *(n for pair in pairs for n in pair.notes())])))


def _has_no_gold(reading: Reading) -> bool:
    values = reading.gold.values
    return issubclass(reading.kind, Grid) and values.size > 0 and bool(np.isnan(values).all())


@frozen(kw_only=True, eq=False)
class _Pair:
    """All that is known of one language pair, from one reading or several."""

    name: str
    parts: Sequence[ScoredCells]
    systems: tuple[str, ...]
    lines: int

    @classmethod
    def of(cls, parts: Sequence[ScoredCells]) -> "_Pair":
        return cls(
            name=parts[0].pair,
            parts=parts,
            systems=tuple(dict.fromkeys(name for part in parts for name in part.systems)),
            lines=max(part.lines for part in parts),
        )

    def files(self) -> dict[str, str]:
        """Return the text of every file by its path."""
        files = {}
        for scorer in dict.fromkeys(scorer for part in self.parts for scorer in part.scores):
            place = _FOLDERS[scorer[0]].format(pair=self.name, name=scorer[1])
            if self.of_segments:
                files[f"{place}.seg.score"] = score_lines(self.systems, self._segments(scorer))
            files[f"{place}.sys.score"] = score_lines(self.systems, self._system_scores(scorer))
        return {**files, **self._documents(), **self._texts()}

    def notes(self) -> Iterable[Dropped]:
        """Count what is not written as it was read."""
        for part in self.parts:
            yield from part.dropped
        at_system_level = {scorer for part in self.parts if part.level == "sys" for scorer in part.scores}
        averaged = {scorer for part in self.parts for scorer in part.scores} - at_system_level
        if averaged:
            reason = "scores of systems were not read, means of segments are written"
            yield Dropped(self.name, "scorer", len(averaged), reason)
        if self.of_segments and self.of_segments[0].level == "sys":
            reason = "scores of segments were read moved, so that their mean is the score of the system"
            yield Dropped(self.name, "scorer", len(self.of_segments[0].scores), reason)
        if self.of_segments and not any(part.texts for part in self.parts):
            yield Dropped(self.name, "segment", self.lines, "texts were not read")
        elif self.of_segments and not any(part.texts and part.texts.source is not None for part in self.parts):
            yield Dropped(self.name, "segment", self.lines, "sources are not known")
        unlabelled = [row for row in self._labels() if _UNKNOWN in row]
        if self.of_segments and unlabelled:
            reason = f"its domain or document was not read, '{_UNKNOWN}' is written"
            yield Dropped(self.name, "segment", len(unlabelled), reason)

    @property
    def of_segments(self) -> list[ScoredCells]:
        """The readings that segments are written from: those of segment scores, or else those of several rows."""
        level = [part for part in self.parts if part.level == "seg"]
        return level or [part for part in self.parts if len(part.rows) > 1]

    def _columns(self, part: ScoredCells) -> IntArray:
        return np.array([self.systems.index(name) for name in part.systems], dtype=np.int64)

    def _segments(self, scorer: Scorer) -> FloatArray:
        """Return the scores of all segments, (lines, systems)."""
        cells = np.full((self.lines, len(self.systems)), np.nan)
        for part in self.of_segments:
            if scorer in part.scores:
                place = np.ix_(part.rows, self._columns(part))
                cells[place] = self._joined(cells[place], part.scores[scorer], scorer)
        return cells

    def _system_scores(self, scorer: Scorer) -> FloatArray:
        """Return the scores of all systems, (1, systems): as they were read, or means of segments."""
        cells = np.full((1, len(self.systems)), np.nan)
        having = [part for part in self.parts if scorer in part.scores]
        for part in [part for part in having if part.level == "sys"] or having:
            columns = self._columns(part)
            cells[:, columns] = self._joined(cells[:, columns], part.means(scorer)[None], scorer)
        return cells

    def _joined(self, first: FloatArray, second: FloatArray, scorer: Scorer) -> FloatArray:
        both = ~(np.isnan(first) | np.isnan(second))
        if not np.allclose(first[both], second[both], rtol=1e-9, atol=1e-12):
            what = f"task '{self.name}' cannot be written as mtme: its readings differ in the scores of '{scorer[1]}'"
            raise DataError(what, remedy="export a profile that reads one domain, at one level")
        return np.where(np.isnan(first), second, first)

    def _labels(self) -> list[tuple[str, str]]:
        """Return the domain and the document of every segment; none if no label was read."""
        labels = [[_UNKNOWN, _UNKNOWN] for _ in range(self.lines)]
        having = [part for part in self.of_segments if part.labels]
        for part in having:
            for column, name in enumerate(("domain", "document")):
                check_column(filter(None, part.labels.get(name, ())), name)
                for row, label in zip(part.rows.tolist(), part.labels.get(name, ()), strict=False):
                    labels[row][column] = label or _UNKNOWN
        return [(domain, document) for domain, document in labels] if having else []

    def _documents(self) -> dict[str, str]:
        lines = [f"{domain}\t{document}\n" for domain, document in self._labels()]
        return {f"documents/{self.name}.docs": "".join(lines)} if lines else {}

    def _texts(self) -> dict[str, str]:
        files = {}
        for part in reversed([part for part in self.parts if part.texts]):  # what the first reading has counts
            assert part.texts is not None
            named = zip(part.reference_names, part.texts.references, strict=True)
            files.update({f"references/{self.name}.{name}.txt": _text(lines) for name, lines in named})
            for name, lines in part.texts.systems.items():
                place = f"references/{self.name}.{name}" if name in part.scored_references else None
                files[f"{place or f'system-outputs/{self.name}/{name}'}.txt"] = _text(lines)
            if part.texts.source is not None:
                files[f"sources/{self.name}.txt"] = _text(part.texts.source)
        return files


def _text(lines: Iterable[str]) -> str:
    return "".join(f"{line}\n" for line in lines)
