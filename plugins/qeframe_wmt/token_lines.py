"""The words that tags belong to: read from a file of tokens, compared between gold and submission."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain
from pathlib import Path
from typing import Literal

import numpy as np
from attrs import frozen

from qeframe.plugin import DataError, IntArray, Ragged, Side, TextFile, counted, read_text_lines
from qeframe_wmt.folders import TaskFolder
from qeframe_wmt.tab_columns import TextColumn

__all__ = ["Compare", "Worded", "check_words", "find_tokens", "with_tokens"]

Compare = Literal["exact", "case_insensitive", "no"]
"""How the words of gold and submission are compared."""


@frozen(eq=False)
class Worded:
    """A side with the words that its tags belong to.

    Parameters
    ----------
    side : Side
    words : sequence of str
        One a tag, sentence after sentence.
    lines : (words,) int64
        The line of every word in `path`.
    path : str
        Where the words were read, if not where the tags were.
    """

    side: Side
    words: Sequence[str]
    lines: IntArray
    path: str = ""


def find_tokens(task: TaskFolder, name: str, usual: str) -> TextFile | None:
    """Return the file of tokens beside the gold.

    Parameters
    ----------
    name : str
        The name of the file, which must be there; empty: the usual name, where it may be missing.

    Raises
    ------
    DataError
        If `name` is not the name of a file in the task's folder.
    """
    if name and Path(name).name != name:
        raise DataError(f"tokens = '{name}' must be the name of a file", remedy=f"put the file into {task.path}")
    path = task.path / (name or usual)
    return read_text_lines(path) if name or (usual and path.exists()) else None


def with_tokens(gold: Side, file: TextFile) -> Worded:
    """Return the gold with its tokens, one sentence a line.

    Raises
    ------
    DataError
        If there are more or fewer lines than in the gold, or tokens in a line.
    """
    rows = [line.split() for line in file.lines]
    if len(rows) != len(gold.ids):
        what = f"{counted(len(rows), 'line')} for {counted(len(gold.ids), 'sentence')} in {gold.path}"
        raise file.error(what, line=min(len(rows), len(gold.ids) + 1), remedy="give the tokens of every sentence")
    counts = np.fromiter(map(len, rows), np.int64, len(rows))
    wrong = np.flatnonzero(counts != gold.values.lengths)
    if len(wrong):
        first, line = wrong[0], int(wrong[0]) + 1
        what = (
            f"{counted(counts[first], 'token')}, {gold.values.lengths[first]} expected: the tags in {gold.path}:{line}"
        )
        remedy = "give the tokens that were tagged"
        if (gold.values.lengths == 2 * counts + 1).all():
            remedy = "the gold has 2N+1 tags, of N words and their gaps: give those of the words, one a token"
        raise file.error(what, line=line, remedy=remedy)
    return Worded(gold, list(chain.from_iterable(rows)), np.repeat(np.arange(1, len(rows) + 1), counts), str(file.path))


def check_words(gold: Worded, answer: Worded, compare: Compare) -> None:
    """Raise a `DataError` at the first word of a submission that is another one in the gold.

    The sentences that both have must have as many tags on both sides.
    """
    if compare == "no":
        return
    if np.array_equal(gold.side.ids, answer.side.ids) and _spell_the_same(gold.words, answer.words):
        return
    _, ours, theirs = np.intersect1d(gold.side.ids, answer.side.ids, return_indices=True)
    theirs, ours = np.sort(theirs), ours[np.argsort(theirs)]
    expected_at, found_at = _places(gold, ours), _places(answer, theirs)
    expected, found = _picked(gold, expected_at, compare), _picked(answer, found_at, compare)
    if expected == found:
        return
    first = next(i for i, (word, other) in enumerate(zip(found, expected, strict=True)) if word != other)
    here, there = found_at[first], expected_at[first]
    where = f"{gold.path or gold.side.path}:{gold.lines[there]}"
    raise DataError(
        f"word '{answer.words[here]}', but '{gold.words[there]}' expected as in {where}",
        path=answer.side.path,
        line=int(answer.lines[here]),
        remedy="tag the words of the gold, or set compare=case_insensitive or compare=no in the reader",
    )


def _spell_the_same(expected: Sequence[str], found: Sequence[str]) -> bool:
    return found.spells(expected) if isinstance(found, TextColumn) else expected == found


def _places(worded: Worded, rows: IntArray) -> IntArray:
    """Return the positions of the words of some sentences, in the order of the sentences."""
    offsets = worded.side.values.offsets
    return Ragged(np.arange(offsets[-1]), offsets).take(rows).values


def _picked(worded: Worded, places: IntArray, compare: Compare) -> list[str]:
    words = list(map(worded.words.__getitem__, places.tolist()))
    return list(map(str.lower, words)) if compare == "case_insensitive" else words
