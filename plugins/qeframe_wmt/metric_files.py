"""Scores of metrics as the tasks of 2012 to 2015 had them: METRIC, LP, TESTSET, SYSTEM, SEGMENT (or not), SCORE."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Literal

import numpy as np

from qeframe.batch import IntArray, labels_to_index
from qeframe.errors import DataError
from qeframe.files import TextFile, parse_ids, read_text_lines, split_columns
from qeframe_wmt.folders import visible
from qeframe_wmt.language_pairs import plain_system
from qeframe_wmt.segment_scores import SegmentScores, finite_cells, only_text

__all__ = ["Level", "read_scores"]

Level = Literal["seg", "sys"]

_NAMES = ("METRIC", "LP", "TESTSET", "SYSTEM", "SEGMENT", "SCORE")


def read_scores(folder: Path, level: Level = "seg") -> dict[str, list[SegmentScores]]:
    """Read the scores in a folder, for each language pair in the order of metrics.

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
    for path in visible(folder) if folder.is_dir() else ():
        if (".sys." in path.name) != (level == "sys"):
            continue
        for pair, scores in _by_pair(read_text_lines(path), level):
            other = found.setdefault((pair, scores.metric), scores)
            if other is not scores:
                what = f"{scores.metric} has scores of {pair} in {other.file.path} as well"
                raise DataError(what, path=path, line=int(scores.lines[0]), remedy="keep one of the files")
    return {
        pair: [found[key] for key in sorted(found) if key[0] == pair] for pair in sorted({pair for pair, _ in found})
    }


def _by_pair(file: TextFile, level: Level) -> Iterator[tuple[str, SegmentScores]]:
    """Yield the scores of each language pair of a file."""
    names = _NAMES if level == "seg" else tuple(name for name in _NAMES if name != "SEGMENT")
    columns = split_columns(file, names, separator="\t" if "\t" in file.lines[0] else None)
    metric = only_text(columns[0], "METRIC", file)
    only_text(columns[2], "TESTSET", file)
    of_line, pairs = labels_to_index(columns[1])
    systems = columns[3]
    segments = list(map(str, parse_ids(columns[4], file).tolist())) if level == "seg" else [""] * len(systems)
    scores = finite_cells(columns[-1], file, systems=systems, segments=segments)
    for number, pair in enumerate(pairs):
        rows = np.flatnonzero(of_line == number)
        plain = {name: plain_system(name, pair) for name in dict.fromkeys(systems)}
        yield (
            pair,
            SegmentScores(
                metric=metric,
                file=file,
                systems=[plain[name] for name in _at(systems, rows)],
                segments=_at(segments, rows),
                scores=scores[rows],
                lines=rows + 1,
            ),
        )


def _at(texts: Sequence[str], rows: IntArray) -> Sequence[str]:
    return texts if len(rows) == len(texts) else [texts[row] for row in rows]
