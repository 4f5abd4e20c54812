"""Tables with the scores and the ranks of several METHODs, one column each: the format of 2012 to 2018."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

import numpy as np
from attrs import frozen

from qeframe.plugin import Best, DataError, FloatArray, IntArray, labels_to_index
from qeframe.plugin.calls import counted
from qeframe.plugin.readers import Dropped, TextFile, UnitValues, parse_ids, parse_numbers

Variant = Literal["score", "rank"]  # the column by which a submission is evaluated

_FEWEST_RANKED = 4  # fewer scores than these may be 1, 2, 3 by chance


@frozen(kw_only=True, eq=False)
class MethodColumn:
    """The columns of a table with the scores and the ranks of one or several METHODs, one entry a line."""

    file: TextFile
    methods: Sequence[str]
    ids: IntArray  # the segment of every line
    scores: Sequence[str]
    ranks: Sequence[str]
    skip: int = 0  # the number of lines of the file before the first of these


def submitted(
    column: MethodColumn, variant: Variant, *, task: str, best: Best, gold: UnitValues
) -> tuple[list[UnitValues], list[Dropped]]:
    """Return the submissions in a column, and the METHODs that did not submit this variant.

    A METHOD whose whole column is 0 did not submit it. Rank 1 is the best. Ranks are negated where a high gold value is
    good, so that they rise with the gold. Both columns are checked, also the one that is not evaluated. The gold has
    one value a segment: ranks are a permutation of 1 to the number of segments.
    """
    method_of, names = labels_to_index([method.strip() for method in column.methods])
    rows_of = {name: np.flatnonzero(method_of == number) for number, name in enumerate(names)}
    for name, rows in rows_of.items():
        _refuse_exchanged(column, name, rows)
    scores = parse_numbers(column.scores, column.file, skip=column.skip)
    ranks = parse_ids(column.ranks, column.file, skip=column.skip).astype(np.float64)
    submissions, dropped = [], []
    for name, rows in rows_of.items():
        lines, answers = rows + column.skip + 1, (ranks if variant == "rank" else scores)[rows]
        if not name:
            raise column.file.error("the METHOD has no name", line=int(lines[0]), remedy="name the submission")
        if ranks[rows].any():
            _check_gold(gold, ranks[rows], name, column.file)
            _check_ranks(ranks[rows], lines, column.file, len(gold.ids))
        if not answers.any():
            what = "ranking" if variant == "rank" else "scores"
            dropped.append(Dropped(task, "submission", 1, f"{name} submitted no {what}: its whole column is 0"))
            continue
        if variant == "rank" and best == "high":
            answers = -answers
        path = str(column.file.path)
        submissions.append(UnitValues(name=name, ids=column.ids[rows], values=answers, path=path, lines=lines))
    return submissions, dropped


def _refuse_exchanged(column: MethodColumn, name: str, rows: IntArray) -> None:
    """Raise a `DataError` if the scores of a METHOD are a ranking, and its ranks are none."""
    scores, ranks = ([texts[row] for row in rows] for texts in (column.scores, column.ranks))
    unranked = set(ranks) == {"0"}
    if not _is_ranking(scores) or _is_ranking(ranks) or (unranked and len(rows) < _FEWEST_RANKED):
        return
    what = f"the scores of {name} are the ranks 1 to {len(rows)}, and its ranks are {'0' if unranked else 'no ranking'}"
    readings = "either the columns are exchanged" + (" (a ranking without scores)" if unranked else "")
    remedy = f"{readings}: write METHOD SEGMENT SCORE RANK; or the scores are ranks by mistake: write scores, or 0"
    raise column.file.error(what, line=int(rows[0]) + column.skip + 1, remedy=remedy)


def _is_ranking(texts: Sequence[str]) -> bool:
    """Return whether texts are the numbers 1 to n, each once."""
    try:
        return sorted(map(float, texts)) == list(range(1, len(texts) + 1))
    except ValueError:
        return False


def _check_gold(gold: UnitValues, ranks: FloatArray, method: str, file: TextFile) -> None:
    """Raise a `DataError` that names the gold if a METHOD ranks more segments, each with a rank of its own."""
    units = len(gold.ids)
    if len(ranks) > units and np.array_equal(np.sort(ranks), np.arange(1, len(ranks) + 1)):
        what = f"{counted(units, 'segment')}, but {method} ranks {len(ranks)} in {file.path}"
        raise DataError(what, path=gold.path, remedy="give the gold of every segment")


def _check_ranks(ranks: FloatArray, lines: IntArray, file: TextFile, units: int) -> None:
    """Raise a `DataError` at the first rank that is out of range or repeated."""
    first_seen: dict[float, int] = {}
    remedy = f"ranks are a permutation of 1 to {units}; no ranking is 0 in every line"
    for rank, line in zip(ranks.tolist(), lines.tolist(), strict=True):
        if not 1 <= rank <= units:
            raise file.error(f"rank {rank:.0f} is not between 1 and {units}", line=line, remedy=remedy)
        if rank in first_seen:
            raise file.error(f"rank {rank:.0f} twice, first on line {first_seen[rank]}", line=line, remedy=remedy)
        first_seen[rank] = line
