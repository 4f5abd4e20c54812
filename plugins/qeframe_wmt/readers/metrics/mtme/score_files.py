"""The files of human-scores and metric-scores, found by their names, and their contents, parsed once a run."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

import attrs
import numpy as np
from attrs import field, frozen

from qeframe.plugin import DataError
from qeframe.plugin.calls import counted
from qeframe.plugin.readers import Dropped, Submitted, TextFile, UnitValues, has_folder, read_text_lines, visible
from qeframe_wmt.readers.metrics.system_columns import SystemColumns, read_domain_columns, read_system_columns

LINES = "lines of SYSTEM and SCORE, for every system one a segment"
LAYOUT = "PATH holds human-scores/LP.NAME.seg.score and metric-scores/LP/METRIC-REF.seg.score"

_LARGEST_MEMORY = 128 << 20


@frozen(order=True)
class MetricFile:
    """The name of a metric's scores, ``BASE-REFS``, and its parts."""

    name: str
    base: str
    references: tuple[str, ...]  # those that the metric used: "all", or names; none for ``src``


def metric_file(name: str) -> MetricFile:
    """Return the parts of a name; one without a hyphen has no references."""
    base, hyphen, references = name.rpartition("-")
    if not hyphen:
        return MetricFile(name, name, ())
    return MetricFile(name, base, () if references == "src" else tuple(references.split(".")))


@frozen
class Folder:
    """The files of scores in a folder of mt-metrics-eval."""

    path: Path
    # by language pair, name of the scores and level ("seg", "sys", "domain")
    humans: Mapping[tuple[str, str, str], Path] = field(repr=False)

    @property
    def pairs(self) -> list[str]:
        """The language pairs that have human scores or metric scores, sorted."""
        scored = self.path / "metric-scores"
        folders = [entry.name for entry in visible(scored) if entry.is_dir()] if has_folder(scored) else []
        return sorted({*folders, *(pair for pair, _, _ in self.humans)})

    def golds(self, pair: str, level: str) -> list[str]:
        """Return the names of the human scores of a pair at a level."""
        return sorted(name for of, name, at in self.humans if (of, at) == (pair, level))

    def human_files(self, pair: str, name: str) -> dict[str, Path]:
        """Return the files of human scores of a pair, by level."""
        return {level: file for (of, named, level), file in self.humans.items() if (of, named) == (pair, name)}

    def metrics(self, pair: str) -> Mapping[MetricFile, Mapping[str, Path]]:
        """Return the files of the metric scores of a pair, by metric and level."""
        folder = self.path / "metric-scores" / pair
        found: dict[MetricFile, dict[str, Path]] = {}
        for name, file in score_files(folder).items() if has_folder(folder) else ():
            metric, _, level = name.rpartition(".")
            if metric:
                found.setdefault(metric_file(metric), {})[level] = file
        return {metric: found[metric] for metric in sorted(found)}

    def references(self, pair: str) -> list[str]:
        """Return the names of the references of a pair whose texts are there."""
        folder = self.path / "references"
        files = visible(folder) if has_folder(folder) else []
        parts = [file.name.removesuffix(".gz").split(".") for file in files]
        return [part[1] for part in parts if len(part) == 3 and part[0] == pair and part[2] == "txt"]


def open_folder(path: Path) -> Folder:
    """Return a folder that holds human-scores."""
    if visible(path) and not has_folder(path / "human-scores"):
        raise DataError("this is not a folder of mt-metrics-eval: it has no human-scores", path=path, remedy=LAYOUT)
    humans = {}
    for name, file in score_files(path / "human-scores").items():
        pair, *middle, level = name.split(".")
        if middle:
            humans[pair, ".".join(middle), level] = file
    return Folder(path, humans)


def score_files(folder: Path) -> dict[str, Path]:
    """Return the files of scores by their names without ``.score`` and ``.gz``."""
    found: dict[str, Path] = {}
    for file in visible(folder):
        plain = file.name.removesuffix(".gz")
        if not plain.endswith(".score"):
            continue
        name = plain.removesuffix(".score")
        if name in found:
            what = f"the same scores are there twice: {found[name].name} and {file.name}"
            raise DataError(what, path=folder, remedy="keep one of the two")
        found[name] = file
    return found


def text_file(path: Path, *, holds: str = LINES) -> TextFile:
    """Return a text file, unpacked if its name ends in ``.gz``."""
    return read_text_lines(path, holds=holds, packed=path.name.endswith(".gz"))


class ParsedFiles:
    """The columns of the files that were read last, by path and hash, up to a bound of memory in bytes."""

    def __init__(self, largest: int = _LARGEST_MEMORY) -> None:
        self.largest, self.size = largest, 0
        self._kept: OrderedDict[tuple[Path, str, bool], SystemColumns] = OrderedDict()

    def systems(self, path: Path) -> SystemColumns:
        """Return the columns of a file of SYSTEM and SCORE."""
        return self._columns(path, read_system_columns, domains=False)

    def domains(self, path: Path) -> SystemColumns:
        """Return the columns of a file of DOMAIN, SYSTEM and SCORE: a row for each domain."""
        return self._columns(path, read_domain_columns, domains=True)

    def _columns(self, path: Path, parse: Callable[[TextFile], SystemColumns], *, domains: bool) -> SystemColumns:
        file = text_file(path, holds="lines of DOMAIN, SYSTEM and SCORE" if domains else LINES)
        key = (path, file.sha256, domains)
        if key not in self._kept:
            parsed = parse(file)
            self._kept[key] = attrs.evolve(parsed, file=attrs.evolve(file, lines=()))
            self.size += parsed.size
        self._kept.move_to_end(key)
        columns = self._kept[key]
        while self.size > self.largest:
            self.size -= self._kept.popitem(last=False)[1].size
        return columns


def read_score_file(path: Path) -> Sequence[Submitted]:
    """Return the scores of every system, with segments numbered from 1 and NaN for None."""
    columns = read_system_columns(text_file(path))
    segments = np.arange(1, len(columns.cells) + 1)
    if path.name.removesuffix(".gz").endswith(".sys.score") and len(segments) > 1:
        what = f"{counted(len(segments), 'line')} of {columns.systems[0]} in a file of system scores"
        remedy = "give each system one line, or name a file of segment scores METRIC-REF.seg.score"
        raise columns.file.error(what, line=int(columns.lines[1, 0]), remedy=remedy)
    name = path.name.removesuffix(".gz").removesuffix(".score").removesuffix(".seg").removesuffix(".sys")
    absent = np.isnan(columns.cells).sum(axis=0)
    return [
        Submitted(
            part=system,
            answers=UnitValues(
                name=name,
                ids=segments,
                values=columns.cells[:, number],
                path=str(path),
                lines=columns.lines[:, number].astype(np.int64),
            ),
            dropped=(Dropped(system, "score", int(absent[number]), f"None of {system}"),) if absent[number] else (),
        )
        for number, system in enumerate(columns.systems)
    ]


def scores_as_gold(gold: Path, answers: Path) -> bytes:
    """Return human scores with the scores of a metric in their place; None stays where no human gave a score."""
    truth, given = (read_system_columns(text_file(path)) for path in (gold, answers))
    if len(truth.cells) != len(given.cells):
        what = f"{counted(len(given.cells), 'line')} of a system, {len(truth.cells)} in {gold.name}"
        raise given.file.error(what, remedy="give a score for every line of the human scores")
    lines = []
    for number, system in enumerate(truth.systems):
        scores = np.full(len(truth.cells), np.nan)
        if system in given.systems:
            scores = given.cells[:, given.systems.index(system)]
        missing = np.isnan(truth.cells[:, number]) | np.isnan(scores)
        pairs = zip(scores.tolist(), missing.tolist(), strict=True)
        lines += [f"{system}\t{'None' if absent else repr(score)}\n" for score, absent in pairs]
    return "".join(lines).encode()
