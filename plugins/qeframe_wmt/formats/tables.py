"""Columns by tabs as slices of one array of bytes, without a loop over lines.

All tables share the refusal of files that were joined with themselves, means and lines of scores of which some are
missing, and groups of units by their length.
"""

import csv
from collections.abc import Callable, Hashable, Iterable, Sequence
from functools import cached_property
from typing import TypeVar, overload

import numpy as np
from attrs import define
from numpy.typing import NDArray

from qeframe.plugin import BoolArray, DataError, FloatArray, IntArray
from qeframe.plugin.kinds import labels_to_index
from qeframe.plugin.readers import (
    Layout,
    Separator,
    TableColumns,
    TextFile,
    columns_in,
    parse_ids,
    parse_numbers,
    split_columns,
    split_line,
)

T = TypeVar("T")
_TAB, _LINE_END = b"\t\n"
_MOST_DIGITS = 18
MOST_LABELS = 500
"""Columns of up to so many different texts are compared as bytes, without making a string of every cell."""


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

    def count(self, value: object) -> int:
        """Return how many rows are equal to a text."""
        return int(self.equal_to(str(value)).sum())

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


def fixed_columns(
    file: TextFile, names: Sequence[str], *, header: int = 0, separator: Separator = "tab"
) -> TableColumns:
    """Return the columns of a file whose lines have these, after some header lines."""
    return columns_in(file, Layout(columns=tuple(names), separator=separator, header=header, verbatim=True))


def headed_columns(
    file: TextFile, names: Sequence[str], *, separator: Separator = "tab", what: str = ""
) -> TableColumns:
    """Return the columns of a file whose first line has exactly these names; `what` is said of another first line."""
    if tuple(split_line(file.lines[0], "\t" if separator == "tab" else None)) != tuple(names):
        between = ", by tabs" if separator == "tab" else ""
        remedy = f"write {' '.join(names)}{between}"
        raise file.error(what or "the first line is not the header", line=1, remedy=remedy)
    return fixed_columns(file, names, header=1, separator=separator)


def sliced_columns(file: TextFile, names: Sequence[str], *, header: int = 0) -> TableColumns:
    """Return the same as `fixed_columns` by tabs, each column a `TextColumn`: faster for texts that are never made."""
    cells = dict(zip(names, columns_by_tab(file, names, skip=header), strict=True))
    lines = np.arange(header + 1, len(file.lines) + 1)
    return TableColumns(
        place=str(file.path), files=(file,), cells=cells, lines=lines, of_file=np.zeros(len(lines), np.int64)
    )


def parse_scores(table: TableColumns, name: str, said: str, *, remedy: str) -> FloatArray:
    """Return a column of numbers; the error of a cell names the column, and says what follows the name."""
    try:
        return table.read(name, parse_numbers)
    except DataError as error:
        raise table.files[0].error(f"{name}{said}: {error.what}", line=error.line, remedy=remedy) from None


def refuse_cells(
    file: TextFile, cells: Sequence[str], is_right: Callable[[str], object], what: str, remedy: str, *, header: int = 1
) -> None:
    """Raise a `DataError` at the first cell of a column that is not right; `what` has a place for it in braces."""
    wrong = {cell for cell in set(cells) if not is_right(cell)}
    if wrong:
        line, cell = next((line, cell) for line, cell in enumerate(cells, header + 1) if cell in wrong)
        raise file.error(what.replace("{}", cell[:40]), line=line, remedy=remedy)


def map_rows(function: Callable[..., T], *columns: Sequence[str]) -> list[T]:
    """Return a function of the cells of every row, which is called once for equal rows."""
    of_row = {row: function(*row) for row in set(zip(*columns, strict=True))}
    return [of_row[row] for row in zip(*columns, strict=True)]


def csv_rows(file: TextFile, *, remedy: str) -> list[list[str]]:
    """Return the cells of every line of comma-separated values; `remedy` says what to do about a line end in a cell."""
    try:
        rows = list(csv.reader(file.lines, strict=True))
    except csv.Error as error:
        raise file.error(f"not comma-separated values: {error}", remedy="repair the quotes") from None
    if len(rows) != len(file.lines):
        raise file.error("a cell in quotes has a line end in it", remedy=remedy)
    return rows


def labels_of(column: Sequence[str]) -> tuple[IntArray, Sequence[str]]:
    """Return the position of the text of every row among the different texts, and these texts."""
    if not isinstance(column, TextColumn):
        return labels_to_index(column)
    position = np.full(len(column), -1, np.int64)
    texts: list[str] = []
    while len(rest := np.flatnonzero(position < 0)):
        if len(texts) == MOST_LABELS:
            return labels_to_index(list(column))
        texts.append(column[int(rest[0])])
        position[rest[column.take(rest).equal_to(texts[-1])]] = len(texts) - 1
    return position, texts


def pairs_in(table: TableColumns) -> list[tuple[str, IntArray]]:
    """Return each language pair in the column LP, in the order of its first row, and its rows."""
    table.refuse_marks("LP")
    of_row, pairs = labels_of(table.cells["LP"])
    rows = [np.flatnonzero(of_row == number) for number in range(len(pairs))]
    empty = next((of_pair for pair, of_pair in zip(pairs, rows, strict=True) if not pair.strip()), None)
    if empty is not None:
        raise table.error("LP is empty", int(empty[0]), remedy="write the language pair, such as en-de")
    return list(zip(pairs, rows, strict=True))


def whole_numbers(column: Sequence[str], file: TextFile) -> IntArray:
    """Read a column of whole numbers from 0, as `parse_ids` does; of a `TextColumn` without making the texts."""
    if not isinstance(column, TextColumn):
        return parse_ids(column, file)
    longest = int(column.lengths.max())
    if not 1 <= column.lengths.min() <= longest <= _MOST_DIGITS:
        return parse_ids(list(column), file)
    numbers = np.zeros(len(column), np.int64)
    for position in range(longest):
        rows = np.flatnonzero(column.lengths > position)
        digits = column.content[column.ends[rows] - 1 - position] - np.uint8(ord("0"))
        if (digits > 9).any():
            return parse_ids(list(column), file)
        numbers[rows] += digits * np.int64(10**position)
    return numbers


def first_repeat(keys: Iterable[Hashable]) -> tuple[int, int] | None:
    """Return the first row whose key an earlier row has, and that row; None if all keys differ."""
    seen: dict[Hashable, int] = {}
    return next(((row, seen[key]) for row, key in enumerate(keys) if seen.setdefault(key, row) != row), None)


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
