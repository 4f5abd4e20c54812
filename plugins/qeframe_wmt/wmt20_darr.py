"""Relative rankings from direct assessments (DARR), and segment scores of metrics: the metrics task of 2020.

A system's translation of a segment is assessed once in a file: the assessment is the mean of N judges.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Literal

import numpy as np
from attrs import frozen

from qeframe.plugin import (
    Best,
    DataError,
    Dropped,
    FloatArray,
    IntArray,
    Judgments,
    Reader,
    Reading,
    TextFile,
    did_you_mean,
    labels_to_index,
    pairs_from_scores,
    parse_numbers,
    read_text_lines,
    split_columns,
)
from qeframe_wmt.compared import Compared, labels_at, reading_of
from qeframe_wmt.folders import input_of, visible
from qeframe_wmt.segment_scores import SegmentScores, finite_cells, only_text

__all__ = ["wmt20_darr"]

_ASSESSED = ("SYS", "SEGID", "RAW.SCR", "Z.SCR", "N", "SID")
_SCORED = ("METRIC", "LP", "TESTSET", "REFSET", "SYSTEM", "DOC", "SEG", "SCORE")
_LAYOUT = "assessments are in da/LP.seg.csv, scores in scores/METRIC.LP.seg.tsv"


@frozen
class _Rules:
    """The parameters of `wmt20_darr`."""

    threshold: float
    strict: bool
    scale: Literal["raw", "z"]
    humans: str
    reference_set: str


def wmt20_darr(
    *,
    threshold: float = 25.0,
    strict: bool = False,
    scale: Literal["raw", "z"] = "raw",
    humans: str = "Human",
    reference_set: str = "newstest2020",
) -> Reader:
    """Folders da and scores: pairs of systems whose assessments of a segment are far enough apart.

    Parameters
    ----------
    threshold : float
        How far apart, on the scale of the assessments.
    strict : bool
        Farther than the threshold, as the papers of 2017 to 2019 say; the script of 2020 takes pairs at it too.
    scale : {"raw", "z"}
        RAW.SCR or Z.SCR.
    humans : str
        How the names of systems begin that are human translations: they are left out and counted.
    reference_set : str
        The REFSET whose scores count.

    Returns
    -------
    Reader
        Of `Judgments`, each language pair a task, with the groupings segment and document.

    Raises
    ------
    DataError
        For a negative threshold.

    References
    ----------
    Metrics task 2020, scripts of WMT-Metrics-task/wmt20-metrics.
    """
    if not 0 <= threshold < np.inf:
        raise DataError(f"threshold = {threshold} must be a number from 0", remedy="the tasks had 25")
    return Reader(
        name="wmt20_darr",
        summary="direct assessments as relative rankings, with segment scores of metrics beside them",
        source="Metrics task 2020",
        kind=Judgments,
        read=partial(_read, rules=_Rules(threshold, strict, scale, humans, reference_set)),
    )


def _read(path: Path, best: Best, *, rules: _Rules) -> Sequence[Reading]:
    assessed = {file.name.removesuffix(".seg.csv"): file for file in _files(path / "da", ".seg.csv")}
    if not assessed:
        raise DataError("no assessments of segments are here", path=path / "da", remedy=_LAYOUT)
    scores: dict[str, list[SegmentScores]] = {pair: [] for pair in assessed}
    dropped: dict[str, list[Dropped]] = {pair: [] for pair in assessed}
    for file in _files(path / "scores", ".seg.tsv"):
        pair, found, others = _scores(read_text_lines(file), rules.reference_set)
        if pair not in scores:
            what = f"scores of {pair}, of which there are no assessments"
            raise DataError(what, path=file, remedy=did_you_mean(pair, scores))
        dropped[pair] += others
        _check_new(found, scores[pair])
        scores[pair] += [found] if found.segments else []
    return [
        _read_pair(path, best, pair, read_text_lines(file), scores[pair], dropped[pair], rules)
        for pair, file in assessed.items()
    ]


def _files(folder: Path, ending: str) -> list[Path]:
    return [file for file in visible(folder) if file.name.endswith(ending)]


def _check_new(found: SegmentScores, others: Sequence[SegmentScores]) -> None:
    for other in others:
        if other.metric == found.metric:
            what = f"{found.metric} has scores in {other.file.path} as well"
            raise found.file.error(what, line=1, remedy="keep one of the files")


def _read_pair(
    root: Path,
    best: Best,
    pair: str,
    file: TextFile,
    scores: Sequence[SegmentScores],
    dropped: Sequence[Dropped],
    rules: _Rules,
) -> Reading:
    compared, humans = _compared(pair, file, rules)
    left_out = [Dropped(pair, "system", humans, f"human translations ({rules.humans}...)")] if humans else []
    return reading_of(
        compared,
        [each.side(compared) for each in scores],
        best=best,
        dropped=(*left_out, *dropped),
        inputs=[input_of(each, root) for each in (file, *(found.file for found in scores))],
    )


def _compared(pair: str, file: TextFile, rules: _Rules) -> tuple[Compared, int]:
    """Return the pairs of a language pair, and how many systems are human."""
    systems, segments, assessed, humans = _assessments(file, rules)
    pairs = pairs_from_scores(assessed, threshold=rules.threshold, strict=rules.strict)
    documents = [label.rpartition("::")[0] for label in segments]
    return Compared(
        pair=pair,
        systems=systems,
        segments=segments,
        segment=pairs.source,
        left=pairs.left,
        right=pairs.right,
        human=pairs.human,
        path=file.path,
        groups={"document": labels_at(documents, pairs.source)},
    ), humans


def _assessments(file: TextFile, rules: _Rules) -> tuple[tuple[str, ...], tuple[str, ...], FloatArray, int]:
    """Return systems, segments, their assessments (segments, systems), and how many systems are human."""
    if tuple(file.lines[0].split()) != _ASSESSED:
        raise file.error("the first line is no header", line=1, remedy=f"it is {' '.join(_ASSESSED)}")
    columns = split_columns(file, _ASSESSED, skip=1)
    system, systems = labels_to_index(columns[0])
    segment, segments = labels_to_index(columns[1])
    _check_once(system, segment, columns, file)
    cells = np.full((len(segments), len(systems)), np.nan)
    chosen = _ASSESSED.index("Z.SCR" if rules.scale == "z" else "RAW.SCR")
    cells[segment, system] = parse_numbers(columns[chosen], file, skip=1)
    kept = [i for i, name in enumerate(systems) if not (rules.humans and name.startswith(rules.humans))]
    return tuple(systems[i] for i in kept), segments, cells[:, kept], len(systems) - len(kept)


def _check_once(system: IntArray, segment: IntArray, columns: Sequence[Sequence[str]], file: TextFile) -> None:
    _, first = np.unique(segment * (system.max() + 1) + system, return_index=True)
    if len(first) < len(system):
        again = int(np.setdiff1d(np.arange(len(system)), first)[0])
        what = f"segment {columns[1][again]} of {columns[0][again]} is assessed twice"
        raise file.error(what, line=again + 2, remedy="keep one line, with the mean of all judges")


def _scores(file: TextFile, reference_set: str) -> tuple[str, SegmentScores, list[Dropped]]:
    """Return the language pair of a file, the scores with the reference set, and how many with others."""
    columns = split_columns(file, _SCORED, separator="\t")
    metric, pair, _ = (only_text(column, name, file) for name, column in zip(_SCORED[:3], columns, strict=False))
    rows = np.flatnonzero([text == reference_set for text in columns[3]])
    systems = columns[4]
    segments = [f"{document}::{number}" for document, number in zip(columns[5], columns[6], strict=True)]
    scores = finite_cells(columns[7], file, systems=systems, segments=segments)
    found = SegmentScores(
        metric=metric,
        file=file,
        systems=[systems[row] for row in rows],
        segments=[segments[row] for row in rows],
        scores=scores[rows],
        lines=rows + 1,
    )
    others = len(systems) - len(rows)
    reason = f"of {metric} with another REFSET than {reference_set}"
    return pair, found, [Dropped(pair, "score", others, reason)] if others else []
