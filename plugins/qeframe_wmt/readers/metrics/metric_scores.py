"""Scores of metrics, 2012 to 2015: METRIC, LP, TESTSET, SYSTEM, SEGMENT (at segment level) and SCORE."""

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path

import attrs
import numpy as np
from attrs import frozen

from qeframe.plugin import DataError, IntArray
from qeframe.plugin.kinds import labels_to_index
from qeframe.plugin.readers import (
    Dropped,
    Reading,
    SubmissionFormat,
    Submitted,
    TextFile,
    has_folder,
    pair_code,
    parse_ids,
    read_text_lines,
    visible,
)
from qeframe_wmt.formats.tables import fixed_columns, map_rows
from qeframe_wmt.readers.metrics.compared_pairs import SegmentScores, finite_cells
from qeframe_wmt.selections.selection import Level

_NAMES = ("METRIC", "LP", "TESTSET", "SYSTEM", "SEGMENT", "SCORE")


@frozen(eq=False)
class MetricScores:
    """The scores of metrics on one level."""

    # the metrics of each language pair, in order; language pairs have two-letter codes
    pairs: Mapping[str, Sequence[SegmentScores]]
    level: Level
    other: tuple[str, ...]  # files with scores of the other level only

    def for_pair(self, pair: str) -> Sequence[SegmentScores]:
        """Return the scores of a language pair, which may be written with any codes or names."""
        return self.pairs.get(pair_code(pair), ())

    def count_unused(self, readings: Sequence[Reading]) -> Sequence[Reading]:
        """Return the readings; the last one counts the scores that none of them has."""
        judged = {pair_code(reading.name) for reading in readings}
        notes = [
            Dropped(pair, "submission", len(scores), f"no judgments: {', '.join(metric.metric for metric in scores)}")
            for pair, scores in self.pairs.items()
            if pair not in judged
        ]
        *before, last = readings
        if self.other:
            reason = f"no {'segment' if self.level == 'seg' else 'system'} scores: {', '.join(self.other)}"
            notes.append(Dropped(last.name, "file", len(self.other), reason))
        return [*before, attrs.evolve(last, dropped=(*last.dropped, *notes))]


def read_scores(folder: Path, level: Level = "seg") -> MetricScores:
    """Read the scores of one level in a folder, which may be missing.

    Files with ``.sys.`` in their names have scores of systems, without the column SEGMENT; all others have scores of
    segments. A file may be compressed with gzip, as the tasks published them. It has one metric and one test set.
    """
    by_pair: dict[tuple[str, str], SegmentScores] = {}
    files = visible(folder) if has_folder(folder) else []
    if has_folder(folder) and not files:
        raise DataError("no file is in this folder", path=folder, remedy="put files of scores into it, or remove it")
    read = [path for path in files if (".sys." in path.name) == (level == "sys")]
    for path in read:
        for pair, scores in _by_pair(_text(path, level), level):
            other = by_pair.setdefault((pair, scores.metric), scores)
            if other is not scores:
                what = f"{scores.metric} has scores of {pair} in {other.file.path} as well"
                raise DataError(what, path=path, line=int(scores.lines[0]), remedy="keep one of the files")
    pairs = {pair: [by_pair[key] for key in sorted(by_pair) if key[0] == pair] for pair, _ in sorted(by_pair)}
    scored = set(map(_stem, read))
    return MetricScores(pairs, level, tuple(path.name for path in files if _stem(path) not in scored))


def plain_system(name: str, pair: str) -> str:
    """Return the name of a system without test set and language pair.

    ``newstest2014.kit.3112.fr-en`` is ``kit.3112``; a name of another form is returned as it is.
    """
    parts = re.fullmatch(rf"[A-Za-z]+\d{{4}}\.(.+)\.{re.escape(pair)}", name)
    return parts[1] if parts else name


def scores_format(level: Level) -> SubmissionFormat:
    """Return how one file of scores is read alone."""
    return SubmissionFormat(read=partial(_alone, level=level), folder="scores")


def _alone(path: Path, *, level: Level) -> Sequence[Submitted]:
    return [scores.alone(pair) for pair, scores in _by_pair(_text(path, level), level)]


def _text(path: Path, level: Level) -> TextFile:
    return read_text_lines(path, holds=f"lines of {' '.join(_header(level))}", packed=True)


def _stem(path: Path) -> str:
    """Return the name of a file up to the level: a metric may have one file for each level."""
    return re.split(r"\.(?:seg|sys)\.", path.name)[0]


def _header(level: Level) -> tuple[str, ...]:
    return _NAMES if level == "seg" else tuple(name for name in _NAMES if name != "SEGMENT")


def _by_pair(file: TextFile, level: Level) -> Iterator[tuple[str, SegmentScores]]:
    """Yield the scores of each language pair of a file."""
    table = fixed_columns(file, _header(level), separator="tab" if "\t" in file.lines[0] else "blanks")
    metric = table.only("METRIC")
    if not metric.strip():
        raise file.error(f"METRIC '{metric}'", line=1, remedy="every line needs a METRIC")
    table.only("TESTSET")
    written, systems = table.cells["LP"], table.cells["SYSTEM"]
    pair_of, pairs = labels_to_index(map_rows(pair_code, written))
    names = map_rows(plain_system, systems, written)
    numbers = table.read("SEGMENT", parse_ids).tolist() if level == "seg" else [""] * len(systems)
    segments = list(map(str, numbers))
    scores = table.read("SCORE", partial(finite_cells, systems=systems, segments=segments))
    for number, pair in enumerate(pairs):
        rows = np.flatnonzero(pair_of == number)
        yield (
            pair,
            SegmentScores(
                metric=metric,
                file=file,
                systems=_at(names, rows),
                segments=_at(segments, rows),
                scores=scores[rows],
                lines=rows + 1,
            ),
        )


def _at(texts: Sequence[str], rows: IntArray) -> Sequence[str]:
    return texts if len(rows) == len(texts) else [texts[row] for row in rows]
