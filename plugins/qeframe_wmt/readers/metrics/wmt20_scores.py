"""The files of the metrics task of 2020, as published or by pair, and its scores of metrics.

A file may hold several metrics, language pairs and references, one after the other or mixed.
"""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path

import attrs
import numpy as np
from attrs import frozen

from qeframe.plugin import DataError, IntArray
from qeframe.plugin.readers import (
    Dropped,
    Reading,
    SubmissionFormat,
    Submitted,
    TextFile,
    has_folder,
    read_text_lines,
    visible,
)
from qeframe_wmt.formats.tables import TextColumn, columns_by_tab, labels_of
from qeframe_wmt.readers.metrics.compared_pairs import SegmentScores, finite_cells
from qeframe_wmt.selections.selection import Level

LAYOUTS = (
    "the repository has manual-evaluation/DA/metrics-ad-{level}-scores-LP.csv and "
    "final-metric-scores/*/METRIC.{level}.score.gz; by pair these are da/LP.{level}.csv and "
    "scores/METRIC.LP.{level}.tsv"
)
_ASSESSMENTS, _SCORES = "manual-evaluation/DA", "final-metric-scores"
_OF_SCORES = ("baselines", "submissions")
_LEVELS = ("seg", "sys", "doc")


@frozen
class PublishedFiles:
    """Where the assessments and the scores of one level are."""

    assessments: Mapping[str, Path]  # by language pair
    scores: tuple[Path, ...]  # lines of METRIC LP TESTSET REFSET SYSTEM, DOC and SEG at segment level, SCORE
    other: tuple[str, ...]  # the names of files without scores of this level, of metrics that have none in `scores`


def find_files(root: Path, level: Level) -> PublishedFiles:
    """Return the files of a level below a folder: the repository of the task, or a folder with da and scores."""
    trees = [has_folder(root / name) for name in ("manual-evaluation", _SCORES)]
    published = any(trees)
    folder = root / (_ASSESSMENTS if published else "da")
    if visible(root) and not (published or has_folder(folder)):
        what = "this is no repository of the metrics task of 2020: it has no manual-evaluation and no da"
        raise DataError(what, path=root, remedy=LAYOUTS.format(level=level))
    before, after = (f"metrics-ad-{level}-scores-", ".csv") if published else ("", f".{level}.csv")
    assessments = {
        file.name.removeprefix(before).removesuffix(after): file
        for file in visible(folder)
        if file.name.startswith(before) and file.name.endswith(after)
    }
    if not assessments:
        what = f"no assessments of {'segments' if level == 'seg' else 'systems'} are here"
        raise DataError(what, path=folder, remedy=LAYOUTS.format(level=level))
    folders = [root / _SCORES / name for name in _OF_SCORES] if published else [root / "scores"]
    files = [file for inner in folders if has_folder(inner) for file in visible(inner)]
    scores = [file for file in files if _level(file) == level]
    metrics = {_metric(file) for file in scores}
    other = {file.name for file in files if _metric(file) not in metrics}
    return PublishedFiles(assessments, tuple(scores), tuple(sorted(other)))


def _level(file: Path) -> str:
    """Return the level that the name of a file of scores states, empty if it states none."""
    parts = file.name.removesuffix(".gz").split(".")
    return next((part for part in parts[-2:-1] if part in _LEVELS and parts[-1] in {"score", "tsv"}), "")


def _metric(file: Path) -> str:
    """Return the name of a file up to the level: a metric may have one file for each level."""
    level = _level(file)
    return file.name.rpartition(f".{level}.")[0] if level else file.name


_NAMES: Mapping[Level, tuple[str, ...]] = {
    "seg": ("METRIC", "LP", "TESTSET", "REFSET", "SYSTEM", "DOC", "SEG", "SCORE"),
    "sys": ("METRIC", "LP", "TESTSET", "REFSET", "SYSTEM", "SCORE"),
}


@frozen(eq=False)
class PublishedScores:
    """The scores of all metrics with one reference."""

    # the metrics of each language pair that was asked for, in the order of the files
    pairs: Mapping[str, Sequence[SegmentScores]]
    dropped: tuple[Dropped, ...]  # scores with other references, and metrics of other language pairs


def read_published_scores(
    paths: Iterable[Path], level: Level, *, pairs: Collection[str] | None, reference_set: str
) -> PublishedScores:
    """Read files of scores, which may be compressed with gzip.

    Scores of other language pairs (None: of none) and with another REFSET are counted. A metric has one test set, and
    its scores for a language pair are in one file.
    """
    by_metric: dict[tuple[str, str], SegmentScores] = {}
    others: dict[tuple[str, str], int] = {}
    unassessed: dict[str, list[str]] = {}
    holds = f"lines of {' '.join(_NAMES[level])}"
    for path in paths:
        file = read_text_lines(path, holds=holds, packed=True)
        columns = columns_by_tab(file, _NAMES[level])
        for (metric, pair), rows in _blocks(columns, file):
            if pairs is not None and pair not in pairs:
                unassessed.setdefault(pair, []).append(metric)
                continue
            chosen = rows[columns[3].take(rows).equal_to(reference_set)]
            if len(chosen) < len(rows):
                others[pair, metric] = others.get((pair, metric), 0) + len(rows) - len(chosen)
            if not len(chosen):
                continue
            scores = _scores(metric, file, columns, chosen, level)
            other = by_metric.setdefault((pair, metric), scores)
            if other is not scores:
                what = f"{metric} has scores of {pair} in {other.file.path} as well"
                raise file.error(what, line=int(scores.lines[0]), remedy="keep one of the files")
    notes = [
        Dropped(pair, "score", count, f"of {metric} with another REFSET than {reference_set}")
        for (pair, metric), count in others.items()
    ]
    for pair in sorted(unassessed):
        metrics = list(dict.fromkeys(unassessed[pair]))
        notes.append(Dropped(pair, "submission", len(metrics), f"no assessments: {', '.join(metrics)}"))
    asked = dict.fromkeys(pair for pair, _ in by_metric) if pairs is None else pairs
    by_pair = {pair: [of_metric for (of, _), of_metric in by_metric.items() if of == pair] for pair in asked}
    return PublishedScores(by_pair, tuple(notes))


def published_format(level: Level, reference_set: str) -> SubmissionFormat:
    """Return how one file of scores is read alone."""
    return SubmissionFormat(read=partial(_alone, level=level, reference_set=reference_set), folder="scores")


def _alone(path: Path, *, level: Level, reference_set: str) -> Sequence[Submitted]:
    scores = read_published_scores([path], level, pairs=None, reference_set=reference_set)
    if not scores.pairs:
        what = f"no score is of the REFSET {reference_set}"
        raise DataError(what, path=path, line=1, remedy="correct it, or set reference_set in the reader")
    return [of_metric.alone(pair, scores.dropped) for pair, metrics in scores.pairs.items() for of_metric in metrics]


def _blocks(columns: Sequence[TextColumn], file: TextFile) -> Iterator[tuple[tuple[str, str], IntArray]]:
    """Yield the rows of each metric and language pair of a file."""
    metric_of, metrics = labels_of(columns[0])
    pair_of, pairs = labels_of(columns[1])
    both = metric_of * len(pairs) + pair_of
    order = np.argsort(both, kind="stable")
    starts = np.flatnonzero(np.diff(both[order], prepend=-1))
    for rows in np.split(order, starts[1:]):
        metric, pair = metrics[metric_of[rows[0]]], pairs[pair_of[rows[0]]]
        for name, text in (("METRIC", metric), ("LP", pair)):
            if not text.strip():
                remedy = f"every line needs a {name}"
                raise file.error(f"{name} '{text}'", line=int(rows[0]) + 1, remedy=remedy)
        yield (metric, pair), rows


def _scores(metric: str, file: TextFile, columns: Sequence[TextColumn], rows: IntArray, level: Level) -> SegmentScores:
    test_set_of, test_sets = labels_of(columns[2].take(rows))
    if len(test_sets) > 1:
        other = int(np.flatnonzero(test_set_of)[0])
        what = f"TESTSET '{test_sets[1]}' after '{test_sets[0]}', both scored by {metric} with the same REFSET"
        raise file.error(what, line=int(rows[other]) + 1, remedy="keep one TESTSET")
    system_of, names = labels_of(columns[4].take(rows))
    systems = [names[system] for system in system_of.tolist()]
    segments = [""] * len(rows)
    if level == "seg":
        document_of, documents = labels_of(columns[5].take(rows))
        numbers = columns[6].take(rows)
        segments = [f"{documents[i]}::{number}" for i, number in zip(document_of.tolist(), numbers, strict=True)]
    texts = list(columns[-1].take(rows))
    try:
        scores = finite_cells(texts, file, systems=systems, segments=segments)
    except DataError as error:
        raise file.error(error.what, line=int(rows[(error.line or 1) - 1]) + 1, remedy=error.remedy) from None
    return SegmentScores(metric=metric, file=file, systems=systems, segments=segments, scores=scores, lines=rows + 1)


def human_translations(systems: Sequence[str], beginning: str) -> list[str]:
    """Return the systems whose names have a beginning; none if it is empty."""
    return [name for name in systems if beginning and name.startswith(beginning)]


def left_out(
    pair: str,
    compared: Sequence[str],
    humans: Sequence[str],
    scores: Sequence[SegmentScores],
    beginning: str,
    *,
    known: Sequence[str] = (),
) -> tuple[Dropped, ...]:
    """Count the human translations, and the systems that metrics scored but no human assessed.

    `compared` are the systems that are compared, `humans` the human translations with assessments, whose names have the
    `beginning`, and `known` are counted elsewhere.
    """
    note = Dropped(pair, "system", len(humans), f"human translations ({beginning}...)")
    scored = dict.fromkeys(name for of_metric in scores for name in of_metric.names)
    others = [name for name in scored if name not in {*compared, *humans, *known}]
    unassessed = Dropped(pair, "system", len(others), f"no assessments: {', '.join(others)}")
    return tuple(of_metric for of_metric in (note, unassessed) if of_metric.count)


def read_tasks(
    path: Path,
    level: Level,
    reference_set: str,
    read: Callable[[str, TextFile, Sequence[SegmentScores]], Sequence[Reading]],
) -> Sequence[Reading]:
    """Return the tasks that `read` makes of a language pair, its assessments and its scores.

    Each counts what was left out of its scores, the last one what belongs to none of them.
    """
    files = find_files(path, level)
    scores = read_published_scores(files.scores, level, pairs=files.assessments, reference_set=reference_set)
    of_pairs = [read(pair, read_text_lines(file), scores.pairs[pair]) for pair, file in files.assessments.items()]
    readings = [reading for of_pair in of_pairs for reading in of_pair]
    names = {reading.name for reading in readings}
    notes = [note for note in scores.dropped if note.task not in names]
    if files.other:
        notes.append(Dropped("", "file", len(files.other), f"no scores of this level: {', '.join(files.other)}"))
    by_task = {name: [note for note in scores.dropped if note.task == name] for name in names}
    by_task[readings[-1].name] += notes
    return [attrs.evolve(r, dropped=(*r.dropped, *by_task[r.name])) for r in readings]
