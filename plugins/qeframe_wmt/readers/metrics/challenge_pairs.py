"""Challenge sets judged pair by pair: ACES; of WMT25 mslc-b, with empty strings and spelling, and equal pairs."""

from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
from attrs import frozen
from numpy.typing import ArrayLike, NDArray

from qeframe.plugin import Best, DataError, FloatArray, IntArray, Preferences
from qeframe.plugin.kinds import NOT_ASKED, UNKNOWN_LENGTH
from qeframe.plugin.readers import (
    Dropped,
    Reader,
    Reading,
    TextFile,
    UnitValues,
    columns_by_name,
    input_of,
    read_text_lines,
    visible,
)
from qeframe_wmt.formats.tables import parse_scores, refuse_cells
from qeframe_wmt.readers.metrics.challenge_sets import SetScores, by_number, scores_by_task


def preferred(scores: FloatArray) -> FloatArray:
    """Return the decisions of a metric and its scores of A and B, (n, 4), from the scores, (n, 2)."""
    decisions = np.sign(scores[:, 0] - scores[:, 1])
    return np.column_stack([decisions, np.full(len(scores), NOT_ASKED), scores])


def gold_of_pairs(preference: ArrayLike, sections: Sequence[str], lengths: IntArray | None = None) -> NDArray[Any]:
    """Return the gold of pairs as records, in no order of presentation: +1 if A is better, 0 if both are equal."""
    names = np.array(sections, dtype=np.str_)
    fields = [("preference", "i1"), ("lengths", "i8", (2,)), ("section", names.dtype), ("shown_first", "i1")]
    records = np.zeros(len(names), dtype=np.dtype(fields))
    records["preference"], records["section"] = preference, names
    records["lengths"] = UNKNOWN_LENGTH if lengths is None else lengths
    return records


_SET, _LEVELS = "mslc-b", "mslc-a"
_SEGMENTS, _BLOCK = 80, 20  # the segments of a language pair of mslc-b, and those of one part of it
_EMPTY = ("empty-src-ref", "empty-hyp")
_OF = ("segment", "phrase", "word", "punct")
_EMPTY_KINDS = tuple(f"{_EMPTY[i % 2]}-{_OF[i // _BLOCK]}" for i in range(_SEGMENTS))
"""What is empty, by segment: mslc-b.ja-zh_CN.internal."""
_SPELLINGS = ("US", "GB")
"""The spelling of the reference, by block of segments: two with the hypothesis in it, two with the other one."""


def wmt25_mslc_b() -> Reader:
    """Read scores of metrics on the challenge set mslc-b of WMT25, as pairs of which one has to have the higher score.

    PATH is the repository wmt-conference/wmt25-mteval as cloned, or its folder data/challenge-sets.

    Returns
    -------
    Reader
        Of `Preferences`; a submission is a metric. Tasks ``empty hyp-K``, for the worst and for the best system of
        mslc-a: whether a metric scores empty strings below the mean of its scores of that system. The mean is taken as
        fixed. Sections are what is empty: the hypothesis, or source and reference (the hypothesis is then the text of
        another segment), and whether it is a segment, phrase, word or punctuation. Tasks ``spelling LP``: whether a
        translation in the spelling of the reference, American or British, is above the one in the other spelling.
        Sections are the spelling of the reference.

    Raises
    ------
    DataError
        When it reads: if no scores are there, a language pair has other segments than the set has, or a metric lacks
        one.

    References
    ----------
    wmt25-mteval, scripts/challenge_sets; nrc-cnrc/MSLC, 2025.
    """
    return Reader(
        name="wmt25_mslc_b",
        summary="the repository of challenge sets of WMT25: empty strings and spelling of mslc-b, pair by pair",
        source="WMT25 metrics, challenge set MSLC-B",
        kind=Preferences,
        read=_read_mslc_b,
    )


def wmt25_equal_pairs(*, name: str = "gambit-gender") -> Reader:
    """Read scores of metrics on a challenge set of WMT25 whose two translations of a segment are equally good.

    PATH is the repository wmt-conference/wmt25-mteval as cloned, or its folder data/challenge-sets.

    Parameters
    ----------
    name : str
        The set. In gambit-gender, hyp-1 (A) is masculine and hyp-2 (B) feminine, where the source is ambiguous.

    Returns
    -------
    Reader
        Of `Preferences`; every language pair is a task, a submission is a metric. Every pair is a tie. Its section is
        the domain, in gambit-gender the code of the occupation.

    Raises
    ------
    DataError
        When it reads: if the set has no scores, a segment has not two systems, or a metric lacks one.

    References
    ----------
    wmt25-mteval, scripts/challenge_sets.
    """
    return Reader(
        name="wmt25_equal_pairs",
        summary="the repository of challenge sets of WMT25: a set of two equally good translations, pair by pair",
        source="WMT25 metrics, challenge set gambit-gender",
        kind=Preferences,
        read=partial(_read_equal, name=name),
    )


@frozen(kw_only=True, eq=False)
class _Pairs:
    """Pairs of scores of several metrics: one task."""

    name: str
    preference: int  # +1 the first is better, 0 both are equal
    sections: Sequence[str]
    labels: Sequence[str]  # what a message calls each pair
    scores: Mapping[str, FloatArray]  # (n, 2) by metric

    def reading(self, files: Sequence[SetScores], root: Path, *, grouping: str, without: Sequence[str] = ()) -> Reading:
        """Return the task; `without` are metrics that are left out for want of a mean on mslc-a."""
        ids, names = np.arange(len(self.sections)), dict(enumerate(self.labels))
        paths: dict[str, list[str]] = {}
        for of_metric in files:
            paths.setdefault(of_metric.metric, []).append(str(of_metric.file.path))
        gold = gold_of_pairs(self.preference, self.sections)
        why = f"no scores on {_LEVELS}: {', '.join(without)}"
        equal = "both translations of a pair are equally good: a metric that does not look at them is perfect"
        return Reading(
            name=self.name,
            kind=Preferences,
            gold=UnitValues(name="gold", ids=ids, values=gold, path=str(root), names=names),
            submissions=tuple(
                UnitValues(
                    name=name,
                    ids=ids,
                    values=preferred(scores),
                    path=paths[name][0],
                    more_paths=tuple(paths[name][1:]),
                    names=names,
                )
                for name, scores in self.scores.items()
            ),
            groups={grouping: self.sections},
            best="high",
            dropped=(Dropped(self.name, "submission", len(without), why),) if without else (),
            inputs=tuple(input_of(of_metric.file, root) for of_metric in files),
            counts={"pairs": len(self.sections)},
            remarks=() if self.preference else (f"{equal}; report it beside a set with a known order",),
        )


def _column(of_metric: SetScores, segments: Sequence[str], system: str) -> FloatArray:
    """Return the scores of a system; raise a `DataError` for a segment without one."""
    column = of_metric.grid(segments, [system])[:, 0]
    absent = np.flatnonzero(np.isnan(column))
    if len(absent):
        segment, where = segments[absent[0]], f"{of_metric.of} {of_metric.pair}"
        what = f"{of_metric.metric} has no score of segment {segment} of {system} in {where}"
        raise of_metric.file.error(what, remedy="complete the file: missing scores are not filled")
    return column


def _systems(of_metrics: Sequence[SetScores]) -> list[str]:
    return sorted({system for of_metric in of_metrics for system in of_metric.systems}, key=by_number)


def _read_mslc_b(path: Path, best: Best) -> Sequence[Reading]:
    by_task = scores_by_task(path)
    tasks = {pair: scores for (name, pair), scores in sorted(by_task.items()) if name == _SET}
    if not tasks:
        raise DataError(f"no scores of {_SET} are here", path=path, remedy="give the files of the repository")
    readings, segments = [], set(map(str, range(1, _SEGMENTS + 1)))
    for pair, of_metrics in tasks.items():
        for of_metric in of_metrics:
            if set(of_metric.segments) != segments or len(set(of_metric.systems)) != 1:
                what = f"{_SET} {pair} has other segments or systems than 1 to {_SEGMENTS} of one system"
                remedy = "give the file of the repository: its segments are known by number"
                raise of_metric.file.error(what, remedy=remedy)
        if pair.startswith("cs-"):
            readings.append(_spelling(pair, of_metrics).reading(of_metrics, path, grouping="spelling"))
        elif (_LEVELS, pair) in by_task:
            readings += _empty(of_metrics, by_task[_LEVELS, pair], path)
        else:
            what = f"no scores on {_LEVELS} {pair} are here, whose means are what empty strings are compared with"
            raise DataError(what, path=path, remedy="give the files of the repository")
    return readings


def _spelling(pair: str, of_metrics: Sequence[SetScores]) -> _Pairs:
    better, worse = ([str(start + i) for i in range(2 * _BLOCK)] for start in (1, 2 * _BLOCK + 1))
    (system,) = _systems(of_metrics)
    return _Pairs(
        name=f"spelling {pair}",
        preference=1,
        sections=[f"reference {_SPELLINGS[i // _BLOCK]}" for i in range(2 * _BLOCK)],
        labels=[f"{first} and {second}" for first, second in zip(better, worse, strict=True)],
        scores={
            of_metric.metric: np.stack([_column(of_metric, side, system) for side in (better, worse)], axis=1)
            for of_metric in of_metrics
        },
    )


def _empty(of_metrics: Sequence[SetScores], levels: Sequence[SetScores], root: Path) -> list[Reading]:
    """Return the comparisons of empty strings with the mean of the worst and of the best system of mslc-a."""
    of_level = {of_metric.metric: of_metric for of_metric in levels}
    scored = [of_metric for of_metric in of_metrics if of_metric.metric in of_level]
    without = [of_metric.metric for of_metric in of_metrics if of_metric.metric not in of_level]
    (system,), ranked = _systems(of_metrics), _systems(levels)
    rows = sorted({segment for of_metric in levels for segment in of_metric.segments}, key=by_number)
    segments = list(map(str, range(1, _SEGMENTS + 1)))
    readings = []
    for level in (ranked[0], ranked[-1]):
        scores = {}
        for of_metric in scored:
            mean = _column(of_level[of_metric.metric], rows, level).mean()
            empty = _column(of_metric, segments, system)
            scores[of_metric.metric] = np.stack([np.full(_SEGMENTS, mean), empty], axis=1)
        pairs = _Pairs(name=f"empty {level}", preference=1, sections=list(_EMPTY_KINDS), labels=segments, scores=scores)
        files = [*scored, *(of_level[of_metric.metric] for of_metric in scored)]
        readings.append(pairs.reading(files, root, grouping="empty", without=without))
    return readings


def _read_equal(path: Path, best: Best, *, name: str) -> Sequence[Reading]:
    tasks = {pair: scores for (of, pair), scores in sorted(scores_by_task(path).items()) if of == name}
    if not tasks:
        raise DataError(f"no scores of {name} are here", path=path, remedy="add the files of the set, or name another")
    return [_equal(name, pair, of_metrics, path) for pair, of_metrics in tasks.items()]


def _equal(name: str, pair: str, of_metrics: Sequence[SetScores], root: Path) -> Reading:
    systems, first = _systems(of_metrics), of_metrics[0]
    if len(systems) != 2:
        what = f"{name} {pair} has {len(systems)} systems: {', '.join(systems[:3])}"
        raise first.file.error(what, remedy="give a set of two translations of each segment")
    domains: dict[str, str] = {}
    for of_metric in of_metrics:
        for segment, domain in zip(of_metric.segments, of_metric.domains, strict=True):
            domains.setdefault(segment, domain)
    segments = sorted(domains, key=by_number)
    pairs = _Pairs(
        name=f"{name} {pair}",
        preference=0,
        sections=[domains[segment] for segment in segments],
        labels=segments,
        scores={
            of_metric.metric: np.stack([_column(of_metric, segments, system) for system in systems], axis=1)
            for of_metric in of_metrics
        },
    )
    return pairs.reading(of_metrics, root, grouping="domain")


_GOOD, _BAD = "-good", "-bad"
_FINITE = "every example needs a finite score of both translations"
_TEXTS = ("good-translation", "incorrect-translation")
_FORMAT = "name the columns in the first line: phenomena, and METRIC-good and METRIC-bad for each metric, by tabs"


def aces() -> Reader:
    """Read tables in the layout of ACES; every table is a task, and a submission is a metric.

    PATH is a table, or a folder of tables ``NAME.tsv``. The first line names the columns: ``phenomena``, and for each
    metric ``METRIC-good`` and ``METRIC-bad``, its scores of the good and of the incorrect translation. Quotes are
    ordinary characters. Other columns are not looked at, but for ``langpair``, and for the lengths of the texts in
    ``good-translation`` and ``incorrect-translation``.

    Returns
    -------
    Reader
        Of `Preferences`: answer A is the good translation, and its section the phenomenon. Groupings: phenomenon and,
        where the table has it, language pair.

    Raises
    ------
    DataError
        When it reads: if a metric has one of its two columns, or a score is missing. The official program
        then has no value for the phenomenon, nor for the ACES-score.

    References
    ----------
    Amrhein, Moghe and Guillou (2022), ACES; aces/cli/evaluate.py of EdinburghNLP/ACES.
    """
    return Reader(
        name="aces",
        summary="a table of good and incorrect translations, phenomena, and METRIC-good METRIC-bad, by tabs",
        source="WMT22-24 metrics, challenge set ACES",
        kind=Preferences,
        read=_read,
    )


def _read(path: Path, best: Best) -> Sequence[Reading]:
    files = [path] if not path.is_dir() else [file for file in visible(path) if file.suffix == ".tsv"]
    if not files:
        raise DataError("no table NAME.tsv is here", path=path, remedy="give a table of ACES with scores of metrics")
    return [_table(read_text_lines(file, texts=True, pipe=not path.is_dir()), path) for file in files]


def _table(file: TextFile, root: Path) -> Reading:
    table = columns_by_name(file, ("phenomena",), separator="\t", remedy=_FORMAT)
    columns = table.cells
    phenomena = columns["phenomena"]
    refuse_cells(file, phenomena, str.strip, "no phenomenon", "name one on every line")
    ids, submissions = np.arange(len(phenomena)), []
    for name in _metrics(columns, file):
        both = [parse_scores(table, f"{name}{end}", " is not a score", remedy=_FINITE) for end in (_GOOD, _BAD)]
        scores = np.stack(both, axis=1)
        submissions.append(table.side(name, ids, preferred(scores)))
    pairs = {"language pair": columns["langpair"]} if "langpair" in columns else {}
    return Reading(
        name=file.path.stem,
        kind=Preferences,
        gold=table.side("gold", ids, _gold(columns)),
        submissions=tuple(submissions),
        groups={"phenomenon": phenomena, **pairs},
        best="high",
        inputs=(input_of(file, root),),
        counts={"phenomena": len(set(phenomena))},
    )


def _metrics(columns: Mapping[str, Sequence[str]], file: TextFile) -> list[str]:
    """Return the names of the metrics with scores of both translations."""
    good, bad = ([name.removesuffix(end) for name in columns if name.endswith(end)] for end in (_GOOD, _BAD))
    if not good and not bad:
        raise file.error("no column with scores of a metric", line=1, remedy=_FORMAT)
    for names, others, end in ((good, bad, _BAD), (bad, good, _GOOD)):
        unpaired = [name for name in names if name not in others]
        if unpaired:
            raise file.error(f"metric '{unpaired[0]}' has no column {unpaired[0]}{end}", line=1, remedy=_FORMAT)
    return good


def _gold(columns: Mapping[str, Sequence[str]]) -> NDArray[Any]:
    """Return records that prefer the good translation, with the phenomenon and the lengths of both texts."""
    if any(name not in columns for name in _TEXTS):
        return gold_of_pairs(1, columns["phenomena"])
    lengths = np.stack([[len(text) for text in columns[name]] for name in _TEXTS], axis=1)
    return gold_of_pairs(1, columns["phenomena"], lengths)
