"""Rankings of five systems by human judges, and scores of metrics: 2012 to 2016."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path

import attrs
import numpy as np

from qeframe.plugin import Best, DataError, IntArray, Judgments, labels_to_index
from qeframe.plugin.calls import did_you_mean
from qeframe.plugin.kinds import pairs_of_rankings
from qeframe.plugin.readers import (
    Assessments,
    Dropped,
    Reader,
    Reading,
    TextFiles,
    has_folder,
    input_of,
    read_text_lines,
    visible,
)
from qeframe_wmt.examples import metrics as examples
from qeframe_wmt.readers.metrics.compared_pairs import ComparedPairs, labels_at, located_texts, reading_of
from qeframe_wmt.readers.metrics.metric_scores import Level, read_scores, scores_format
from qeframe_wmt.readers.metrics.ranking_rows import RankingRows, plain_system, read_ranking_rows
from qeframe_wmt.readers.metrics.segment_scores import SegmentScores

_LINES = "a line of column names (srclang, trglang, ...), then a ranking of five systems a line"


def rankings(*, references: tuple[str, ...] = (), level: Level = "seg") -> Reader:
    """Read comma-separated rankings, the scores of metrics, and the texts of the systems.

    Parameters
    ----------
    references : list of str
        Systems that are references. Comparisons with them are left out and counted.
    level : {"seg", "sys"}
        Whether a metric scores each segment of a system, or the system as a whole.

    Returns
    -------
    Reader
        Of `Judgments`, each language pair a task. PATH holds the rankings (``*.csv``). It may hold ``scores/`` with
        segment scores (METRIC LP TESTSET SYSTEM SEGMENT SCORE) and, in files with ``.sys.`` in their names, system
        scores (METRIC LP TESTSET SYSTEM SCORE). It may hold texts, one segment a line: translations in
        ``text/LP/SYSTEM`` and references in ``text/*-ref.LANGUAGE``.

    References
    ----------
    Metrics tasks 2012-16; Machacek and Bojar (2014).
    """
    return Reader(
        name="rankings",
        summary="5-way rankings as CSV, with scores of metrics, or texts, beside them",
        source="Metrics tasks 2012-16",
        kind=Judgments,
        read=partial(_read, references=references, level=level),
        example=partial(examples.rankings, level=level),
        submission=scores_format(level),
    )


def _read(path: Path, best: Best, *, references: tuple[str, ...], level: Level) -> Sequence[Reading]:
    files = [entry for entry in visible(path) if entry.suffix == ".csv"]
    if not files:
        raise DataError("no rankings are here", path=path, remedy="put them into a file rankings.csv")
    tables = [read_ranking_rows(read_text_lines(file, holds=_LINES)) for file in files]
    scores = read_scores(path / "scores", level)
    pairs = sorted({pair for table in tables for pair in table.pairs})
    return scores.count_unused(
        [_read_pair(pair, path, best, tables, scores.for_pair(pair), references, level) for pair in pairs]
    )


def _read_pair(
    pair: str,
    root: Path,
    best: Best,
    tables: Sequence[RankingRows],
    scores: Sequence[SegmentScores],
    references: Sequence[str],
    level: Level,
) -> Reading:
    rows = [np.flatnonzero([of_row == pair for of_row in table.pairs]) for table in tables]
    translations = _translations(root, pair)
    known = {*(translations or {}), *(name for each in scores for name in each.names)}
    if known:
        _check_known(pair, tables, rows, known | set(references))
    compared, assessments, count = _compare(pair, root, tables, rows, references)
    dropped = [Dropped(pair, "ranked translation", count, "of a reference")] if count else []
    used = [table.file for table, chosen in zip(tables, rows, strict=True) if len(chosen)]
    reading = reading_of(
        compared,
        [each.of_pairs(compared if level == "seg" else compared.at_system_level) for each in scores],
        best=best,
        counts={"rankings": sum(map(len, rows))},
        dropped=dropped,
        inputs=[input_of(file, root) for file in (*used, *(each.file for each in scores))],
        texts=_texts(root, compared, translations, level),
    )
    ranked = {
        name for t, chosen in zip(tables, rows, strict=True) for names in t.systems for name in _at(names, chosen)
    }
    unmatched = {"references": [name for name in references if name not in ranked]}
    return attrs.evolve(reading, assessments=assessments, unmatched=unmatched, known={"references": sorted(ranked)})


def _at(names: Sequence[str], rows: IntArray) -> set[str]:
    return {names[row] for row in rows}


def _compare(
    pair: str, root: Path, tables: Sequence[RankingRows], rows: Sequence[IntArray], references: Sequence[str]
) -> tuple[ComparedPairs, tuple[Assessments, ...], int]:
    """Return the pairs of all rankings of a language pair, the ranks, and the number of ranked references."""
    width = max(len(table.systems) for table in tables)
    ranked = [_systems_and_ranks(table, chosen, width) for table, chosen in zip(tables, rows, strict=True)]
    ranks = np.concatenate([ranks for _, ranks in ranked])
    index, names = labels_to_index([name for systems, _ in ranked for name in systems])
    index = index.reshape(ranks.shape)
    left_out = np.isin(index, [number for number, name in enumerate(names) if name in references])
    pairs = pairs_of_rankings(ranks, np.where(left_out, -1, index))
    judged = np.concatenate([t.segments[chosen] for t, chosen in zip(tables, rows, strict=True)])
    numbers, segment = np.unique(judged, return_inverse=True)
    judges = [t.judges[i] for t, chosen in zip(tables, rows, strict=True) for i in chosen]
    compared = ComparedPairs(
        pair=pair,
        systems=names,
        segments=list(map(str, numbers.tolist())),
        segment=segment[pairs.source],
        left=pairs.left,
        right=pairs.right,
        human=pairs.human,
        path=root,
        groups={"judge": labels_at(judges, pairs.source), "ranking": list(map(str, (pairs.source + 1).tolist()))},
    )
    kept = np.where(left_out, -1, ranks)
    return compared, _assessments(kept, index, names, judged, judges), int((left_out & (ranks > 0)).sum())


def _assessments(
    ranks: IntArray, index: IntArray, names: Sequence[str], segments: IntArray, judges: Sequence[str]
) -> tuple[Assessments, ...]:
    """Return every ranking as a look of its judge. The values are the negated ranks, so that higher is better."""
    row, position = np.nonzero(ranks > 0)
    if not len(row):
        return ()
    ranked, column = np.unique(index[row, position], return_inverse=True)
    values = np.full((len(ranks), len(ranked)), np.nan)
    values[row, column] = -ranks[row, position]
    systems = tuple(names[i] for i in ranked)
    return (Assessments(scale="rank", systems=systems, segments=segments, judges=tuple(judges), values=values),)


def _systems_and_ranks(table: RankingRows, rows: IntArray, width: int) -> tuple[list[str], IntArray]:
    """Return the systems of the given rankings, ranking after ranking, and their ranks, both padded to `width`."""
    empty = width - len(table.systems)
    ranks = np.pad(table.ranks[rows], ((0, 0), (0, empty)), constant_values=-1)
    return [name for i in rows for name in (*(names[i] for names in table.systems), *[""] * empty)], ranks


def _check_known(pair: str, tables: Sequence[RankingRows], rows: Sequence[IntArray], known: set[str]) -> None:
    for table, names, chosen in ((t, names, r) for t, r in zip(tables, rows, strict=True) for names in t.systems):
        row = next((row for row in chosen if names[row] and names[row] not in known), None)
        if row is not None:
            what = f"system '{names[row]}' is unknown: {pair} has neither texts nor scores of it"
            raise table.file.error(what, line=int(row) + 2, remedy=did_you_mean(names[row], known))


def _translations(root: Path, pair: str) -> Mapping[str, Path] | None:
    """Return the file of translations of each system in a language pair, None if there are none."""
    folder = root / "text" / pair
    if not (has_folder(folder.parent) and has_folder(folder)):
        return None
    return {plain_system(file.name, pair): file for file in visible(folder)}


def _texts(
    root: Path, compared: ComparedPairs, translations: Mapping[str, Path] | None, level: Level
) -> TextFiles | None:
    if translations is None:
        return None
    folder, language = root / "text", compared.pair.rpartition("-")[2]
    references = tuple(file for file in visible(folder) if file.match(f"*-ref*.{language}"))
    if not references:
        raise DataError("no reference is here", path=folder, remedy=f"name it TESTSET-ref.{language}")
    where = folder / compared.pair
    return located_texts(compared, translations, references, folder=where, root=root, whole=level == "sys")
