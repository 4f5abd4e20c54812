"""Tables of one word a line: from their columns to the tags of sentences, without a loop over lines."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from attrs import frozen

from qeframe.batch import IntArray
from qeframe.files import TextFile, split_columns
from qeframe.tags import BINARY, SPELLINGS, Tagged
from qeframe.task import Side
from qeframe_wmt.token_lines import Worded

__all__ = ["BINARY_CODES", "WordTable", "as_sentences", "columns_by_tab", "only_value"]

BINARY_CODES: Mapping[str, int] = {spelling: BINARY.index(name) for spelling, name in SPELLINGS.items()}
"""The class of every spelling of OK and BAD."""

_TAB, _LINE_END = b"\t\n"


@frozen(kw_only=True, eq=False)
class WordTable:
    """The columns of a table that has one word a line.

    Parameters
    ----------
    lines, sentences, indices : (words,) int64
        The line of every word, its sentence, its place in the sentence.
    words, tags : sequence of str
    """

    file: TextFile
    lines: IntArray
    sentences: IntArray
    indices: IntArray
    words: Sequence[str]
    tags: Sequence[str]


def columns_by_tab(file: TextFile, names: Sequence[str], *, skip: int = 0) -> list[list[str]]:
    """Split the lines of a file into columns by tabs, as `split_columns` does, in a few passes over all bytes.

    Raises
    ------
    DataError
        If there is no line, or one that has not exactly these columns.
    """
    text, width = "\n".join(file.lines[skip:]), len(names)
    content = np.frombuffer(text.encode() + b"\n", np.uint8)
    ends = content[(content == _TAB) | (content == _LINE_END)]
    shaped = len(ends) % width == 0 and len(file.lines) > skip
    if not (shaped and (ends.reshape(-1, width) == [*[_TAB] * (width - 1), _LINE_END]).all()):
        return split_columns(file, names, separator="\t", skip=skip)
    fields = text.replace("\n", "\t").split("\t")
    return [fields[column::width] for column in range(width)]


def only_value(column: Sequence[str], name: str, file: TextFile, *, skip: int = 0) -> str:
    """Return the value that a whole column has.

    Raises
    ------
    DataError
        At the first line that has another one.
    """
    if column.count(column[0]) != len(column):
        place = next(i for i, text in enumerate(column) if text != column[0])
        what = f"{name} '{column[place]}' after '{column[0]}'"
        raise file.error(what, line=place + skip + 1, remedy=f"a file is one submission and has one {name}")
    return column[0]


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
    side = Side(name=name, ids=table.sentences[starts], values=values, path=path, lines=table.lines[starts])
    return Worded(side, table.words, table.lines)


def _check_indices(table: WordTable, expected: IntArray) -> None:
    wrong = np.flatnonzero(table.indices != expected)
    if not len(wrong):
        return
    first = wrong[0]
    what = f"word index {table.indices[first]} in sentence {table.sentences[first]}, expected {expected[first]}"
    remedy = "number the words of a sentence 0, 1, 2 ..., one a line, all lines of a sentence together"
    raise table.file.error(what, line=int(table.lines[first]), remedy=remedy)


def _encoded(table: WordTable, codes: Mapping[str, int]) -> np.ndarray[tuple[int], np.dtype[np.int8]]:
    """Return the class of every tag, (words,)."""
    known = {tag: codes[tag.strip()] for tag in set(table.tags) if tag.strip() in codes}
    try:
        return np.frombuffer(bytes(map(known.__getitem__, table.tags)), np.int8)
    except KeyError:
        place = next(i for i, tag in enumerate(table.tags) if tag not in known)
        what = f"unknown tag '{table.tags[place]}' of word '{table.words[place]}'"
        raise table.file.error(what, line=int(table.lines[place]), remedy=f"the tags are {', '.join(codes)}") from None
