"""Direct assessments of 2020, each the mean of N judges: of segments, as relative rankings (DARR), and of systems."""

from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Literal

import attrs
import numpy as np
from attrs import frozen

from qeframe.plugin import Best, DataError, FloatArray, Grid, Judgments
from qeframe.plugin.kinds import labels_to_index, pairs_from_scores
from qeframe.plugin.readers import (
    Dropped,
    Reader,
    Reading,
    TableColumns,
    TextFile,
    TranslationScores,
    UnitValues,
    and_more,
    input_of,
    parse_ids,
    parse_numbers,
)
from qeframe_wmt.formats.tables import first_repeat, headed_columns
from qeframe_wmt.readers.metrics.compared_pairs import ComparedPairs, SegmentScores, labels_at, reading_of
from qeframe_wmt.readers.metrics.wmt20_scores import human_translations, left_out, published_format, read_tasks
from qeframe_wmt.selections.selection import load_selection

_SEGMENT_COLUMNS = ("SYS", "SEGID", "RAW.SCR", "Z.SCR", "N", "SID")


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
        read=partial(_read_segments, rule=_PairRule(threshold, strict, scale, humans, reference_set)),
        submission=published_format("seg", reference_set),
    )


def _read_segments(path: Path, best: Best, *, rule: _PairRule) -> Sequence[Reading]:
    return read_tasks(path, "seg", rule.reference_set, partial(_of_pair, root=path, best=best, rule=rule))


def _of_pair(
    pair: str, file: TextFile, scores: Sequence[SegmentScores], *, root: Path, best: Best, rule: _PairRule
) -> Sequence[Reading]:
    systems, segments, assessed, humans = _assessed_segments(file, rule)
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
    reading = reading_of(
        compared,
        scores,
        best=best,
        files=[file],
        root=root,
        dropped=left_out(pair, systems, humans, scores, rule.humans),
        translations=TranslationScores(systems=systems, segments=segments, cells=assessed),
    )
    return [reading]


def _assessed_segments(
    file: TextFile, rule: _PairRule
) -> tuple[tuple[str, ...], tuple[str, ...], FloatArray, list[str]]:
    """Return systems, segments, assessments (segments, systems), and the human translations."""
    table = headed_columns(file, _SEGMENT_COLUMNS, separator="blanks")
    names, labels = table.cells["SYS"], table.cells["SEGID"]
    system, systems = labels_to_index(names)
    segment, segments = labels_to_index(labels)
    if twice := first_repeat((segment * len(systems) + system).tolist()):
        what = f"segment {labels[twice[0]]} of {names[twice[0]]} is assessed twice"
        raise table.error(what, twice[0], remedy="keep one line, with the mean of all judges")
    scores = _scores(table, ("N", "SID"))
    cells = np.full((len(segments), len(systems)), np.nan)
    cells[segment, system] = scores[rule.scale]
    humans = human_translations(systems, rule.humans)
    kept = [i for i, name in enumerate(systems) if name not in humans]
    return tuple(systems[i] for i in kept), segments, cells[:, kept], humans


def _scores(table: TableColumns, counts: Sequence[str]) -> dict[str, FloatArray]:
    """Return the raw and the standardized scores; the columns of counts are checked."""
    scores = {scale: table.read(f"{scale.upper()}.SCR", parse_numbers) for scale in ("raw", "z")}
    for name in counts:
        table.read(name, parse_ids)
    return scores


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


_SYSTEM_COLUMNS = ("RAW.SCR", "Z.SCR", "N", "SYS", "N.ALL")
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

    def without(self, outliers: list[str]) -> "_Assessed":
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
        read=partial(_read_systems, choice=_Choice(scale, humans, outliers, reference_set, raw_row)),
        submission=published_format("sys", reference_set),
    )


def _read_systems(path: Path, best: Best, *, choice: _Choice) -> Sequence[Reading]:
    return read_tasks(path, "sys", choice.reference_set, partial(_of_systems, root=path, best=best, choice=choice))


def _of_systems(
    pair: str, file: TextFile, scores: Sequence[SegmentScores], *, root: Path, best: Best, choice: _Choice
) -> Sequence[Reading]:
    everybody = _assessed_systems(pair, file, choice)
    outliers = find_outliers(pair, everybody.systems, everybody.scores, choice.outliers)
    tasks = [everybody, *([everybody.without(outliers)] if outliers else [])]
    return [_reading(root, best, of_task, scores, choice) for of_task in tasks]


def _reading(root: Path, best: Best, assessed: _Assessed, scores: Sequence[SegmentScores], choice: _Choice) -> Reading:
    rows = [_submission(read, assessed) for read in scores]
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
        inputs=tuple(input_of(read, root) for read in files),
        may_be_unanswered=True,
    )


def _assessed_systems(pair: str, file: TextFile, choice: _Choice) -> _Assessed:
    table = headed_columns(file, _SYSTEM_COLUMNS, separator="blanks")
    systems = table.cells["SYS"]
    if twice := first_repeat(systems):
        what = f"system {systems[twice[0]]} is assessed twice, first on line {twice[1] + 2}"
        raise table.error(what, twice[0], remedy="keep one line a system")
    humans = human_translations(systems, choice.humans)
    kept = [i for i, name in enumerate(systems) if name not in humans]
    if not kept:
        raise file.error("no system is left to compare", remedy="set humans in the reader, or assess other systems")
    scores = _scores(table, ("N", "N.ALL"))
    return _Assessed(
        task=pair,
        file=file,
        systems=tuple(systems[i] for i in kept),
        scores=scores[choice.scale][kept],
        raw=scores["raw"][kept],
        humans=humans,
        outliers=[],
    )


def _submission(scores: SegmentScores, assessed: _Assessed) -> UnitValues:
    """Return the scores of a metric for the systems that are compared."""
    scores.check_each_once()
    values = scores.grid([""], assessed.systems)[0]
    absent = np.flatnonzero(np.isnan(values))
    if len(absent):
        first = f"{assessed.systems[absent[0]]}, which humans assessed{and_more(len(absent))}"
        what = f"{scores.metric} has no score of system {first}"
        raise scores.file.error(what, remedy="complete the file: missing scores are not filled")
    return _one_row(scores.metric, values, scores.file)


def _one_row(name: str, values: FloatArray, file: TextFile) -> UnitValues:
    return UnitValues(name=name, ids=np.array([1]), values=values[None], path=str(file.path))
