"""One reader of tables: the layout is data, and an error names file, line, column, what was found and what to do.

A table is text with columns, JSON lines, or Parquet; or many files whose names say what their lines are about.
"""

from __future__ import annotations

import csv
import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from functools import partial
from itertools import islice
from pathlib import Path
from typing import Any, Literal, TypeVar

import attrs
import numpy as np
from attrs import field, frozen

from qeframe.core.batch import FloatArray, IntArray
from qeframe.core.errors import DataError
from qeframe.data.all_mistakes import refuse_all
from qeframe.data.reading import TextFile, UnitValues
from qeframe.data.text_lines import misshapen, parse_numbers, plain_numbers, refuse_marks, split_columns, split_line

ABSENT = ("", "None", "NaN", "nan", "null", "NA")
"""The cells that say that there is no value."""

_FIRST_CELLS = 100
"""So many cells tell whether a column is of numbers."""

Separator = Literal["", "tab", "comma", "semicolon", "blanks"]
_SEPARATORS: Mapping[str, str | None] = {"tab": "\t", "comma": ",", "semicolon": ";", "blanks": None}


@frozen(kw_only=True)
class Layout:
    """How tables are written.

    `columns`: the names of the columns in order, "-" for one without use. Empty: the first line has them.
    `separator`: empty: a tab, a comma or a semicolon, the first of these in the first line, otherwise blanks.
    `header`: how many lines precede the table, or its names.
    `absent`: the cells that say that there is no value; any other text that is no number is an error.
    `files`: the names of the files in a folder, such as ``{submission}.{pair}.txt``: each word in braces is a column.
    `verbatim`: whether the columns are those of a shared task: their cells are kept as they are, with blanks around.
    """

    columns: tuple[str, ...] = ()
    separator: Separator = ""
    header: int = 0
    absent: tuple[str, ...] = ABSENT
    files: str = ""
    verbatim: bool = False


T = TypeVar("T")


@frozen(eq=False, kw_only=True)
class TableColumns:
    """The columns of a table in files; None and absent texts are missing.

    `place`: the path of the file, or of the folder of several. `of_file` (rows,): the position of the file of every
    row. `lines` (rows,): its line. `wrong`: the errors of lines that are no rows, which are refused where a value is
    asked for.
    """

    place: str
    files: tuple[TextFile, ...]
    cells: Mapping[str, Sequence[Any]]
    lines: IntArray
    of_file: IntArray
    absent: frozenset[str] = frozenset(ABSENT)
    wrong: tuple[DataError, ...] = ()
    index: None = None
    _of_name: dict[str, tuple[FloatArray, list[DataError]]] = field(factory=dict)  # what was parsed, of all rows

    @property
    def names(self) -> list[str]:
        """The names of the columns."""
        return list(self.cells)

    def __len__(self) -> int:
        return len(self.lines)

    def is_numeric(self, name: str) -> bool:
        """Return whether a column is meant to have numbers: a quarter of its first cells have one, or none has a text.

        A cell of it that is no number is refused at its line.
        """
        first = list(islice((cell for cell in self.cells[name] if not self._lacks(cell)), _FIRST_CELLS))
        return 4 * sum(plain_numbers([cell]) is not None for cell in first) >= len(first)

    def labels(self, name: str) -> Any:
        """Return a column of labels."""
        self.refuse_wrong(labels=[name])
        return np.array(self.cells[name], dtype=np.str_)

    def numbers(self, name: str) -> FloatArray:
        """Return a column of numbers, NaN where one is missing."""
        self.refuse_wrong(numbers=[name])
        return self._parsed(name)[0]

    def refuse_wrong(self, labels: Iterable[str] = (), numbers: Iterable[str] = ()) -> None:
        """Raise an error for all cells of some columns that are no labels or no numbers, and lines that are no rows."""
        of_labels = (error for name in labels for error in self._wrong_labels(name))
        of_numbers = (error for name in numbers for error in self._parsed(name)[1])
        refuse_all(Path(self.place), [*self.wrong, *of_labels, *of_numbers])

    def _wrong_labels(self, name: str) -> Iterator[DataError]:
        """Yield the errors of the cells of a column that are no labels."""
        cells = self.cells[name]
        if all(cells) and not any(file.marked for file in self.files):
            return
        for row, label in enumerate(cells):
            if not label:
                yield self._at(f"the {name} is empty", row, "give every row a label")
            elif "\ufeff" in str(label):
                yield self._at(f"a byte-order mark (U+FEFF) in the {name}", row, "remove it")

    def _parsed(self, name: str) -> tuple[FloatArray, list[DataError]]:
        """Return a column of numbers, NaN where there is none, and the errors of the cells that are no numbers."""
        if name not in self._of_name:
            cells, errors = self.cells[name], list[DataError]()
            has_all = None not in cells and not self.absent.intersection(cells)
            present = np.arange(len(cells)) if has_all else np.array([not self._lacks(c) for c in cells]).nonzero()[0]
            given, numbers = cells if has_all else _at(cells, present), np.full(len(cells), np.nan)
            if (plain := plain_numbers(given)) is not None:
                numbers[present] = plain
            for row, cell in zip(present.tolist(), given, strict=True) if plain is None else ():
                try:
                    numbers[row] = parse_numbers([cell], self.files[0])[0]
                except DataError as error:
                    what = f"is {error.what}" if error.what.startswith("an ") else error.what
                    errors.append(self._at(f"the {name} {what}", row, error.remedy))
            self._of_name[name] = numbers, errors
        return self._of_name[name]

    def _lacks(self, cell: str | None) -> bool:
        return cell is None or cell in self.absent

    def read(self, name: str, parse: Callable[[Sequence[Any], TextFile], T]) -> T:
        """Return what a function of the cells and the file makes of a column; its error gets the line of the row."""
        try:
            return parse(self.cells[name], self.files[0])
        except DataError as error:
            row = None if error.line is None else error.line - 1
            raise self.error(error.what, row, error.remedy) from None

    def refuse_marks(self, name: str) -> None:
        """Raise a `DataError` for the first byte-order mark in a column."""
        self.read(name, lambda cells, file: refuse_marks(file, cells, name))

    def only(self, name: str) -> str:
        """Return the text that all cells of a column have."""
        self.refuse_marks(name)
        column = self.cells[name]
        text: str = column[0]
        if column.count(text) < len(column):
            row, other = next((row, other) for row, other in enumerate(column) if other != text)
            raise self.error(f"{name} '{other}' after '{text}'", row, remedy=f"a file has one {name}")
        return text

    def side(self, name: str, ids: IntArray, values: Any, **more: Any) -> UnitValues:
        """Return the values of the rows of a file; `more` are further fields of `UnitValues`."""
        return UnitValues(name=name, ids=ids, values=values, path=str(self.files[0].path), lines=self.lines, **more)

    def values(self, name: str) -> list[Any]:
        """Return a column as it is, None where a cell is missing."""
        self.refuse_wrong()
        return [None if cell in self.absent else cell for cell in self.cells[name]]

    def take(self, rows: IntArray) -> TableColumns:
        """Return some rows."""
        cells = {name: _at(column, rows) for name, column in self.cells.items()}
        return attrs.evolve(self, cells=cells, lines=self.lines[rows], of_file=self.of_file[rows], of_name={})

    def having(self, name: str, labels: Any) -> TableColumns:
        """Return the columns with one more, of labels or of what was read."""
        return attrs.evolve(self, cells={**self.cells, name: labels})

    def error(self, what: str, row: int | None = None, remedy: str = "") -> DataError:
        """Return an error at the line of a row; of the whole table, unless lines of it are wrong, which are refused."""
        if row is None:
            self.refuse_wrong()
            return DataError(what, path=self.place, remedy=remedy)
        return self._at(what, row, remedy)

    def _at(self, what: str, row: int, remedy: str) -> DataError:
        return self.files[int(self.of_file[row])].error(what, line=int(self.lines[row]), remedy=remedy)


def _at(column: Any, rows: IntArray) -> Sequence[Any]:
    """Return some cells of a column: of an array, or of a column that can take them itself, as such."""
    return column.take(rows) if hasattr(column, "take") else [column[row] for row in rows.tolist()]


def columns_in(file: TextFile, layout: Layout) -> TableColumns:
    """Return the columns of a file of text or of JSON lines.

    Raises DataError for lines with another number of columns than the first, two columns of one name, and a file
    without rows.
    """
    table = rows_in(file, layout)
    table.refuse_wrong()
    return table


def rows_in(file: TextFile, layout: Layout) -> TableColumns:
    """Return the columns of a file as `columns_in`; lines that are no rows are refused when a value is asked for."""
    if layout.verbatim:
        fixed = split_columns(file, layout.columns, separator=_SEPARATORS[layout.separator], skip=layout.header)
        lines = np.arange(layout.header + 1, len(file.lines) + 1)
        return _table(file, dict(zip(layout.columns, fixed, strict=True)), lines, layout)
    if file.lines[0].startswith("{"):
        return _of_json_lines(file, layout)
    names, separator = names_in(file, layout), _separator(file, layout)
    skip, usual = layout.header, "begin the table with the names of its columns, or set names=[unit, score]"
    if not layout.columns and plain_numbers(names) is not None:
        line = min(skip + 1, len(file.lines))
        raise file.error(f"'{' '.join(names)[:40]}' names no columns", line=line, remedy=usual)
    if not layout.columns:
        check_names(file, names, (), usual, line=skip + 1)
        skip += 1
    if len(file.lines) <= skip:
        raise file.error("there is no row", line=len(file.lines), remedy=f"a row has {', '.join(names)}")
    columns, lines, wrong = _split_rows(file, names, separator, skip)
    cells = {name: _stripped(column) for name, column in zip(names, columns, strict=True) if name != "-"}
    return attrs.evolve(_table(file, cells, lines, layout), wrong=wrong)


def columns_by_name(file: TextFile, needed: Sequence[str], *, separator: str | None, remedy: str) -> TableColumns:
    """Return the columns of a file by the names in its first line, their cells as they are.

    A comment after the names, which begins with # and has no column below it, is no name. The file may have other
    columns than the needed ones. The separator is a tab, or None for any run of blanks and tabs. A later line that
    names the columns again is an error; `remedy` says what to do about a wrong first line.
    """
    names = [name.strip() for name in file.lines[0].split(separator)]
    has_comment = separator and names[-1].startswith("#") and len(file.lines) > 1
    if has_comment and len(file.lines[1].split(separator)) == len(names) - 1:
        names = names[:-1]
    check_names(file, names, needed, remedy)
    between: Separator = "tab" if separator else "blanks"
    return columns_in(file, Layout(columns=tuple(names), separator=between, header=1, verbatim=True))


def check_names(file: TextFile, names: Sequence[str], needed: Sequence[str], remedy: str, *, line: int = 1) -> None:
    """Raise a `DataError` if the names of columns on a line lack a needed one, or are there twice or again below."""
    refuse_marks(file, file.lines[line - 1 : line], "the names of columns", skip=line - 1)
    missing = [name for name in needed if name not in names]
    if missing:
        word = "column is" if len(missing) == 1 else "columns are"
        raise file.error(f"the {word} missing: {', '.join(missing)}", line=line, remedy=remedy)
    if len(set(names)) < len(names):
        twice = next(name for name in names if names.count(name) > 1)
        raise file.error(f"two columns are named '{twice}'", line=line, remedy="give every column a name of its own")
    if (given := file.lines[line - 1]) in file.lines[line:]:
        what = f"the names of the columns again, as on line {line}: two tables were joined"
        again = file.lines.index(given, line) + 1
        raise file.error(what, line=again, remedy="give one table, or remove the line if all records are of one task")


def _stripped(cells: list[str]) -> list[str]:
    joined = "".join(cells)
    return [cell.strip(" \t") for cell in cells] if " " in joined or "\t" in joined else cells


def names_in(file: TextFile, layout: Layout) -> tuple[str, ...]:
    """Return the names of the columns: those of the layout, or those that the first line after its header has."""
    return layout.columns or tuple(cell.strip() for cell in cells_of_line(file, layout))


def _table(file: TextFile, cells: Mapping[str, Sequence[str | None]], lines: IntArray, layout: Layout) -> TableColumns:
    return TableColumns(
        place=str(file.path),
        files=(file,),
        cells=cells,
        lines=lines,
        of_file=np.zeros(len(lines), np.int64),
        absent=frozenset(layout.absent),
    )


def _separator(file: TextFile, layout: Layout) -> str | None:
    if layout.separator:
        return _SEPARATORS[layout.separator]
    first = file.lines[min(layout.header, len(file.lines) - 1)]
    return next((mark for mark in ("\t", ",", ";") if mark in first), None)


def cells_of_line(file: TextFile, layout: Layout) -> list[str]:
    """Return the cells of the first line after the header of a layout."""
    line, separator = file.lines[min(layout.header, len(file.lines) - 1)], _separator(file, layout)
    if separator in (",", ";") and '"' in line:
        return next(csv.reader([line], delimiter=separator))
    return split_line(line, separator)


def _split_rows(
    file: TextFile, names: Sequence[str], separator: str | None, skip: int
) -> tuple[Sequence[list[str]], IntArray, tuple[DataError, ...]]:
    """Return the columns of a table, the lines of its rows, and the errors of lines that are none."""
    lines = file.lines[skip:]
    numbers = np.arange(skip + 1, len(file.lines) + 1)
    if len(names) == 1:
        return [list(lines)], numbers, ()
    is_quoted = separator in (",", ";") and any('"' in line for line in lines)
    if not is_quoted:
        with suppress(DataError):
            return split_columns(file, names, separator=separator, skip=skip), numbers, ()
    rows, of_rows, wrong = list[list[str]](), list[int](), list[DataError]()
    plain = zip(numbers.tolist(), (split_line(line, separator) for line in lines), strict=True)
    try:
        for line, row in _quoted(file, separator or ",", skip) if is_quoted else plain:
            if len(row) == len(names):
                rows.append(row)
                of_rows.append(line)
            else:
                wrong.append(misshapen(file, line, len(row), names, separator))
    except DataError as error:
        wrong.append(error)
    columns = [[row[nth] for row in rows] for nth in range(len(names))]
    return columns, np.array(of_rows, dtype=np.int64), tuple(wrong)


def _quoted(file: TextFile, separator: str, skip: int) -> Iterator[tuple[int, list[str]]]:
    """Yield the rows of a table with quotes, in which line ends are texts too, each with its first line."""
    reader = csv.reader((f"{line}\n" for line in file.lines[skip:]), delimiter=separator, strict=True)
    while True:
        line = skip + reader.line_num + 1
        try:
            row = next(reader, None)
        except csv.Error as error:
            raise file.error(
                f"quotes that do not fit: {error}", line=line, remedy='write a quote in quotes as ""'
            ) from None
        if row is None:
            return
        yield line, row


class _Number(str):
    """A number of JSON as it is written, which no list has: a list has the words of a text."""


def _of_json_lines(file: TextFile, layout: Layout) -> TableColumns:
    """Return the columns of objects, one a line: null and a key that is not there are missing."""
    rows, lines, wrong = list[Mapping[str, str | None]](), list[int](), list[DataError]()
    for line, text in enumerate(file.lines, 1):
        try:
            rows.append(_object(file, line, text))
            lines.append(line)
        except DataError as error:
            wrong.append(error)
    cells = {name: [row.get(name) for row in rows] for name in dict.fromkeys(name for row in rows for name in row)}
    return attrs.evolve(_table(file, cells, np.array(lines, dtype=np.int64), layout), wrong=tuple(wrong))


def _object(file: TextFile, line: int, text: str) -> dict[str, str | None]:
    try:
        row = json.loads(
            text,
            parse_constant=_Number,
            parse_float=_Number,
            parse_int=_Number,
            object_pairs_hook=partial(_once, file, line),
        )
    except DataError:
        raise
    except (ValueError, RecursionError) as error:
        raise file.error(f"not JSON: {error}", line=line, remedy="give one object a line") from None
    if not isinstance(row, dict):
        raise file.error("not an object of JSON", line=line, remedy='a line is {"NAME": VALUE, ...}')
    return {name: _scalar(value, name, file, line) for name, value in row.items()}


def _once(file: TextFile, line: int, pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """Return the pairs of an object; raise a `DataError` for a key that is there twice, of which Python takes one."""
    found = dict(pairs)
    if len(found) < len(pairs):
        name = next(key for nth, (key, _) in enumerate(pairs) if any(key == other for other, _ in pairs[:nth]))
        raise file.error(f"two values of '{name}'", line=line, remedy="give each key once")
    return found


def _scalar(value: Any, name: str, file: TextFile, line: int) -> str | None:
    if isinstance(value, list) and value and all(type(word) is str for word in value):
        return " ".join(value)
    if isinstance(value, (dict, list)):
        raise file.error(f"the {name} is no single value", line=line, remedy="give a number or a text")
    return value if value is None or isinstance(value, str) else json.dumps(value)
