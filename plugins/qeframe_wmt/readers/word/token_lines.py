"""Files of tokens: the words that the tags of the gold belong to, and their comparison with those of a submission."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain
from pathlib import Path
from typing import Literal

import numpy as np
from attrs import frozen

from qeframe.plugin import DataError, IntArray, Ragged
from qeframe.plugin.calls import counted
from qeframe.plugin.readers import Submitted, TaskFolder, TextFile, UnitValues, check_lengths, has_file, read_text_lines
from qeframe_wmt.formats.tab_columns import TextColumn

Compare = Literal["exact", "case_insensitive", "no"]  # how the words of gold and submission are compared


@frozen(eq=False)
class WordTags:
    """The tags of gold or submission, and the words that they belong to: one a tag, sentence after sentence."""

    tags: UnitValues
    words: Sequence[str]
    lines: IntArray  # the line of every word in `path`
    path: str = ""  # the file of the words, if it is not the file of the tags


def find_tokens(task: TaskFolder, name: str, usual: str) -> TextFile | None:
    """Return the file of tokens beside the gold.

    A file of this name must exist. Without a name, one of the usual name may be missing; that is empty if there is
    none.
    """
    if name and Path(name).name != name:
        raise DataError(f"tokens = '{name}' must be the name of a file", remedy=f"put the file into {task.path}")
    path = task.path / (name or usual)
    return read_text_lines(path, texts=True) if name or (usual and has_file(path)) else None


def with_tokens(gold: UnitValues, file: TextFile) -> WordTags:
    """Return the gold with its tokens, one sentence a line."""
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
            remedy = "the gold has 2N+1 tags for N words and their gaps: give the tags of the words, one a token"
        raise file.error(what, line=line, remedy=remedy)
    return WordTags(
        gold, list(chain.from_iterable(rows)), np.repeat(np.arange(1, len(rows) + 1), counts), str(file.path)
    )


def check_words(gold: WordTags, answer: WordTags, compare: Compare) -> None:
    """Check that the words of a submission are those of the gold; sentences of both have equal numbers of tags."""
    if compare == "no":
        return
    if np.array_equal(gold.tags.ids, answer.tags.ids) and _spell_the_same(gold.words, answer.words):
        return
    _, ours, theirs = np.intersect1d(gold.tags.ids, answer.tags.ids, return_indices=True)
    theirs, ours = np.sort(theirs), ours[np.argsort(theirs)]
    in_gold, in_answer = _positions(gold, ours), _positions(answer, theirs)
    expected, given = _words_at(gold, in_gold, compare), _words_at(answer, in_answer, compare)
    if expected == given:
        return
    first = next(i for i, (word, other) in enumerate(zip(given, expected, strict=True)) if word != other)
    given_at, expected_at = in_answer[first], in_gold[first]
    where = f"{gold.path or gold.tags.path}:{gold.lines[expected_at]}"
    raise DataError(
        f"word '{answer.words[given_at]}', but '{gold.words[expected_at]}' expected as in {where}",
        path=answer.tags.path,
        line=int(answer.lines[given_at]),
        remedy="tag the words of the gold, or set compare=case_insensitive or compare=no in the reader",
    )


def check_words_of_input(expected: Submitted, given: Submitted, compare: Compare) -> None:
    """Check that a submission has as many tags as the input in every sentence, of the same words.

    `Submitted.content` of both is their `WordTags`.
    """
    check_lengths(expected.answers, given.answers, remedy="give one line for each word of the input")
    check_words(expected.content, given.content, compare)


def _spell_the_same(expected: Sequence[str], words: Sequence[str]) -> bool:
    return words.spells(expected) if isinstance(words, TextColumn) else expected == words


def _positions(tagged: WordTags, sentences: IntArray) -> IntArray:
    """Return the positions of the words of the given sentences, in the order of the sentences."""
    offsets = tagged.tags.values.offsets
    return Ragged(np.arange(offsets[-1]), offsets).take(sentences).values


def _words_at(tagged: WordTags, positions: IntArray, compare: Compare) -> list[str]:
    words = list(map(tagged.words.__getitem__, positions.tolist()))
    return list(map(str.lower, words)) if compare == "case_insensitive" else words
