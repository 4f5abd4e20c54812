"""Rankings of five systems by human judges, and metrics' scores of segments: the metrics tasks of 2012 to 2016."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path

import attrs
import numpy as np

from qeframe.plugin import (
    Assessments,
    Best,
    DataError,
    Dropped,
    IntArray,
    Judgments,
    Reader,
    Reading,
    TextFiles,
    did_you_mean,
    labels_to_index,
    pairs_of_rankings,
    read_text_lines,
)
from qeframe_wmt.compared import Compared, labels_at, reading_of
from qeframe_wmt.folders import input_of, visible
from qeframe_wmt.language_pairs import plain_system
from qeframe_wmt.metric_files import Level, read_scores
from qeframe_wmt.ranking_rows import RankingRows, read_ranking_rows
from qeframe_wmt.segment_scores import SegmentScores

__all__ = ["rankings"]

_LINES = "a line of column names (srclang, trglang, ...), then a ranking of five systems a line"


def rankings(*, references: tuple[str, ...] = (), level: Level = "seg") -> Reader:
    """Comma-separated rankings, and scores and texts of the systems beside them.

    Parameters
    ----------
    references : list of str
        Systems that are references: comparisons with them are left out and counted.
    level : {"seg", "sys"}
        Whether a metric scores each segment of a system, or the system as a whole.

    Returns
    -------
    Reader
        Of `Judgments`, each language pair a task. PATH holds the rankings (``*.csv``), and may hold ``scores/`` with
        segment scores (METRIC LP TESTSET SYSTEM SEGMENT SCORE) or, in files with ``.sys.`` in their names, system
        scores (METRIC LP TESTSET SYSTEM SCORE), and ``text/`` with translations, one segment a line, in
        ``text/LP/SYSTEM``, and references in ``text/*-ref.LANGUAGE``.

    References
    ----------
    Metrics tasks 2012-16; Machacek and Bojar (2014).
    """
    return Reader(
        name="rankings",
        summary="5-way rankings as CSV, with segment scores of metrics, or texts, beside them",
        source="Metrics tasks 2012-16",
        kind=Judgments,
        read=partial(_read, references=references, level=level),
    )


def _read(path: Path, best: Best, *, references: tuple[str, ...], level: Level) -> Sequence[Reading]:
    files = [entry for entry in visible(path) if entry.suffix == ".csv" and not entry.is_dir()]
    if not files:
        raise DataError("no rankings are here", path=path, remedy="put them into a file rankings.csv")
    tables = [read_ranking_rows(read_text_lines(file, holds=_LINES)) for file in files]
    scores = read_scores(path / "scores", level)
    pairs = sorted({pair for table in tables for pair in table.pairs})
    return scores.told([_read_pair(pair, path, best, tables, scores.of(pair), references, level) for pair in pairs])


def _read_pair(
    pair: str,
    root: Path,
    best: Best,
    tables: Sequence[RankingRows],
    scores: Sequence[SegmentScores],
    references: Sequence[str],
    level: Level,
) -> Reading:
    rows = [np.flatnonzero([found == pair for found in table.pairs]) for table in tables]
    located = _located(root, pair)
    known = {*(located or {}), *(name for each in scores for name in each.names)}
    if known:
        _check_known(pair, tables, rows, known | set(references))
    compared, assessments, count = _compared(pair, root, tables, rows, references)
    dropped = [Dropped(pair, "ranked translation", count, "of a reference")] if count else []
    used = [table.file for table, chosen in zip(tables, rows, strict=True) if len(chosen)]
    reading = reading_of(
        compared,
        [each.side(compared if level == "seg" else compared.whole) for each in scores],
        best=best,
        counts={"rankings": sum(map(len, rows))},
        dropped=dropped,
        inputs=[input_of(file, root) for file in (*used, *(each.file for each in scores))],
        texts=_texts(root, compared, located, level),
    )
    return attrs.evolve(reading, assessments=assessments)


def _compared(
    pair: str, root: Path, tables: Sequence[RankingRows], rows: Sequence[IntArray], references: Sequence[str]
) -> tuple[Compared, tuple[Assessments, ...], int]:
    """Return the pairs of all rankings of a language pair, the ranks, and how many references were ranked."""
    width = max(len(table.systems) for table in tables)
    standing = [_standing(table, chosen, width) for table, chosen in zip(tables, rows, strict=True)]
    ranks = np.concatenate([ranks for _, ranks in standing])
    index, names = labels_to_index([name for labels, _ in standing for name in labels])
    index = index.reshape(ranks.shape)
    left_out = np.isin(index, [number for number, name in enumerate(names) if name in references])
    pairs = pairs_of_rankings(ranks, np.where(left_out, -1, index))
    judged = np.concatenate([t.segments[chosen] for t, chosen in zip(tables, rows, strict=True)])
    numbers, segment = np.unique(judged, return_inverse=True)
    judges = [t.judges[i] for t, chosen in zip(tables, rows, strict=True) for i in chosen]
    compared = Compared(
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
    """Return every ranking as a look of its judge at the systems that it ranks, the best of which has -1."""
    row, place = np.nonzero(ranks > 0)
    if not len(row):
        return ()
    ranked, column = np.unique(index[row, place], return_inverse=True)
    values = np.full((len(ranks), len(ranked)), np.nan)
    values[row, column] = -ranks[row, place]
    systems = tuple(names[i] for i in ranked)
    return (Assessments(scale="rank", systems=systems, segments=segments, judges=tuple(judges), values=values),)


def _standing(table: RankingRows, rows: IntArray, width: int) -> tuple[list[str], IntArray]:
    """Return the systems of some rankings, ranking after ranking, and their ranks, both filled up to `width` places."""
    empty = width - len(table.systems)
    ranks = np.pad(table.ranks[rows], ((0, 0), (0, empty)), constant_values=-1)
    return [name for i in rows for name in (*(place[i] for place in table.systems), *[""] * empty)], ranks


def _check_known(pair: str, tables: Sequence[RankingRows], rows: Sequence[IntArray], known: set[str]) -> None:
    for table, place, chosen in ((t, place, r) for t, r in zip(tables, rows, strict=True) for place in t.systems):
        strange = [row for row in chosen if place[row] and place[row] not in known]
        if strange:
            what = f"system '{place[strange[0]]}' is unknown: {pair} has neither texts nor scores of it"
            near = did_you_mean(place[strange[0]], known)
            raise table.file.error(what, line=int(strange[0]) + 2, remedy=near)


def _located(root: Path, pair: str) -> Mapping[str, Path] | None:
    """Return the files of translations of a language pair by system, None if it has none."""
    folder = root / "text" / pair
    return {plain_system(file.name, pair): file for file in visible(folder)} if folder.is_dir() else None


def _texts(root: Path, compared: Compared, located: Mapping[str, Path] | None, level: Level) -> TextFiles | None:
    if located is None:
        return None
    folder, language = root / "text", compared.pair.rpartition("-")[2]
    references = tuple(file for file in visible(folder) if file.match(f"*-ref*.{language}"))
    if not references:
        raise DataError("no reference is here", path=folder, remedy=f"name it TESTSET-ref.{language}")
    judged = np.unique(np.concatenate([compared.left, compared.right]))
    names = [compared.systems[i] for i in judged]
    absent = [name for name in names if name not in located]
    if absent:
        near = did_you_mean(absent[0], located)
        raise DataError(f"no translations of '{absent[0]}', which was judged", path=folder / compared.pair, remedy=near)
    return TextFiles(
        pair=compared.pair,
        systems={name: located[name] for name in names},
        references=references,
        segments=np.array(list(map(int, compared.segments)), dtype=np.int64)[compared.segment],
        sides=np.searchsorted(judged, np.stack([compared.left, compared.right], axis=1)),
        root=root,
        whole=level == "sys",
    )
