"""Columns by tabs as stretches of one array of bytes: a million words are checked and read without a loop over them."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import overload

import numpy as np
from attrs import define
from numpy.typing import NDArray

from qeframe.plugin import BoolArray, IntArray, TextFile, parse_ids, split_columns

__all__ = ["TextColumn", "columns_by_tab", "only_value", "whole_numbers"]

_TAB, _LINE_END = b"\t\n"
_MOST_DIGITS = 18


@define(eq=False, slots=False, frozen=True)
class TextColumn(Sequence[str]):
    """One column of a table: where its texts begin and end in the bytes of the file.

    Parameters
    ----------
    content : (bytes,) uint8
        Text in UTF-8, a tab or a line end behind every cell.
    starts, ends : (n,) int64
    """

    content: NDArray[np.uint8]
    starts: IntArray
    ends: IntArray

    def __len__(self) -> int:
        return len(self.starts)

    @overload
    def __getitem__(self, row: int) -> str: ...
    @overload
    def __getitem__(self, row: slice) -> TextColumn: ...
    def __getitem__(self, row: int | slice) -> str | TextColumn:
        if isinstance(row, slice):
            return TextColumn(self.content, self.starts[row], self.ends[row])
        return self.content[self.starts[row] : self.ends[row]].tobytes().decode()

    @cached_property
    def lengths(self) -> IntArray:
        """(n,) int64: the number of bytes of every text."""
        return self.ends - self.starts

    def take(self, rows: IntArray) -> TextColumn:
        """Return the given rows, in the given order."""
        return TextColumn(self.content, self.starts[rows], self.ends[rows])

    def equal_to(self, text: str) -> BoolArray:
        """Return which rows are a text, (n,)."""
        wanted = text.encode()
        rows = np.flatnonzero(self.lengths == len(wanted))
        for place, byte in enumerate(wanted):
            rows = rows[self.content[self.starts[rows] + place] == byte]
        same = np.zeros(len(self), np.bool_)
        same[rows] = True
        return same

    def spells(self, texts: Sequence[str]) -> bool:
        """Say whether these are the texts of all rows."""
        if len(texts) != len(self):
            return False
        room = self.lengths + 1
        shift = np.repeat(self.starts - (np.cumsum(room) - room), room)
        found = self.content[np.arange(len(shift)) + shift]
        found[found == _LINE_END] = _TAB
        return found.tobytes() == "".join(f"{text}\t" for text in texts).encode()


def columns_by_tab(file: TextFile, names: Sequence[str], *, skip: int = 0) -> list[TextColumn]:
    """Split the lines of a file into columns by tabs.

    Parameters
    ----------
    names : sequence of str
        What the columns are called, in order.
    skip : int
        How many lines at the start do not count.

    Raises
    ------
    DataError
        If there is no line, or one that has not exactly these columns.
    """
    width = len(names)
    content = np.frombuffer("\n".join((*file.lines[skip:], "")).encode(), np.uint8)
    is_line_end = content == _LINE_END
    ends = np.flatnonzero(is_line_end | (content == _TAB))
    last = ends[width - 1 :: width]
    rows = np.count_nonzero(is_line_end)
    if not (rows and len(ends) == rows * width and is_line_end[last].all()):
        split_columns(file, names, separator="\t", skip=skip)
    starts = np.concatenate([[0], ends[:-1] + 1])
    return [TextColumn(content, starts[column::width].copy(), ends[column::width].copy()) for column in range(width)]


def only_value(column: TextColumn, name: str, file: TextFile, *, skip: int = 0) -> str:
    """Return the text that a whole column has.

    Raises
    ------
    DataError
        At the first line that has another one.
    """
    other = np.flatnonzero(~column.equal_to(column[0]))
    if len(other):
        what = f"{name} '{column[int(other[0])]}' after '{column[0]}'"
        raise file.error(what, line=int(other[0]) + skip + 1, remedy=f"a file is one submission and has one {name}")
    return column[0]


def whole_numbers(column: TextColumn, file: TextFile, *, skip: int = 0) -> IntArray:
    """Read a column of whole numbers from 0, as `parse_ids` does.

    Raises
    ------
    DataError
        For the first text that is no such number, with its line.
    """
    longest = int(column.lengths.max())
    if not 1 <= column.lengths.min() <= longest <= _MOST_DIGITS:
        return parse_ids(list(column), file, skip=skip)
    numbers = np.zeros(len(column), np.int64)
    for place in range(longest):
        rows = np.flatnonzero(column.lengths > place)
        digits = column.content[column.ends[rows] - 1 - place] - np.uint8(ord("0"))
        if (digits > 9).any():
            return parse_ids(list(column), file, skip=skip)
        numbers[rows] += digits * np.int64(10**place)
    return numbers
