"""Relative rankings from direct assessments (DARR), and segment scores of metrics: 2020.

A file has one assessment of each system on each segment, the mean of N judges.
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
    input_of,
    labels_to_index,
    pairs_from_scores,
    parse_numbers,
    read_text_lines,
    split_columns,
    visible,
)
from qeframe_wmt.formats.tab_columns import only_text
from qeframe_wmt.readers.metrics.compared_pairs import ComparedPairs, labels_at, reading_of
from qeframe_wmt.readers.metrics.segment_scores import SegmentScores, finite_cells

__all__ = ["wmt20_darr"]

_ASSESSED = ("SYS", "SEGID", "RAW.SCR", "Z.SCR", "N", "SID")
_SCORED = ("METRIC", "LP", "TESTSET", "REFSET", "SYSTEM", "DOC", "SEG", "SCORE")
_LAYOUT = "assessments are in da/LP.seg.csv, scores in scores/METRIC.LP.seg.tsv"


@frozen
class _PairRule:
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
    """Read the folders da and scores: pairs of systems whose assessments of a segment are far enough apart.

    Parameters
    ----------
    threshold : float
        The smallest difference of the assessments of a pair.
    strict : bool
        Whether the difference must be above the threshold, as the papers of 2017 to 2019 say. The script of 2020 takes
        pairs at the threshold too.
    scale : {"raw", "z"}
        The column of the assessments, RAW.SCR or Z.SCR.
    humans : str
        The beginning of the names of human translations, which are left out and counted.
    reference_set : str
        The REFSET whose scores are read.

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
        read=partial(_read, rule=_PairRule(threshold, strict, scale, humans, reference_set)),
    )


def _read(path: Path, best: Best, *, rule: _PairRule) -> Sequence[Reading]:
    assessed = {file.name.removesuffix(".seg.csv"): file for file in _files(path / "da", ".seg.csv")}
    if not assessed:
        raise DataError("no assessments of segments are here", path=path / "da", remedy=_LAYOUT)
    scores: dict[str, list[SegmentScores]] = {pair: [] for pair in assessed}
    dropped: dict[str, list[Dropped]] = {pair: [] for pair in assessed}
    for file in _files(path / "scores", (".seg.tsv", ".seg.tsv.gz")):
        pair, of_file, left_out = _scores(read_text_lines(file, packed=True), rule.reference_set)
        if pair not in scores:
            what = f"scores of {pair}, of which there are no assessments"
            raise DataError(what, path=file, remedy=did_you_mean(pair, scores))
        dropped[pair] += left_out
        _check_new(of_file, scores[pair])
        scores[pair] += [of_file] if of_file.segments else []
    return [
        _read_pair(path, best, pair, read_text_lines(file), scores[pair], dropped[pair], rule)
        for pair, file in assessed.items()
    ]


def _files(folder: Path, ending: str | tuple[str, ...]) -> list[Path]:
    return [file for file in visible(folder) if file.name.endswith(ending)]


def _check_new(scores: SegmentScores, others: Sequence[SegmentScores]) -> None:
    for other in others:
        if other.metric == scores.metric:
            what = f"{scores.metric} has scores in {other.file.path} as well"
            raise scores.file.error(what, line=1, remedy="keep one of the files")


def _read_pair(
    root: Path,
    best: Best,
    pair: str,
    file: TextFile,
    scores: Sequence[SegmentScores],
    dropped: Sequence[Dropped],
    rule: _PairRule,
) -> Reading:
    compared, humans = _compare(pair, file, rule)
    left_out = [Dropped(pair, "system", humans, f"human translations ({rule.humans}...)")] if humans else []
    return reading_of(
        compared,
        [each.of_pairs(compared) for each in scores],
        best=best,
        dropped=(*left_out, *dropped),
        inputs=[input_of(each, root) for each in (file, *(metric.file for metric in scores))],
    )


def _compare(pair: str, file: TextFile, rule: _PairRule) -> tuple[ComparedPairs, int]:
    """Return the pairs of a language pair, and the number of human translations."""
    systems, segments, assessed, humans = _assessments(file, rule)
    pairs = pairs_from_scores(assessed, threshold=rule.threshold, strict=rule.strict)
    documents = [label.rpartition("::")[0] for label in segments]
    return ComparedPairs(
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


def _assessments(file: TextFile, rule: _PairRule) -> tuple[tuple[str, ...], tuple[str, ...], FloatArray, int]:
    """Return systems, segments, assessments (segments, systems), and the number of human translations."""
    if tuple(file.lines[0].split()) != _ASSESSED:
        raise file.error("the first line is not the header", line=1, remedy=f"write {' '.join(_ASSESSED)}")
    columns = split_columns(file, _ASSESSED, skip=1)
    system, systems = labels_to_index(columns[0])
    segment, segments = labels_to_index(columns[1])
    _check_once(system, segment, columns, file)
    cells = np.full((len(segments), len(systems)), np.nan)
    chosen = _ASSESSED.index("Z.SCR" if rule.scale == "z" else "RAW.SCR")
    cells[segment, system] = parse_numbers(columns[chosen], file, skip=1)
    kept = [i for i, name in enumerate(systems) if not (rule.humans and name.startswith(rule.humans))]
    return tuple(systems[i] for i in kept), segments, cells[:, kept], len(systems) - len(kept)


def _check_once(system: IntArray, segment: IntArray, columns: Sequence[Sequence[str]], file: TextFile) -> None:
    _, first = np.unique(segment * (system.max() + 1) + system, return_index=True)
    if len(first) < len(system):
        repeated = int(np.setdiff1d(np.arange(len(system)), first)[0])
        what = f"segment {columns[1][repeated]} of {columns[0][repeated]} is assessed twice"
        raise file.error(what, line=repeated + 2, remedy="keep one line, with the mean of all judges")


def _scores(file: TextFile, reference_set: str) -> tuple[str, SegmentScores, list[Dropped]]:
    """Return the language pair of a file, the scores with the reference set, and the count of all others."""
    columns = split_columns(file, _SCORED, separator="\t")
    metric, pair, _ = (only_text(column, name, file) for name, column in zip(_SCORED[:3], columns, strict=False))
    rows = np.flatnonzero([text == reference_set for text in columns[3]])
    systems = columns[4]
    segments = [f"{document}::{number}" for document, number in zip(columns[5], columns[6], strict=True)]
    scores = finite_cells(columns[7], file, systems=systems, segments=segments)
    chosen = SegmentScores(
        metric=metric,
        file=file,
        systems=[systems[row] for row in rows],
        segments=[segments[row] for row in rows],
        scores=scores[rows],
        lines=rows + 1,
    )
    others = len(systems) - len(rows)
    reason = f"of {metric} with another REFSET than {reference_set}"
    return pair, chosen, [Dropped(pair, "score", others, reason)] if others else []
