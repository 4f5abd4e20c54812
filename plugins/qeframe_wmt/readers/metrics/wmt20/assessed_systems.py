"""Direct assessments of systems, and scores of systems by metrics: 2020."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Literal

import attrs
import numpy as np
from attrs import frozen

from qeframe.plugin import Best, FloatArray, Grid
from qeframe.plugin.readers import (
    Dropped,
    Reader,
    Reading,
    TextFile,
    UnitValues,
    input_of,
    parse_ids,
    parse_numbers,
    read_text_lines,
    split_columns,
)
from qeframe_wmt.examples import metrics as examples
from qeframe_wmt.readers.metrics.segment_scores import SegmentScores
from qeframe_wmt.readers.metrics.wmt20.dropped_counts import human_translations, left_out, with_notes
from qeframe_wmt.readers.metrics.wmt20.published_files import find_files
from qeframe_wmt.readers.metrics.wmt20.score_lines import published_format, read_published_scores
from qeframe_wmt.selections.selection import load_selection

Outliers = Literal["keep", "listed", "rule"]

_CUTOFF = 2.5
_CONSISTENT = 1.4826  # turns the median absolute deviation of normally distributed scores into their standard deviation


def find_outliers(pair: str, systems: Sequence[str], scores: FloatArray, outliers: Outliers) -> list[str]:
    """Return the outliers among the systems of a language pair, by their human scores.

    listed: those of the selection wmt20. rule: those more than 2.5 times 1.4826 times the median absolute deviation
    away from the median; if that deviation is 0, all that differ from the median. keep: none.
    """
    if outliers == "listed":
        selected = load_selection("wmt20").of(pair)
        return [name for name in systems if selected is not None and name in selected.outliers]
    if outliers == "keep" or not len(scores):
        return []
    deviation = np.abs(scores - np.median(scores))
    far = deviation > _CUTOFF * _CONSISTENT * np.median(deviation)
    return [name for name, is_far in zip(systems, far, strict=True) if is_far]


_ASSESSED = ("RAW.SCR", "Z.SCR", "N", "SYS", "N.ALL")
_OUT = "-out"


@frozen
class _Choice:
    """The parameters of `wmt20_systems`."""

    scale: Literal["raw", "z"]
    humans: str
    outliers: Outliers
    reference_set: str
    raw_row: str


@frozen(kw_only=True, eq=False)
class _Assessed:
    """The assessments of the systems of one language pair that are compared."""

    task: str  # the language pair, with ``-out`` if outliers are left out
    file: TextFile
    systems: tuple[str, ...]
    scores: FloatArray  # the scale that is the gold
    raw: FloatArray
    humans: list[str]  # human translations, which are left out
    outliers: list[str]

    def without(self, outliers: list[str]) -> _Assessed:
        """Return the systems that are no outliers."""
        kept = [i for i, name in enumerate(self.systems) if name not in outliers]
        if not kept:
            raise self.file.error("every system is an outlier", remedy="set outliers=keep in the reader")
        return attrs.evolve(
            self,
            task=f"{self.task}{_OUT}",
            systems=tuple(self.systems[i] for i in kept),
            scores=self.scores[kept],
            raw=self.raw[kept],
            outliers=outliers,
        )


def wmt20_systems(
    *,
    scale: Literal["raw", "z"] = "z",
    humans: str = "Human",
    outliers: Outliers = "listed",
    reference_set: str = "newstest2020",
    raw_row: str = "",
) -> Reader:
    """Read the direct assessments of systems, and the scores that metrics gave to systems.

    PATH is the repository of the task as published, with the folders manual-evaluation and final-metric-scores, or a
    folder with ``da/LP.sys.csv`` and ``scores/METRIC.LP.sys.tsv``.

    Parameters
    ----------
    scale : {"raw", "z"}
        The column of the assessments, RAW.SCR or Z.SCR.
    humans : str
        The beginning of the names of human translations, which are left out and counted.
    outliers : {"listed", "rule", "keep"}
        A language pair with outliers has a second task, named LP-out, in which they are left out and counted. listed:
        the outliers that the task left out. rule: systems more than 2.5 times 1.4826 times the median absolute
        deviation away from the median human score. keep: there is no such task.
    reference_set : str
        The REFSET whose scores are read.
    raw_row : str
        The name under which the raw assessments are scored as if they were a metric, such as HUMAN_RAW in the tables
        of the task. Empty: they are not.

    Returns
    -------
    Reader
        Of `Grid`, each language pair with assessments a task of one row, and one more without outliers. Scores of other
        language pairs and references are left out and counted, and so are systems without assessments and metrics
        without scores of systems.

    References
    ----------
    Metrics task 2020, WMT-Metrics-task/wmt20-metrics; lists of outliers: google-research/mt-metrics-eval.
    """
    return Reader(
        name="wmt20_systems",
        summary="direct assessments of systems, with scores that metrics gave to systems",
        source="Metrics task 2020",
        kind=Grid,
        read=partial(_read, choice=_Choice(scale, humans, outliers, reference_set, raw_row)),
        example=partial(examples.assessed_systems, reference_set=reference_set),
        submission=published_format("sys", reference_set),
    )


def _read(path: Path, best: Best, *, choice: _Choice) -> Sequence[Reading]:
    files = find_files(path, "sys")
    scores = read_published_scores(files.scores, "sys", pairs=files.assessments, reference_set=choice.reference_set)
    readings = []
    for pair, file in files.assessments.items():
        everybody = _assessments(pair, read_text_lines(file), choice)
        readings.append(_reading(path, best, pair, everybody, scores.pairs[pair], choice))
        outliers = find_outliers(pair, everybody.systems, everybody.scores, choice.outliers)
        if outliers:
            others = everybody.without(outliers)
            readings.append(_reading(path, best, pair, others, scores.pairs[pair], choice))
    return with_notes(readings, files, scores)


def _reading(
    root: Path, best: Best, pair: str, assessed: _Assessed, scores: Sequence[SegmentScores], choice: _Choice
) -> Reading:
    rows = [_submission(each, assessed) for each in scores]
    if choice.raw_row:
        rows.append(_one_row(choice.raw_row, assessed.raw, assessed.file))
    count, outliers = len(assessed.systems), assessed.outliers
    note = Dropped(assessed.task, "system", len(outliers), f"outliers: {', '.join(outliers)}")
    unassessed = left_out(assessed.task, assessed.systems, assessed.humans, scores, choice.humans, known=outliers)
    files = (assessed.file, *dict.fromkeys(metric.file for metric in scores))
    return Reading(
        name=assessed.task,
        kind=Grid,
        gold=_one_row("gold", assessed.scores, assessed.file),
        submissions=tuple(rows),
        best=best,
        counts={"systems": count, "system_pairs": count * (count - 1) // 2},
        systems=assessed.systems,
        level="sys",
        dropped=(*([note] if outliers else []), *unassessed),
        inputs=tuple(input_of(each, root) for each in files),
        may_be_unanswered=True,
    )


def _assessments(pair: str, file: TextFile, choice: _Choice) -> _Assessed:
    if tuple(file.lines[0].split()) != _ASSESSED:
        raise file.error("the first line is not the header", line=1, remedy=f"write {' '.join(_ASSESSED)}")
    columns = dict(zip(_ASSESSED, split_columns(file, _ASSESSED, skip=1), strict=True))
    systems = columns["SYS"]
    seen: dict[str, int] = {}
    for line, name in enumerate(systems, 2):
        if seen.setdefault(name, line) != line:
            what = f"system {name} is assessed twice, first on line {seen[name]}"
            raise file.error(what, line=line, remedy="keep one line a system")
    humans = human_translations(systems, choice.humans)
    kept = [i for i, name in enumerate(systems) if name not in humans]
    if not kept:
        raise file.error("no system is left to compare", remedy="set humans in the reader, or assess other systems")
    raw, standardized = (parse_numbers(columns[name], file, skip=1)[kept] for name in ("RAW.SCR", "Z.SCR"))
    for name in ("N", "N.ALL"):
        parse_ids(columns[name], file, skip=1)
    return _Assessed(
        task=pair,
        file=file,
        systems=tuple(systems[i] for i in kept),
        scores=raw if choice.scale == "raw" else standardized,
        raw=raw,
        humans=humans,
        outliers=[],
    )


def _submission(scores: SegmentScores, assessed: _Assessed) -> UnitValues:
    """Return the scores of a metric for the systems that are compared."""
    scores.check_each_once()
    position = {name: i for i, name in enumerate(scores.systems)}
    absent = [name for name in assessed.systems if name not in position]
    if absent:
        more = f" (and {len(absent) - 1} more)" if len(absent) > 1 else ""
        what = f"{scores.metric} has no score of system {absent[0]}, which humans assessed{more}"
        raise scores.file.error(what, remedy="complete the file: missing scores are not filled")
    rows = [position[name] for name in assessed.systems]
    return _one_row(scores.metric, scores.scores[rows], scores.file)


def _one_row(name: str, values: FloatArray, file: TextFile) -> UnitValues:
    return UnitValues(name=name, ids=np.array([1]), values=values[None], path=str(file.path))
