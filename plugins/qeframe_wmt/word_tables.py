"""Tables of one word a line: from their columns to the tags of sentences, without a loop over lines."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from attrs import field, frozen
from numpy.typing import NDArray

from qeframe.plugin import BINARY, SPELLINGS, IntArray, Side, Tagged, TextFile
from qeframe_wmt.tab_columns import TextColumn
from qeframe_wmt.token_lines import Worded

__all__ = ["BINARY_CODES", "WordTable", "as_sentences"]

BINARY_CODES: Mapping[str, int] = {spelling: BINARY.index(name) for spelling, name in SPELLINGS.items()}
"""The class of every spelling of OK and BAD."""


@frozen(kw_only=True, eq=False)
class WordTable:
    """The columns of a table that has one word a line.

    Parameters
    ----------
    lines, sentences, indices : (words,) int64
        The line of every word, its sentence, its place in the sentence.
    words, tags : sequence of str
    any_case : bool
        Whether tags are the same in upper and lower case.
    names : mapping of int to str
        What a sentence is called, by its number, where that is not the number itself.
    """

    file: TextFile
    lines: IntArray
    sentences: IntArray
    indices: IntArray
    words: Sequence[str]
    tags: Sequence[str]
    any_case: bool = False
    names: Mapping[int, str] = field(factory=dict)


def as_sentences(
    table: WordTable, name: str, *, classes: Sequence[str] = BINARY, codes: Mapping[str, int] = BINARY_CODES
) -> Worded:
    """Return the sentences of a table: consecutive lines of the same sentence, whose words are numbered from 0.

    Parameters
    ----------
    name : str
        "gold", or the name of the submission.
    codes : mapping of str to int
        The class of every tag.

    Raises
    ------
    DataError
        For the first word that is out of order, and for the first unknown tag.
    """
    starts = np.flatnonzero(np.diff(table.sentences, prepend=-1))
    lengths = np.diff(starts, append=len(table.sentences))
    _check_indices(table, np.arange(len(table.sentences)) - np.repeat(starts, lengths))
    values = Tagged(_encoded(table, codes), np.append(starts, len(table.sentences)), tuple(classes))
    path = str(table.file.path)
    ids, lines = table.sentences[starts], table.lines[starts]
    side = Side(name=name, ids=ids, values=values, path=path, lines=lines, names=table.names)
    return Worded(side, table.words, table.lines)


def _check_indices(table: WordTable, expected: IntArray) -> None:
    wrong = np.flatnonzero(table.indices != expected)
    if not len(wrong):
        return
    first = wrong[0]
    number = int(table.sentences[first])
    sentence = table.names.get(number, str(number))
    what = f"word index {table.indices[first]} in sentence {sentence}, expected {expected[first]}"
    remedy = "number the words of a sentence 0, 1, 2 ..., one a line, all lines of a sentence together"
    raise table.file.error(what, line=int(table.lines[first]), remedy=remedy)


def _encoded(table: WordTable, codes: Mapping[str, int]) -> NDArray[np.int8]:
    """Return the class of every tag, (words,)."""
    found = _looked_up(table.tags, codes) if isinstance(table.tags, TextColumn) else None
    if found is not None:
        return found
    fold = str.lower if table.any_case else str
    folded = {fold(tag): code for tag, code in codes.items()}
    known = {tag: folded[fold(tag.strip())] for tag in set(table.tags) if fold(tag.strip()) in folded}
    try:
        return np.frombuffer(bytes(map(known.__getitem__, table.tags)), np.int8)
    except KeyError:
        place = next(i for i, tag in enumerate(table.tags) if tag not in known)
        what = f"unknown tag '{table.tags[place]}' of word '{table.words[place]}'"
        remedy = f"the tags are {', '.join(codes)}"
        raise table.file.error(what, line=int(table.lines[place]), remedy=remedy) from None


def _looked_up(tags: TextColumn, codes: Mapping[str, int]) -> NDArray[np.int8] | None:
    """Return the class of every tag, None if one is none as it stands."""
    found = np.full(len(tags), -1, np.int8)
    for tag, code in codes.items():
        found[tags.equal_to(tag)] = code
    return None if (found < 0).any() else found
