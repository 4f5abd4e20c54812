"""Scores of metrics as the tasks of 2012 to 2015 had them: METRIC, LP, TESTSET, SYSTEM, SEGMENT (or not), SCORE."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Literal

import attrs
import numpy as np
from attrs import frozen

from qeframe.plugin import (
    DataError,
    Dropped,
    IntArray,
    Reading,
    TextFile,
    labels_to_index,
    parse_ids,
    read_text_lines,
    split_columns,
)
from qeframe_wmt.folders import visible
from qeframe_wmt.language_pairs import pair_code, plain_system
from qeframe_wmt.segment_scores import SegmentScores, finite_cells, only_text

__all__ = ["Level", "MetricScores", "read_scores"]

Level = Literal["seg", "sys"]

_WORDS = {"seg": "segment", "sys": "system"}
_NAMES = ("METRIC", "LP", "TESTSET", "SYSTEM", "SEGMENT", "SCORE")


@frozen(eq=False)
class MetricScores:
    """The scores of metrics on one level.

    Parameters
    ----------
    pairs : mapping of str to sequence of SegmentScores
        For each language pair, in two-letter codes, its metrics in order.
    level : {"seg", "sys"}
    other : tuple of str
        Files with scores of the other level only.
    """

    pairs: Mapping[str, Sequence[SegmentScores]]
    level: Level
    other: tuple[str, ...]

    def of(self, pair: str) -> Sequence[SegmentScores]:
        """Return the scores of a language pair, however its languages are written."""
        return self.pairs.get(pair_code(pair), ())

    def told(self, readings: Sequence[Reading]) -> Sequence[Reading]:
        """Return the readings, the last of which counts the metrics that none of them has."""
        judged = {pair_code(reading.name) for reading in readings}
        notes = [
            Dropped(pair, "submission", len(scores), f"no judgments: {', '.join(each.metric for each in scores)}")
            for pair, scores in self.pairs.items()
            if pair not in judged
        ]
        *before, last = readings
        if self.other:
            reason = f"no {_WORDS[self.level]} scores: {', '.join(self.other)}"
            notes.append(Dropped(last.name, "file", len(self.other), reason))
        return [*before, attrs.evolve(last, dropped=(*last.dropped, *notes))]


def read_scores(folder: Path, level: Level = "seg") -> MetricScores:
    """Read the scores in a folder.

    Parameters
    ----------
    folder : Path
        May be missing. Files with ``.sys.`` in their names are scores of systems, without the column SEGMENT; all
        others are scores of segments.
    level : {"seg", "sys"}
        Which of them are read.

    Raises
    ------
    DataError
        For a file in another format, one of several metrics or test sets, and a metric that two files score in the
        same language pair.
    """
    found: dict[tuple[str, str], SegmentScores] = {}
    files = visible(folder) if folder.is_dir() else []
    read = [path for path in files if _level(path) == level]
    for path in read:
        for pair, scores in _by_pair(read_text_lines(path, holds=f"lines of {' '.join(_header(level))}"), level):
            other = found.setdefault((pair, scores.metric), scores)
            if other is not scores:
                what = f"{scores.metric} has scores of {pair} in {other.file.path} as well"
                raise DataError(what, path=path, line=int(scores.lines[0]), remedy="keep one of the files")
    pairs = {pair: [found[key] for key in sorted(found) if key[0] == pair] for pair, _ in sorted(found)}
    scored = set(map(_stem, read))
    return MetricScores(pairs, level, tuple(path.name for path in files if _stem(path) not in scored))


def _level(path: Path) -> Level:
    return "sys" if ".sys." in path.name else "seg"


def _stem(path: Path) -> str:
    """Return a file's name up to its level: a metric may have one file for each."""
    return re.split(r"\.(?:seg|sys)\.", path.name)[0]


def _header(level: Level) -> tuple[str, ...]:
    return _NAMES if level == "seg" else tuple(name for name in _NAMES if name != "SEGMENT")


def _by_pair(file: TextFile, level: Level) -> Iterator[tuple[str, SegmentScores]]:
    """Yield the scores of each language pair of a file."""
    columns = split_columns(file, _header(level), separator="\t" if "\t" in file.lines[0] else None)
    metric = only_text(columns[0], "METRIC", file)
    only_text(columns[2], "TESTSET", file)
    written, systems = columns[1], columns[3]
    codes = {pair: pair_code(pair) for pair in set(written)}
    of_line, pairs = labels_to_index([codes[pair] for pair in written])
    plain = {both: plain_system(both[1], both[0]) for both in set(zip(written, systems, strict=True))}
    names = [plain[both] for both in zip(written, systems, strict=True)]
    segments = list(map(str, parse_ids(columns[4], file).tolist())) if level == "seg" else [""] * len(systems)
    scores = finite_cells(columns[-1], file, systems=systems, segments=segments)
    for number, pair in enumerate(pairs):
        rows = np.flatnonzero(of_line == number)
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
