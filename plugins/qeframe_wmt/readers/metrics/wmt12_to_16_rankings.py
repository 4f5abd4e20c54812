"""Rankings of five systems by human judges, one a row, and scores of metrics: 2012 to 2016."""

import re
from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path

import numpy as np
from attrs import frozen

from qeframe.plugin import Best, DataError, IntArray, Judgments
from qeframe.plugin.calls import did_you_mean
from qeframe.plugin.kinds import labels_to_index, pairs_of_rankings
from qeframe.plugin.readers import (
    Assessments,
    Dropped,
    Reader,
    Reading,
    TextFile,
    TextFiles,
    has_folder,
    language_code,
    parse_ids,
    read_text_lines,
    visible,
)
from qeframe_wmt.formats.tables import csv_rows, map_rows, refuse_cells, refuse_repeated_lines
from qeframe_wmt.readers.metrics.compared_pairs import ComparedPairs, SegmentScores, labels_at, reading_of, texts_of
from qeframe_wmt.readers.metrics.metric_scores import plain_system, read_scores, scores_format
from qeframe_wmt.selections.selection import Level

_RANKS = {"-1": -1, **{str(rank): rank for rank in range(1, 6)}}
_NO_RANK = 0
_ONE_A_LINE = "give one ranking a line"
_LANGUAGE = re.compile(r"\w+([ _-]\w+)*")
_DESCRIBING = ("srclang", "trglang", "srcIndex", "judgeId")
_RANKING = "rankingID"
"""The column of 2015, whose lines are pairs of systems: the ranking that a pair is of."""
_UNUSED_NUMBERS = re.compile(r"segmentId|system\d+Number")
"""Columns of whole numbers that no task uses; -1 for none, as since 2013, and a file may lack them."""


@frozen(kw_only=True, eq=False)
class RankingRows:
    """The rankings of one file; ranking i is from line i + 2."""

    file: TextFile
    pairs: Sequence[str]
    judges: Sequence[str]
    segments: IntArray
    rankings: Sequence[str]  # what a row is a pair of; empty for a row that is a ranking
    systems: Sequence[Sequence[str]]  # for each of the k positions in a ranking, the system; empty for none
    ranks: IntArray  # (rankings, k), 1 is best, -1 not judged


def read_ranking_rows(file: TextFile) -> RankingRows:
    """Read the rankings of a file of comma-separated values with a header."""
    header, columns = _columns(file)
    header = ["judgeId" if name == "judgeID" else name for name in header]  # as published in 2015
    refuse_repeated_lines(file, header=1)
    positions = _positions(file, header)
    source, target, segments, judges = (columns[header.index(name)] for name in _DESCRIBING)
    for column in (source, target):  # what is no word would make a language pair of its own
        what, remedy = "'{}' is not the name of a language", "write its name or code in letters, as in Czech or cs"
        refuse_cells(file, column, _LANGUAGE.fullmatch, what, remedy)
    for name, column in zip(header, columns, strict=True):
        if _UNUSED_NUMBERS.fullmatch(name):
            what = f"'{{}}' in column {name} is neither a whole number from 0 nor -1"
            remedy = "write digits only, or -1 if there is none; check the order of columns"
            refuse_cells(file, column, re.compile("[0-9]+|-1").fullmatch, what, remedy)
    pairs = map_rows(lambda *both: "-".join(map(language_code, both)), source, target)
    systems = [map_rows(plain_system, columns[name], pairs) for name, _ in positions]
    ranks = np.stack([_ranks(columns[rank], columns[name], file) for name, rank in positions], axis=1)
    nameless = np.array([[not name.strip() for name in names] for names in systems]).T & (ranks > 0)
    if nameless.any():
        row, position = np.argwhere(nameless)[0]
        what = f"rank {ranks[row, position]} without a system in system{position + 1}Id"
        raise file.error(what, line=int(row) + 2, remedy="name the system, or write rank -1")
    _check_once(file, systems)
    return RankingRows(
        file=file,
        pairs=pairs,
        judges=judges,
        segments=parse_ids(segments, file, skip=1),
        rankings=columns[header.index(_RANKING)] if _RANKING in header else [""] * len(pairs),
        systems=systems,
        ranks=ranks,
    )


def _columns(file: TextFile) -> tuple[list[str], list[Sequence[str]]]:
    header, *rows = csv_rows(file, remedy=_ONE_A_LINE)
    if not rows:
        raise file.error("no rankings after the header", remedy=_ONE_A_LINE)
    widths = set(map(len, rows))
    if widths != {len(header)}:
        line = next(i for i, row in enumerate(rows, 2) if len(row) != len(header))
        what = f"{len(rows[line - 2])} cells, where the header has {len(header)}"
        raise file.error(what, line=line, remedy="repair or remove the line")
    return header, list(zip(*rows, strict=True))


def _positions(file: TextFile, header: Sequence[str]) -> list[tuple[int, int]]:
    """Return the columns of system and rank for each position in a ranking."""
    numbers: list[int] = []
    while f"system{len(numbers) + 1}Id" in header:
        numbers.append(len(numbers) + 1)
    wanted = [*_DESCRIBING, *(f"system{number}rank" for number in numbers or [1])]
    absent = [name for name in (wanted if numbers else ["system1Id", *wanted]) if name not in header]
    if absent:
        remedy = "a ranking file starts with srclang,trglang,srcIndex,...,system1Id,...,system1rank,..."
        raise file.error(f"no column {', '.join(absent)}", line=1, remedy=remedy)
    return [(header.index(f"system{n}Id"), header.index(f"system{n}rank")) for n in numbers]


def _ranks(texts: Sequence[str], systems: Sequence[str], file: TextFile) -> IntArray:
    ranks = np.fromiter((_RANKS.get(text, _NO_RANK) for text in texts), np.int64, len(texts))
    wrong = np.flatnonzero(ranks == _NO_RANK)
    if len(wrong):
        what = f"rank '{texts[wrong[0]]}' of '{systems[wrong[0]]}' is neither 1 to 5 nor -1"
        raise file.error(what, line=int(wrong[0]) + 2, remedy="1 is best, -1 means not judged")
    return ranks


def _check_once(file: TextFile, systems: Sequence[Sequence[str]]) -> None:
    """Raise a `DataError` if a system occurs twice in a ranking."""
    codes = {name: code for code, name in enumerate({name for names in systems for name in names} - {""})}
    in_order = np.sort([[codes.get(name, -1) for name in names] for names in systems], axis=0)
    repeated = (in_order[1:] == in_order[:-1]) & (in_order[1:] >= 0)
    if repeated.any():
        row = int(np.flatnonzero(repeated.any(axis=0))[0])
        ranked = [names[row] for names in systems]
        name = next(name for name in ranked if name and ranked.count(name) > 1)
        raise file.error(f"system '{name}' occurs twice in a ranking", line=row + 2, remedy="keep one rank a system")


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
    named = {*(translations or {}), *(name for metric in scores for name in metric.names)}
    if named:
        _check_known(pair, tables, rows, named | set(references))
    compared, assessments, count = _compare(pair, root, tables, rows, references)
    chosen_rows = zip(tables, rows, strict=True)
    ranked = {names[row] for table, chosen in chosen_rows for names in table.systems for row in chosen.tolist()}
    return reading_of(
        compared,
        scores,
        best=best,
        files=[table.file for table, chosen in zip(tables, rows, strict=True) if len(chosen)],
        root=root,
        counts={"rankings": len(set(_labels(tables, rows)))},
        level=level,
        dropped=(Dropped(pair, "ranked translation", count, "of a reference"),) if count else (),
        texts=_texts(root, compared, translations, level),
        assessments=assessments,
        unmatched={"references": [name for name in references if name not in ranked]},
        known={"references": sorted(ranked)},
    )


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
    rankings = _labels(tables, rows)
    compared = ComparedPairs(
        pair=pair,
        systems=names,
        segments=list(map(str, numbers.tolist())),
        segment=segment[pairs.source],
        left=pairs.left,
        right=pairs.right,
        human=pairs.human,
        path=root,
        groups={"judge": labels_at(judges, pairs.source), "ranking": labels_at(rankings, pairs.source)},
    )
    kept = np.where(left_out, -1, ranks)
    return compared, _assessments(kept, index, names, judged, judges), int((left_out & (ranks > 0)).sum())


def _labels(tables: Sequence[RankingRows], rows: Sequence[IntArray]) -> list[str]:
    """Return what the ranking of each row is called: as the file says, or by the number of the row."""
    labels = [table.rankings[row] for table, chosen in zip(tables, rows, strict=True) for row in chosen.tolist()]
    return [label or str(number) for number, label in enumerate(labels, 1)]


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
    return texts_of(compared, translations, references, folder=where, root=root, whole=level == "sys")
