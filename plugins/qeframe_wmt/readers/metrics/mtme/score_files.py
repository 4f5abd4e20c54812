"""The files of human-scores and metric-scores and the domains of segments: found by name, and parsed once a run."""

import hashlib
from collections import OrderedDict
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

import attrs
import numpy as np
import numpy.typing as npt
from attrs import field, frozen

from qeframe.plugin import BoolArray, DataError, FloatArray, IntArray
from qeframe.plugin.calls import counted
from qeframe.plugin.kinds import labels_to_index
from qeframe.plugin.readers import (
    Dropped,
    Submitted,
    TextFile,
    UnitValues,
    file_bytes,
    has_file,
    has_folder,
    read_text_lines,
    split_columns,
    text_of_bytes,
    visible,
)
from qeframe_wmt.formats.tables import present_means
from qeframe_wmt.readers.metrics.compared_pairs import finite_cells
from qeframe_wmt.readers.metrics.mtme.plain_tables import plain_table, table_of

_MISSING = "None"


@frozen(kw_only=True, eq=False)
class SystemColumns:
    """The scores of one file, systems in the order of the file."""

    file: TextFile
    systems: tuple[str, ...]
    cells: FloatArray  # (rows, systems), NaN where there is no score; a row is a segment, or a domain
    lines: npt.NDArray[np.int32]  # (rows, systems)
    rows: tuple[str, ...] = ()  # the domains; empty for segments

    @property
    def size(self) -> int:
        """The memory of the arrays, in bytes."""
        return self.cells.nbytes + self.lines.nbytes

    def means(self, chosen: BoolArray) -> "SystemColumns":
        """Return a row of the means of some segments that have a score, NaN for a system without any."""
        cells = self.cells[chosen]
        return attrs.evolve(self, cells=present_means(cells, ~np.isnan(cells))[None], lines=self.lines[:1])

    def of_domain(self, domain: str) -> "SystemColumns | None":
        """Return the row of one domain of a file of domain scores, None if it has no such domain."""
        if domain not in self.rows:
            return None
        row = [self.rows.index(domain)]
        return attrs.evolve(self, cells=self.cells[row], lines=self.lines[row], rows=())


def read_system_columns(file: TextFile) -> SystemColumns:
    """Read the scores of all systems, which have the same number of lines."""
    names, texts = split_columns(file, ("SYSTEM", "SCORE"))
    index, systems = labels_to_index(names)
    _check_together(file, np.asarray(index), systems)
    table = table_of(index, systems)
    if (table.counts != table.counts[0]).any():
        other = int(np.flatnonzero(table.counts != table.counts[0])[0])
        what = f"{table.counts[other]} lines of {table.systems[other]}, but {table.counts[0]} of {table.systems[0]}"
        raise file.error(what, remedy="give every system one line a segment, None only where humans gave no score")
    segments = np.empty(len(names), np.int64)
    segments[table.lines.ravel() - 1] = np.repeat(np.arange(1, len(table.lines) + 1), len(table.systems))
    scores = _numbers(texts, file, names, segments.tolist())
    return SystemColumns(file=file, systems=table.systems, cells=scores[table.lines - 1], lines=table.lines)


def _check_together(file: TextFile, system: IntArray, names: Sequence[str]) -> None:
    """Raise a `DataError` for a system that comes back after others: its lines would be other segments.

    All systems of a segment may be together instead, in the same order for each segment.
    """
    starts = np.flatnonzero(np.diff(system, prepend=-1))
    _, first = np.unique(system[starts], return_index=True)
    in_turn = np.array_equal(system, np.arange(len(system)) % len(names))
    if len(first) < len(starts) and not in_turn:
        again = int(starts[np.setdiff1d(np.arange(len(starts)), first)[0]])
        what = f"system '{names[system[again]]}' comes back after others"
        raise file.error(what, line=again + 1, remedy="put all lines of a system together, in the order of segments")


def read_domain_columns(file: TextFile) -> SystemColumns:
    """Read the scores of all systems in every domain, each once: lines of DOMAIN, SYSTEM and SCORE."""
    labels, names, texts = split_columns(file, ("DOMAIN", "SYSTEM", "SCORE"))
    (row, domains), (column, systems) = labels_to_index(labels), labels_to_index(names)
    cell = row * len(systems) + column
    counts = np.bincount(cell, minlength=len(domains) * len(systems))
    if (counts != 1).any():
        domain, system = divmod(int(np.flatnonzero(counts != 1)[0]), len(systems))
        what = f"{counts[domain * len(systems) + system]} scores of {systems[system]} in the domain {domains[domain]}"
        raise file.error(what, remedy="give every system one line a domain")
    shape = (len(domains), len(systems))
    order = np.argsort(cell, kind="stable")
    return SystemColumns(
        file=file,
        systems=systems,
        cells=_numbers(texts, file, names, [""] * len(texts))[order].reshape(shape),
        lines=(order + 1).reshape(shape).astype(np.int32),
        rows=domains,
    )


def _numbers(texts: list[str], file: TextFile, systems: list[str], segments: list[int] | list[str]) -> FloatArray:
    """Read scores, NaN for None."""
    if _MISSING not in texts:
        return finite_cells(texts, file, systems=systems, segments=segments)
    absent = np.array([text == _MISSING for text in texts])
    filled = ["0" if text == _MISSING else text for text in texts]
    return np.where(absent, np.nan, finite_cells(filled, file, systems=systems, segments=segments))


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
        files: dict[MetricFile, dict[str, Path]] = {}
        for name, file in score_files(folder).items() if has_folder(folder) else ():
            metric, _, level = name.rpartition(".")
            if metric:
                files.setdefault(metric_file(metric), {})[level] = file
        return {metric: files[metric] for metric in sorted(files)}

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
        if name.count(".") < 2:
            raise DataError(
                "this is no file of human scores: LP.NAME.LEVEL.score", path=file, remedy="rename or remove it"
            )
        pair, *middle, level = name.split(".")
        humans[pair, ".".join(middle), level] = file
    return Folder(path, humans)


def score_files(folder: Path) -> dict[str, Path]:
    """Return the files of scores by their names without ``.score`` and ``.gz``."""
    files: dict[str, Path] = {}
    for file in visible(folder):
        plain = file.name.removesuffix(".gz")
        if not plain.endswith(".score"):
            continue
        name = plain.removesuffix(".score")
        if name in files:
            what = f"the same scores are there twice: {files[name].name} and {file.name}"
            raise DataError(what, path=folder, remedy="keep one of the two")
        files[name] = file
    return files


def find_stored(folder: Path, name: str) -> Path | None:
    """Return a file, as it is or compressed; None if there is neither."""
    return next((path for path in (folder / name, folder / f"{name}.gz") if has_file(path)), None)


def text_file(path: Path, *, holds: str = LINES) -> TextFile:
    """Return a text file, unpacked if its name ends in ``.gz``."""
    return read_text_lines(path, holds=holds, packed=path.name.endswith(".gz"))


class ParsedFiles:
    """The columns of the files that were read last, by path and hash, up to a bound of memory in bytes."""

    def __init__(self, largest: int = _LARGEST_MEMORY) -> None:
        self.largest, self.size = largest, 0
        self._kept: OrderedDict[tuple[Path, int, bool], SystemColumns] = OrderedDict()

    def systems(self, path: Path) -> SystemColumns:
        """Return the columns of a file of SYSTEM and SCORE."""
        return self._columns(path, read_system_columns, domains=False)

    def domains(self, path: Path) -> SystemColumns:
        """Return the columns of a file of DOMAIN, SYSTEM and SCORE: a row for each domain."""
        return self._columns(path, read_domain_columns, domains=True)

    def _columns(self, path: Path, parse: Callable[[TextFile], SystemColumns], *, domains: bool) -> SystemColumns:
        content, stored = file_bytes(path, packed=path.name.endswith(".gz"))
        key = (path, hash(stored), domains)
        if key not in self._kept:
            plain = None if domains else plain_table(content)
            if plain is not None:
                file = TextFile(path, (), hashlib.sha256(stored).hexdigest())
                parsed = SystemColumns(file=file, systems=plain[0].systems, cells=plain[1], lines=plain[0].lines)
            else:
                holds = "lines of DOMAIN, SYSTEM and SCORE" if domains else LINES
                parsed = parse(text_of_bytes(path, content, stored, holds=holds))
            self._kept[key] = attrs.evolve(parsed, file=attrs.evolve(parsed.file, lines=()))
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


@frozen(eq=False)
class SegmentLabels:
    """The labels of the segments of a language pair: for "domain" and "document", that of every segment."""

    file: TextFile
    labels: Mapping[str, list[str]] = field(repr=False)

    def inside(self, domain: str) -> BoolArray:
        """Return which segments are of a domain, (segments,) bool."""
        return np.array([label == domain for label in self.labels["domain"]], dtype=np.bool_)

    def of(self, rows: IntArray) -> dict[str, list[str]]:
        """Return the labels of some segments."""
        return {name: [labels[row] for row in rows] for name, labels in self.labels.items()}

    def means(self, table: SystemColumns, domain: str) -> SystemColumns:
        """Return a row of the means of the segments of a domain that have a score, NaN for a system without any."""
        self.check_length(table)
        return table.means(self.inside(domain))

    def check_length(self, table: SystemColumns) -> None:
        """Raise a `DataError` if a file of scores has another number of segments."""
        given = len(self.labels["domain"])
        if given != len(table.cells):
            what = f"{counted(given, 'line')} for {counted(len(table.cells), 'segment')} in {table.file.path}"
            raise self.file.error(what, remedy="give one line a segment")


def read_labels(root: Path, pair: str) -> SegmentLabels | None:
    """Return the labels in ``documents/LP.docs``, None if there is no such file."""
    path = find_stored(root / "documents", f"{pair}.docs")
    if path is None:
        return None
    file = text_file(path, holds="DOMAIN and DOCUMENT, one line a segment")
    domains, documents = split_columns(file, ("DOMAIN", "DOCUMENT"))
    return SegmentLabels(file, {"domain": domains, "document": documents})
