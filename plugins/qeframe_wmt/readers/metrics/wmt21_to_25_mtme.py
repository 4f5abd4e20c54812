"""Human and metric scores in the layout of mt-metrics-eval: 2021 to 2025."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Literal

import attrs
import numpy as np
from attrs import frozen

from qeframe.plugin import (
    Best,
    BoolArray,
    DataError,
    Dropped,
    FloatArray,
    Grid,
    IntArray,
    Reader,
    Reading,
    TextFile,
    UnitValues,
    counted,
    did_you_mean,
    has_file,
    has_folder,
    input_of,
    read_text_lines,
    split_columns,
    visible,
)
from qeframe_wmt.readers.metrics.system_columns import SystemColumns, read_system_columns

__all__ = ["mtme"]

Level = Literal["seg", "sys"]

_WORDS = {"seg": "segment", "sys": "system"}
_LINES = "lines of SYSTEM and SCORE, for every system one a segment"
_LAYOUT = "PATH holds human-scores/LP.NAME.seg.score and metric-scores/LP/METRIC-REF.seg.score"


@frozen
class _Selection:
    """The scores that `mtme` reads: its parameters."""

    human: str
    references: tuple[str, ...]
    level: Level


@frozen(eq=False)
class _Gold:
    """The human scores of one language pair.

    Parameters
    ----------
    table : SystemColumns
        The whole file.
    systems : tuple of str
        The systems that are compared: those with scores that are not references.
    cells : (segments, systems) float64
        NaN where there is no score.
    """

    table: SystemColumns
    systems: tuple[str, ...]
    cells: FloatArray

    @property
    def kept(self) -> BoolArray:
        """(segments,) bool: the segments with a human score."""
        return np.logical_or.reduce(~np.isnan(self.cells), axis=1, dtype=np.bool_)


def mtme(*, human: str = "mqm", references: tuple[str, ...] = (), level: Level = "seg") -> Reader:
    """Read the folders human-scores and metric-scores: one score a line for every system.

    Parameters
    ----------
    human : str
        The human scores that are the gold: NAME of ``human-scores/LP.NAME.seg.score``.
    references : list of str
        Systems that are references ("refA", "synthetic_ref"). They are left out everywhere and counted.
    level : {"seg", "sys"}
        Scores of segments, or of systems. A task at system level is one row of a grid.

    Returns
    -------
    Reader
        Of `Grid`, each language pair with such human scores a task. Submissions are named METRIC-REF. Segments and
        systems without human scores are left out and counted, and so are metrics without scores on that level.

    Raises
    ------
    DataError
        For an unknown level.

    References
    ----------
    google-research/mt-metrics-eval; metrics tasks 2021-25.
    """
    if level not in _WORDS:
        raise DataError(f"unknown level '{level}'", remedy="give seg or sys")
    return Reader(
        name="mtme",
        summary="layout of mt-metrics-eval: human-scores and metric-scores, one score a line for every system",
        source="google-research/mt-metrics-eval; metrics tasks 2021-25",
        kind=Grid,
        read=partial(_read, selection=_Selection(human, references, level)),
    )


def _read(path: Path, best: Best, *, selection: _Selection) -> Sequence[Reading]:
    if visible(path) and not has_folder(path / "human-scores"):
        raise DataError("this is not a folder of mt-metrics-eval: it has no human-scores", path=path, remedy=_LAYOUT)
    humans = visible(path / "human-scores")
    ending = f".{selection.human}.{selection.level}.score"
    golds = {file.name.removesuffix(ending): file for file in humans if file.name.endswith(ending)}
    if not golds:
        names = {parts[1] for file in humans if len(parts := file.name.split(".")) == 4}
        remedy = did_you_mean(selection.human, names, _LAYOUT)
        raise DataError(f"no human scores LP{ending} are here", path=path / "human-scores", remedy=remedy)
    readings = [
        _read_pair(path, pair, read_text_lines(file, holds=_LINES), best, selection) for pair, file in golds.items()
    ]
    others = [entry.name for entry in visible(path / "metric-scores") if entry.is_dir() and entry.name not in golds]
    notes = (Dropped(pair, "language pair", 1, f"no human scores named '{selection.human}'") for pair in others)
    last = readings[-1]
    return [*readings[:-1], attrs.evolve(last, dropped=(*last.dropped, *notes))]


def _read_pair(root: Path, pair: str, file: TextFile, best: Best, selection: _Selection) -> Reading:
    gold = _gold(file, selection)
    folder = root / "metric-scores" / pair
    files, absent = _metric_files(folder, selection.level) if has_folder(folder) else ([], [])
    tables = [read_system_columns(read_text_lines(path, holds=_LINES)) for path in files]
    documents = root / "documents" / f"{pair}.docs"
    labels = read_text_lines(documents) if selection.level == "seg" and has_file(documents) else None
    kept = np.flatnonzero(gold.kept)
    systems = tuple(dict.fromkeys([*gold.table.systems, *(name for table in tables for name in table.systems)]))
    return Reading(
        name=pair,
        kind=Grid,
        gold=UnitValues(name="gold", ids=kept + 1, values=gold.cells[kept], path=str(file.path)),
        submissions=tuple(_submission(table, gold, selection.level) for table in tables),
        groups={} if labels is None else _groups(labels, gold, kept),
        best=best,
        dropped=_dropped(pair, gold, tables, absent, selection),
        inputs=tuple(input_of(each, root) for each in (file, *([labels] if labels else []), *(t.file for t in tables))),
        counts=_counts(gold, selection.level),
        unmatched=tuple(name for name in selection.references if name not in systems),
        known=systems,
        may_be_unanswered=True,
    )


def _counts(gold: _Gold, level: Level) -> dict[str, int]:
    systems = len(gold.systems)
    segments = {"segments": int(gold.kept.sum())} if level == "seg" else {}
    return {"systems": systems, "system_pairs": systems * (systems - 1) // 2, **segments}


def _gold(file: TextFile, selection: _Selection) -> _Gold:
    table = read_system_columns(file)
    scored = np.logical_or.reduce(~np.isnan(table.cells), axis=0, dtype=np.bool_)
    kept = [i for i, name in enumerate(table.systems) if scored[i] and name not in selection.references]
    if not kept:
        raise file.error("no system has a human score", remedy="references do not count; choose another human=NAME")
    return _Gold(table, tuple(table.systems[i] for i in kept), table.cells[:, kept])


def _metric_files(folder: Path, level: Level) -> tuple[list[Path], list[str]]:
    """Return the files of scores of a level, and the metrics that have scores of the other level only."""
    ending = f".{level}.score"
    files = [file for file in visible(folder) if file.name.endswith(ending)]
    metrics = {file.name.rsplit(".", 2)[0] for file in visible(folder) if file.name.endswith(".score")}
    return files, sorted(metrics - {file.name.removesuffix(ending) for file in files})


def _submission(table: SystemColumns, gold: _Gold, level: Level) -> UnitValues:
    """Return the scores of a metric for the systems and segments that have human scores."""
    name = table.file.path.name.removesuffix(f".{level}.score")
    for system in gold.systems:
        if system not in table.systems:
            remedy = f'complete the file, or leave it out for all: references=[..., "{system}"]'
            raise table.file.error(f"{name} has no score of system '{system}'", remedy=remedy)
    if len(table.cells) != len(gold.cells):
        what = f"{counted(len(table.cells), 'line')} a system, but {len(gold.cells)} in {gold.table.file.path}"
        raise table.file.error(what, remedy="give every system one line a segment")
    columns = [table.systems.index(system) for system in gold.systems]
    cells, kept = table.cells[:, columns], np.flatnonzero(gold.kept)
    _check_answered(name, cells, table.lines[:, columns], table.file, gold)
    return UnitValues(name=name, ids=kept + 1, values=cells[kept], path=str(table.file.path))


def _check_answered(name: str, cells: FloatArray, lines: IntArray, file: TextFile, gold: _Gold) -> None:
    absent = np.argwhere(np.isnan(cells) & ~np.isnan(gold.cells))
    if len(absent):
        segment, system = absent[0]
        more = f" (and {len(absent) - 1} more)" if len(absent) > 1 else ""
        what = f"{name} has no score of segment {segment + 1} of {gold.systems[system]}, which humans scored{more}"
        raise file.error(what, line=int(lines[segment, system]), remedy="complete it: missing scores are not filled")


def _groups(file: TextFile, gold: _Gold, kept: IntArray) -> dict[str, list[str]]:
    domains, documents = split_columns(file, ("DOMAIN", "DOCUMENT"))
    if len(domains) != len(gold.cells):
        what = f"{counted(len(domains), 'line')} for {counted(len(gold.cells), 'segment')} in {gold.table.file.path}"
        raise file.error(what, remedy="give one line a segment")
    return {"domain": [domains[i] for i in kept], "document": [documents[i] for i in kept]}


def _dropped(
    pair: str, gold: _Gold, tables: Sequence[SystemColumns], absent: Sequence[str], selection: _Selection
) -> tuple[Dropped, ...]:
    """Count what is left out: references, systems and segments without human scores, metrics without scores."""
    systems = dict.fromkeys([*gold.table.systems, *(name for table in tables for name in table.systems)])
    notes = [
        Dropped(pair, "system", 1, f"{name}: {'a reference' if name in selection.references else 'no human scores'}")
        for name in systems
        if name not in gold.systems
    ]
    unscored = int((~gold.kept).sum())
    if unscored:
        notes.append(Dropped(pair, "segment", unscored, "no human scores"))
    if absent:
        notes.append(
            Dropped(pair, "submission", len(absent), f"no {_WORDS[selection.level]} scores: {', '.join(absent)}")
        )
    return tuple(notes)
