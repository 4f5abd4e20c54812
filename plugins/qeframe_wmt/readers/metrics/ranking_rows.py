"""The rows of ranking files: one judge ranks five systems on one segment."""

from __future__ import annotations

import csv
import re
from collections.abc import Sequence

import numpy as np
from attrs import frozen

from qeframe.plugin import IntArray
from qeframe.plugin.readers import TextFile, language_code, parse_ids
from qeframe_wmt.formats.repeated_lines import refuse_repeated_lines


def plain_system(name: str, pair: str) -> str:
    """Return the name of a system without test set and language pair.

    ``newstest2014.kit.3112.fr-en`` is ``kit.3112``; a name of another form is returned as it is.
    """
    parts = re.fullmatch(rf"[A-Za-z]+\d{{4}}\.(.+)\.{re.escape(pair)}", name)
    return parts[1] if parts else name


_RANKS = {"-1": -1, **{str(rank): rank for rank in range(1, 6)}}
_NO_RANK = 0
_LANGUAGE = re.compile(r"\w+([ _-]\w+)*")
_DESCRIBING = ("srclang", "trglang", "srcIndex", "judgeId")
_UNUSED_NUMBERS = re.compile(r"segmentId|system\d+Number")
"""Columns of whole numbers that no task uses; -1 for none, as since 2013, and a file may lack them."""


@frozen(kw_only=True, eq=False)
class RankingRows:
    """The rankings of one file; ranking i is from line i + 2."""

    file: TextFile
    pairs: Sequence[str]
    judges: Sequence[str]
    segments: IntArray
    systems: Sequence[Sequence[str]]  # for each of the k positions in a ranking, the system; empty for none
    ranks: IntArray  # (rankings, k), 1 is best, -1 not judged


def read_ranking_rows(file: TextFile) -> RankingRows:
    """Read the rankings of a file of comma-separated values with a header."""
    header, columns = _columns(file)
    refuse_repeated_lines(file, header=1)
    positions = _positions(file, header)
    source, target, segments, judges = (columns[header.index(name)] for name in _DESCRIBING)
    for column in (source, target):
        _check_languages(column, file)
    for name, column in zip(header, columns, strict=True):
        if _UNUSED_NUMBERS.fullmatch(name):
            _check_numbers(name, column, file)
    pair_of = {both: "-".join(map(language_code, both)) for both in set(zip(source, target, strict=True))}
    pairs = [pair_of[both] for both in zip(source, target, strict=True)]
    systems = [_plain_names(columns[name], pairs) for name, _ in positions]
    ranks = np.stack([_ranks(columns[rank], columns[name], file) for name, rank in positions], axis=1)
    _check_named(file, systems, ranks)
    _check_once(file, systems)
    return RankingRows(
        file=file,
        pairs=pairs,
        judges=judges,
        segments=parse_ids(segments, file, skip=1),
        systems=systems,
        ranks=ranks,
    )


def _columns(file: TextFile) -> tuple[list[str], list[Sequence[str]]]:
    try:
        header, *rows = csv.reader(file.lines, strict=True)
    except csv.Error as error:
        raise file.error(f"not comma-separated values: {error}", remedy="repair the quotes") from None
    if not rows:
        raise file.error("no rankings after the header", remedy="give one ranking a line")
    if len(rows) + 1 != len(file.lines):
        raise file.error("a cell in quotes has a line end in it", remedy="give one ranking a line")
    widths = set(map(len, rows))
    if widths != {len(header)}:
        line = next(i for i, row in enumerate(rows, 2) if len(row) != len(header))
        what = f"{len(rows[line - 2])} cells, where the header has {len(header)}"
        raise file.error(what, line=line, remedy="repair or remove the line")
    return header, list(zip(*rows, strict=True))


def _check_languages(languages: Sequence[str], file: TextFile) -> None:
    """Raise a `DataError` for the first language that is no word: it would make a language pair of its own."""
    no_words = {name for name in set(languages) if not _LANGUAGE.fullmatch(name)}
    if no_words:
        line, name = next((line, name) for line, name in enumerate(languages, 2) if name in no_words)
        remedy = "write its name or code in letters, as in Czech or cs"
        raise file.error(f"'{name[:40]}' is not the name of a language", line=line, remedy=remedy)


def _check_numbers(name: str, numbers: Sequence[str], file: TextFile) -> None:
    """Raise a `DataError` for the first cell of a column that is neither a whole number from 0 nor -1."""
    wrong = {number for number in set(numbers) if not ((number.isascii() and number.isdigit()) or number == "-1")}
    if wrong:
        line, number = next((line, number) for line, number in enumerate(numbers, 2) if number in wrong)
        what = f"'{number[:40]}' in column {name} is neither a whole number from 0 nor -1"
        raise file.error(
            what, line=line, remedy="write digits only, or -1 if there is none; check the order of columns"
        )


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


def _plain_names(names: Sequence[str], pairs: Sequence[str]) -> list[str]:
    plain = {both: plain_system(*both) for both in set(zip(names, pairs, strict=True))}
    return [plain[both] for both in zip(names, pairs, strict=True)]


def _ranks(texts: Sequence[str], systems: Sequence[str], file: TextFile) -> IntArray:
    ranks = np.fromiter((_RANKS.get(text, _NO_RANK) for text in texts), np.int64, len(texts))
    wrong = np.flatnonzero(ranks == _NO_RANK)
    if len(wrong):
        what = f"rank '{texts[wrong[0]]}' of '{systems[wrong[0]]}' is neither 1 to 5 nor -1"
        raise file.error(what, line=int(wrong[0]) + 2, remedy="1 is best, -1 means not judged")
    return ranks


def _check_named(file: TextFile, systems: Sequence[Sequence[str]], ranks: IntArray) -> None:
    nameless = np.array([[not name.strip() for name in names] for names in systems]).T & (ranks > 0)
    if nameless.any():
        row, position = np.argwhere(nameless)[0]
        what = f"rank {ranks[row, position]} without a system in system{position + 1}Id"
        raise file.error(what, line=int(row) + 2, remedy="name the system, or write rank -1")


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
