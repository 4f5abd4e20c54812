"""One reader of tables: the layout is data, and an error names file, line, column, what was found and what to do.

A table is text with columns, JSON lines, or Parquet; or many files whose names say what their lines are about.
"""

from __future__ import annotations

import csv
import hashlib
import json
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Literal, TypeVar

import attrs
import numpy as np
from attrs import frozen

from qeframe.core.batch import FloatArray, IntArray
from qeframe.core.errors import DataError
from qeframe.core.reading import TextFile, UnitValues
from qeframe.core.task import PAIR, Dropped, Input
from qeframe.data.columns import Columns, FrameColumns
from qeframe.data.file_bytes import status_of, unreadable
from qeframe.data.folders import visible
from qeframe.data.text_lines import (
    input_of,
    parse_numbers,
    plain_numbers,
    read_text_lines,
    refuse_marks,
    split_columns,
    split_line,
)

ABSENT = ("", "None", "NaN", "nan", "null", "NA")
"""The cells that say that there is no value."""

Separator = Literal["", "tab", "comma", "semicolon", "blanks"]
_SEPARATORS: Mapping[str, str | None] = {"tab": "\t", "comma": ",", "semicolon": ";", "blanks": None}
_FIELD = re.compile(r"\{(\w+)\}")


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
    row. `lines` (rows,): its line.
    """

    place: str
    files: tuple[TextFile, ...]
    cells: Mapping[str, Sequence[Any]]
    lines: IntArray
    of_file: IntArray
    absent: frozenset[str] = frozenset(ABSENT)
    index: None = None

    @property
    def names(self) -> list[str]:
        """The names of the columns."""
        return list(self.cells)

    def __len__(self) -> int:
        return len(self.lines)

    def is_numeric(self, name: str) -> bool:
        """Return whether the first value of a column is a number; a later one that is none is refused at its line."""
        first = next((cell for cell in self.cells[name] if cell is not None and cell not in self.absent), "0")
        return plain_numbers([first]) is not None

    def labels(self, name: str) -> Any:
        """Return a column of labels."""
        labels = self.cells[name]
        empty = next((row for row, label in enumerate(labels) if not label), None)
        if empty is not None:
            raise self.error(f"the {name} is empty", empty, "give every row a label")
        if any(file.marked for file in self.files) and any("\ufeff" in str(label) for label in labels):
            row = next(row for row, label in enumerate(labels) if "\ufeff" in str(label))
            raise self.error(f"a byte-order mark (U+FEFF) in the {name}", row, "remove it")
        return np.array(labels, dtype=np.str_)

    def numbers(self, name: str) -> FloatArray:
        """Return a column of numbers, NaN where one is missing."""
        texts = self.cells[name]
        if not self.absent.intersection(texts) and None not in texts and (plain := plain_numbers(texts)) is not None:
            return plain
        texts = self.values(name)
        present = [row for row, text in enumerate(texts) if text is not None]
        numbers = np.full(len(texts), np.nan)
        given = [texts[row] for row in present]
        try:
            numbers[present] = parse_numbers(given, self.files[0])
        except DataError as error:
            row = present[(error.line or 1) - 1]
            raise self.error(f"the {name} {error.what}", row, error.remedy) from None
        return numbers

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
        return [None if cell in self.absent else cell for cell in self.cells[name]]

    def take(self, rows: IntArray) -> TableColumns:
        """Return some rows."""
        cells = {name: _at(column, rows) for name, column in self.cells.items()}
        return attrs.evolve(self, cells=cells, lines=self.lines[rows], of_file=self.of_file[rows])

    def having(self, name: str, labels: Any) -> TableColumns:
        """Return the columns with one more, of labels or of what was read."""
        return attrs.evolve(self, cells={**self.cells, name: labels})

    def error(self, what: str, row: int | None = None, remedy: str = "") -> DataError:
        """Return an error at the line of a row."""
        if row is None:
            return DataError(what, path=self.place, remedy=remedy)
        return self.files[int(self.of_file[row])].error(what, line=int(self.lines[row]), remedy=remedy)


def _at(column: Any, rows: IntArray) -> Sequence[Any]:
    """Return some cells of a column: of an array, or of a column that can take them itself, as such."""
    return column.take(rows) if hasattr(column, "take") else [column[row] for row in rows.tolist()]


def columns_in(file: TextFile, layout: Layout) -> TableColumns:
    """Return the columns of a file of text or of JSON lines.

    Raises DataError for a line with another number of columns than the first, two columns of one name, and a file
    without rows.
    """
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
    lines = np.arange(skip + 1, len(file.lines) + 1)
    if len(names) == 1:
        columns = [list(file.lines[skip:])]
    elif separator in (",", ";") and any('"' in line for line in file.lines[skip:]):
        columns, lines = _quoted(file, names, separator, skip)
    else:
        columns = split_columns(file, names, separator=separator, skip=skip)
    cells = {name: _stripped(column) for name, column in zip(names, columns, strict=True) if name != "-"}
    return _table(file, cells, lines, layout)


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
        raise file.error(f"two columns are named '{twice}'", line=line, remedy=remedy)
    if (given := file.lines[line - 1]) in file.lines[line:]:
        what = f"the names of the columns again, as on line {line}: two tables were joined"
        again = file.lines.index(given, line) + 1
        raise file.error(what, line=again, remedy="give one table, or remove the line if all records are of one task")


def _stripped(cells: list[str]) -> list[str]:
    joined = "".join(cells)
    return [cell.strip(" \t") for cell in cells] if " " in joined or "\t" in joined else cells


def names_in(file: TextFile, layout: Layout) -> tuple[str, ...]:
    """Return the names of the columns: those of the layout, or those that the first line after its header has."""
    first = file.lines[min(layout.header, len(file.lines) - 1)]
    return layout.columns or tuple(cell.strip() for cell in _cells_of_line(first, _separator(file, layout)))


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


def _cells_of_line(line: str, separator: str | None) -> list[str]:
    if separator in (",", ";") and '"' in line:
        return next(csv.reader([line], delimiter=separator))
    return split_line(line, separator)


def _quoted(file: TextFile, names: Sequence[str], separator: str, skip: int) -> tuple[list[list[str]], IntArray]:
    """Return the columns of a table with quotes, in which line ends are texts too, and the lines of its rows."""
    rows, lines = list[list[str]](), list[int]()
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
            return [list(column) for column in zip(*rows, strict=True)], np.array(lines)
        if len(row) != len(names):
            what = f"{len(row)} columns instead of {len(names)} ({' '.join(names)})"
            raise file.error(what, line=line, remedy="repair or remove the line")
        rows.append(row)
        lines.append(line)


def _of_json_lines(file: TextFile, layout: Layout) -> TableColumns:
    """Return the columns of objects, one a line: null and a key that is not there are missing."""
    rows = []
    for line, text in enumerate(file.lines, 1):
        try:
            row = json.loads(text, parse_constant=str, parse_float=str, parse_int=str)
        except (ValueError, RecursionError) as error:
            raise file.error(f"not JSON: {error}", line=line, remedy="give one object a line") from None
        if not isinstance(row, dict):
            raise file.error("not an object of JSON", line=line, remedy='a line is {"NAME": VALUE, ...}')
        rows.append(row)
    cells = {}
    for name in dict.fromkeys(name for row in rows for name in row):
        cells[name] = [_scalar(row.get(name), name, file, line) for line, row in enumerate(rows, 1)]
    return _table(file, cells, np.arange(1, len(rows) + 1), layout)


def _scalar(value: Any, name: str, file: TextFile, line: int) -> str | None:
    if isinstance(value, list) and all(isinstance(word, str) for word in value):
        return " ".join(value)
    if isinstance(value, (dict, list)):
        raise file.error(f"the {name} is no single value", line=line, remedy="give a number or a text")
    return value if value is None or isinstance(value, str) else json.dumps(value)


def read_table(path: Path, layout: Layout) -> tuple[Columns, tuple[Input, ...], tuple[Dropped, ...]]:
    """Read a table at a path: a file, or a folder of files whose names ``layout.files`` describes.

    Returns
    -------
    columns : Columns
    inputs : tuple of Input
        The files.
    dropped : tuple of Dropped
        Files of the folder that have other names, counted.

    Raises
    ------
    DataError
        For a file that cannot be read or is no table, and a folder without a file of that name.
    """
    if layout.files:
        return _read_files(path, layout)
    if path.suffix == ".parquet":
        status_of(path)
        try:
            stored = path.read_bytes()
        except OSError as error:
            raise unreadable(path, error) from error
        return _of_parquet(path), (Input(path.name, hashlib.sha256(stored).hexdigest()),), ()
    file = read_text_lines(path, pipe=True, texts=True, packed=True)
    return columns_in(file, layout), (input_of(file, path),), ()


def _of_parquet(path: Path) -> FrameColumns:
    library = next((name for name in ("pyarrow", "polars") if find_spec(name) is not None), None)
    if library is None:
        raise DataError("a Parquet file needs pyarrow or polars", path=path, remedy='pip install "pyarrow"')
    import narwhals.stable.v2 as nw

    try:
        frame = nw.read_parquet(str(path), backend=library)  # type: ignore[arg-type]
    except Exception as error:
        reason = (str(error).splitlines() or [""])[0]
        raise DataError(f"cannot be read as Parquet: {reason}", path=path, remedy="write the file again") from None
    return FrameColumns.of(frame, str(path))


def _read_files(folder: Path, layout: Layout) -> tuple[TableColumns, tuple[Input, ...], tuple[Dropped, ...]]:
    found, others = list[tuple[Path, Mapping[str, str]]](), list[str]()
    named = _pattern(layout.files)
    for path in _files_below(folder):
        match = named.fullmatch(path.relative_to(folder).as_posix())
        if match is None:
            others.append(path.relative_to(folder).as_posix())
        else:
            found.append((path, match.groupdict()))
    if not found:
        what = f"no file has a name like {layout.files}; it has {_some(others) or 'none'}"
        raise DataError(what, path=folder, remedy="set files to the names: {submission}.{pair}.txt")
    tables = []
    for path, stated in found:
        file = read_text_lines(path, texts=True, packed=True)
        table = columns_in(file, attrs.evolve(layout, columns=layout.columns or _columns_of_lines(file, layout)))
        for name, label in stated.items():
            table = table.having(name, [label] * len(table))
        tables.append(table)
    names = tables[0].names
    for table in tables:
        if table.names != names:
            what = f"its columns are {', '.join(table.names)}, those of {tables[0].place} {', '.join(names)}"
            raise DataError(what, path=table.place, remedy="write all files alike")
    whole = TableColumns(
        place=str(folder),
        files=tuple(table.files[0] for table in tables),
        cells={name: [cell for table in tables for cell in table.cells[name]] for name in names},
        lines=np.concatenate([table.lines for table in tables]),
        of_file=np.repeat(np.arange(len(tables)), [len(table) for table in tables]),
        absent=frozenset(layout.absent),
    )
    reason = f"their names are not like {layout.files}: {_some(others)}"
    dropped = (Dropped("", "file", len(others), reason),) if others else ()
    return whole, tuple(input_of(file, folder) for file in whole.files), dropped


def _files_below(folder: Path) -> Iterator[Path]:
    for path in visible(folder):
        if path.is_dir():
            yield from _files_below(path)
        else:
            yield path


def _pattern(files: str) -> re.Pattern[str]:
    """Return the expression of a pattern of names: a pair is a language pair, other words are anything but a slash."""
    words = _FIELD.findall(files)
    if not words or len(set(words)) < len(words):
        raise DataError(
            f"files = '{files}' has no word in braces, or one twice", remedy="write {submission}.{pair}.txt"
        )
    pieces = _FIELD.split(files)
    expression = "".join(
        f"(?P<{piece}>{PAIR.pattern + '(?:_[A-Za-z]+)?' if piece == 'pair' else '[^/]+'})"
        if nth % 2
        else re.escape(piece)
        for nth, piece in enumerate(pieces)
    )
    return re.compile(expression)


def _columns_of_lines(file: TextFile, layout: Layout) -> tuple[str, ...]:
    """Return the columns of lines without names: one is the score, two are unit and score; none if they have names."""
    first = _cells_of_line(file.lines[min(layout.header, len(file.lines) - 1)], _separator(file, layout))
    last = first[-1] if first else ""
    if last not in layout.absent and plain_numbers([last]) is None:
        return ()
    known = {0: ("score",), 1: ("score",), 2: ("unit", "score")}
    if len(first) not in known:
        what = f"{len(first)} columns without names"
        raise file.error(what, line=layout.header + 1, remedy="set names=[unit, score], one name for each, - for none")
    return known[len(first)]


def _some(names: Sequence[str]) -> str:
    return ", ".join(names[:5]) + (f" and {len(names) - 5} more" if len(names) > 5 else "")
