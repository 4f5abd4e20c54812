"""Columns by tabs as slices of one array of bytes, without a loop over lines.

All tables share the refusal of files that were joined with themselves, means and lines of scores of which some are
missing, and groups of units by their length.
"""

from collections.abc import Sequence
from functools import cached_property
from typing import overload

import numpy as np
from attrs import define
from numpy.typing import NDArray

from qeframe.plugin import BoolArray, FloatArray, IntArray
from qeframe.plugin.readers import TextFile, parse_ids, refuse_marks, split_columns

_TAB, _LINE_END = b"\t\n"
_MOST_DIGITS = 18


@define(eq=False, slots=False, frozen=True)
class TextColumn(Sequence[str]):
    """One column of a table: the positions in the bytes of the file at which its texts begin and end."""

    content: NDArray[np.uint8]  # text in UTF-8, with a tab or a line end after every cell
    starts: IntArray
    ends: IntArray

    def __len__(self) -> int:
        return len(self.starts)

    @overload
    def __getitem__(self, row: int) -> str: ...
    @overload
    def __getitem__(self, row: slice) -> "TextColumn": ...
    def __getitem__(self, row: int | slice) -> "str | TextColumn":
        if isinstance(row, slice):
            return TextColumn(self.content, self.starts[row], self.ends[row])
        return self.content[self.starts[row] : self.ends[row]].tobytes().decode()

    @cached_property
    def lengths(self) -> IntArray:
        """(n,) int64: the number of bytes of every text."""
        return self.ends - self.starts

    def take(self, rows: IntArray) -> "TextColumn":
        """Return the given rows, in the given order."""
        return TextColumn(self.content, self.starts[rows], self.ends[rows])

    def equal_to(self, text: str) -> BoolArray:
        """Return which rows are equal to a text, (n,) bool."""
        wanted = text.encode()
        rows = np.flatnonzero(self.lengths == len(wanted))
        for position, byte in enumerate(wanted):
            rows = rows[self.content[self.starts[rows] + position] == byte]
        equal = np.zeros(len(self), np.bool_)
        equal[rows] = True
        return equal

    def spells(self, texts: Sequence[str]) -> bool:
        """Return whether these are the texts of all rows."""
        if len(texts) != len(self):
            return False
        with_end = self.lengths + 1
        shift = np.repeat(self.starts - (np.cumsum(with_end) - with_end), with_end)
        cells = self.content[np.arange(len(shift)) + shift]
        cells[cells == _LINE_END] = _TAB
        return cells.tobytes() == "\t".join((*texts, "")).encode()


def columns_by_tab(file: TextFile, names: Sequence[str], *, skip: int = 0) -> list[TextColumn]:
    """Split the lines of a file, without the first `skip`, into columns by tabs; a file without a line is an error."""
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


def only_text(column: Sequence[str], name: str, file: TextFile, *, skip: int = 0) -> str:
    """Return the text that all rows of a column have; row i is from line ``skip + i + 1``."""
    text = column[0]
    refuse_marks(file, [text], name, skip=skip)
    equal = column.equal_to(text).all() if isinstance(column, TextColumn) else column.count(text) == len(column)
    if not equal:
        row, other = next((row, other) for row, other in enumerate(column) if other != text)
        raise file.error(f"{name} '{other}' after '{text}'", line=row + skip + 1, remedy=f"a file has one {name}")
    return text


def check_pair_names(pairs: Sequence[str], file: TextFile, *, skip: int = 0) -> None:
    """Check that every row of a column names a language pair; row i is from line ``skip + i + 1``."""
    refuse_marks(file, pairs, "LP", skip=skip)
    row = next((row for row, pair in enumerate(pairs) if not pair.strip()), None)
    if row is not None:
        raise file.error("LP is empty", line=skip + row + 1, remedy="write the language pair, such as en-de")


def whole_numbers(column: TextColumn, file: TextFile, *, skip: int = 0) -> IntArray:
    """Read a column of whole numbers from 0, as `parse_ids` does."""
    longest = int(column.lengths.max())
    if not 1 <= column.lengths.min() <= longest <= _MOST_DIGITS:
        return parse_ids(list(column), file, skip=skip)
    numbers = np.zeros(len(column), np.int64)
    for position in range(longest):
        rows = np.flatnonzero(column.lengths > position)
        digits = column.content[column.ends[rows] - 1 - position] - np.uint8(ord("0"))
        if (digits > 9).any():
            return parse_ids(list(column), file, skip=skip)
        numbers[rows] += digits * np.int64(10**position)
    return numbers


_MOST_COPIES = 10


def refuse_repeated_lines(file: TextFile, *, header: int = 0) -> None:
    """Raise a `DataError` if the lines after the header are a block of different lines, several times.

    Single lines may well be equal: two judges may agree, and one error may be made twice.
    """
    records = file.lines[header:]
    for copies in range(2, _MOST_COPIES + 1):
        length, rest = divmod(len(records), copies)
        if rest or length < 2 or records[length] != records[0]:
            continue
        if records[length:] == records[:-length] and len(set(records[:length])) > 1:
            first, last = header + 1, header + length
            what = f"lines {last + 1} to {len(file.lines)} repeat lines {first} to {last}"
            raise file.error(what, line=last + 1, remedy="keep them once: the file was joined with itself")


def present_means(cells: FloatArray, present: BoolArray, otherwise: float | FloatArray = np.nan) -> FloatArray:
    """Return the mean of the present cells of each column, (columns,); `otherwise` for a column without any."""
    count = present.sum(axis=0)
    sums = np.where(present, cells, 0.0).sum(axis=0)
    filled = np.array(np.broadcast_to(otherwise, count.shape), dtype=np.float64)
    return np.divide(sums, count, out=filled, where=count > 0)


def score_lines(systems: Sequence[str], cells: FloatArray) -> str:
    """Return lines of SYSTEM and SCORE, system after system, None for NaN; `cells` are (rows, systems)."""
    return "".join(
        f"{system}\t{'None' if value != value else repr(value)}\n"
        for system, column in zip(systems, cells.T.tolist(), strict=True)
        for value in column
    )


_FIRST_LENGTHS = (1, 11, 21, 31)
_RANGES = np.array(["0", "1-10", "11-20", "21-30", "31+"])


def length_labels(lengths: IntArray) -> list[str]:
    """Return the label of the range of each length, in steps of ten: "0", "1-10", "11-20", "21-30", "31+"."""
    labels: list[str] = _RANGES[np.digitize(lengths, _FIRST_LENGTHS)].tolist()
    return labels
