"""Relative rankings from direct assessments of segments (DARR): 2020.

A file has one assessment of each system on each segment, the mean of N judges.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Literal

import attrs
import numpy as np
from attrs import frozen

from qeframe.plugin import Best, DataError, FloatArray, IntArray, Judgments, labels_to_index
from qeframe.plugin.kinds import pairs_from_scores
from qeframe.plugin.readers import (
    Reader,
    Reading,
    TextFile,
    TranslationScores,
    input_of,
    parse_ids,
    parse_numbers,
    read_text_lines,
    split_columns,
)
from qeframe_wmt.examples import metrics as examples
from qeframe_wmt.readers.metrics.compared_pairs import ComparedPairs, labels_at, reading_of
from qeframe_wmt.readers.metrics.segment_scores import SegmentScores
from qeframe_wmt.readers.metrics.wmt20.dropped_counts import human_translations, left_out, with_notes
from qeframe_wmt.readers.metrics.wmt20.published_files import find_files
from qeframe_wmt.readers.metrics.wmt20.score_lines import published_format, read_published_scores

_ASSESSED = ("SYS", "SEGID", "RAW.SCR", "Z.SCR", "N", "SID")


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
    """Read assessments of segments: pairs of systems whose assessments of a segment are far enough apart.

    PATH is the repository of the task as published, with the folders manual-evaluation and final-metric-scores, or a
    folder with ``da/LP.seg.csv`` and ``scores/METRIC.LP.seg.tsv``. Files of scores may be compressed with gzip and may
    hold several metrics and language pairs.

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
        Of `Judgments`, each language pair with assessments a task, with the groupings segment and document. Scores of
        other language pairs and references are left out and counted, and so are systems without assessments.

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
        example=partial(examples.assessed_segments, reference_set=reference_set),
        submission=published_format("seg", reference_set),
    )


def _read(path: Path, best: Best, *, rule: _PairRule) -> Sequence[Reading]:
    files = find_files(path, "seg")
    scores = read_published_scores(files.scores, "seg", pairs=files.assessments, reference_set=rule.reference_set)
    readings = [
        _read_pair(path, best, pair, read_text_lines(file), scores.pairs[pair], rule)
        for pair, file in files.assessments.items()
    ]
    return with_notes(readings, files, scores)


def _read_pair(
    root: Path,
    best: Best,
    pair: str,
    file: TextFile,
    scores: Sequence[SegmentScores],
    rule: _PairRule,
) -> Reading:
    compared, humans, translations = _compare(pair, file, rule)
    reading = reading_of(
        compared,
        [each.of_pairs(compared) for each in scores],
        best=best,
        dropped=left_out(pair, compared.systems, humans, scores, rule.humans),
        inputs=[input_of(each, root) for each in (file, *(metric.file for metric in scores))],
    )
    return attrs.evolve(reading, translations=translations)


def _compare(pair: str, file: TextFile, rule: _PairRule) -> tuple[ComparedPairs, Sequence[str], TranslationScores]:
    """Return the pairs of a language pair, the human translations, and the assessments of the others."""
    systems, segments, assessed, humans = _assessments(file, rule)
    pairs = pairs_from_scores(assessed, threshold=rule.threshold, strict=rule.strict)
    documents = [label.rpartition("::")[0] for label in segments]
    compared = ComparedPairs(
        pair=pair,
        systems=systems,
        segments=segments,
        segment=pairs.source,
        left=pairs.left,
        right=pairs.right,
        human=pairs.human,
        path=file.path,
        groups={"document": labels_at(documents, pairs.source)},
    )
    return compared, humans, TranslationScores(systems=systems, segments=segments, cells=assessed)


def _assessments(file: TextFile, rule: _PairRule) -> tuple[tuple[str, ...], tuple[str, ...], FloatArray, list[str]]:
    """Return systems, segments, assessments (segments, systems), and the human translations."""
    if tuple(file.lines[0].split()) != _ASSESSED:
        raise file.error("the first line is not the header", line=1, remedy=f"write {' '.join(_ASSESSED)}")
    columns = split_columns(file, _ASSESSED, skip=1)
    system, systems = labels_to_index(columns[0])
    segment, segments = labels_to_index(columns[1])
    _check_once(system, segment, columns, file)
    cells = np.full((len(segments), len(systems)), np.nan)
    numbers = {name: parse_numbers(columns[_ASSESSED.index(name)], file, skip=1) for name in ("RAW.SCR", "Z.SCR")}
    for name in ("N", "SID"):
        parse_ids(columns[_ASSESSED.index(name)], file, skip=1)
    cells[segment, system] = numbers["Z.SCR" if rule.scale == "z" else "RAW.SCR"]
    humans = human_translations(systems, rule.humans)
    kept = [i for i, name in enumerate(systems) if name not in humans]
    return tuple(systems[i] for i in kept), segments, cells[:, kept], humans


def _check_once(system: IntArray, segment: IntArray, columns: Sequence[Sequence[str]], file: TextFile) -> None:
    _, first = np.unique(segment * (system.max() + 1) + system, return_index=True)
    if len(first) < len(system):
        repeated = int(np.setdiff1d(np.arange(len(system)), first)[0])
        what = f"segment {columns[1][repeated]} of {columns[0][repeated]} is assessed twice"
        raise file.error(what, line=repeated + 2, remedy="keep one line, with the mean of all judges")
