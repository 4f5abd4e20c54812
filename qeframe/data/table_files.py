"""Tables at a path: a file of text, JSON lines or Parquet, or many files whose names say what their lines are about."""

from __future__ import annotations

import hashlib
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from importlib.util import find_spec
from pathlib import Path

import attrs
import numpy as np

from qeframe.core.errors import DataError
from qeframe.core.task import PAIR, Dropped, Input
from qeframe.data.columns import Columns, FrameColumns
from qeframe.data.file_bytes import status_of, unreadable
from qeframe.data.folders import visible
from qeframe.data.reading import TextFile
from qeframe.data.tables import Layout, TableColumns, cells_of_line, rows_in
from qeframe.data.text_lines import input_of, plain_numbers, read_text_lines

_FIELD = re.compile(r"\{(\w+)\}")


def read_table(path: Path, layout: Layout) -> tuple[Columns, tuple[Input, ...], tuple[Dropped, ...]]:
    """Read a table at a path: a file, or a folder of files whose names ``layout.files`` describes.

    Returns
    -------
    columns : Columns
    inputs : tuple of Input
        The files.
    dropped : tuple of Dropped
        Files of the folder that have other names, counted.

    The columns refuse lines that are no rows where they are first asked for values, or by `refuse_wrong` with others.

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
    return rows_in(file, layout), (input_of(file, path),), ()


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
    for path in _files_below(folder, folder, named):
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
        table = rows_in(file, attrs.evolve(layout, columns=layout.columns or _columns_of_lines(file, layout)))
        for name, label in stated.items():
            table = table.having(name, [label] * len(table))
        tables.append(table)
    names, _ = Counter(tuple(table.names) for table in tables).most_common(1)[0]
    for table in tables:
        if table.names != [*names]:
            what = f"the columns are {', '.join(table.names)}, those of most files {', '.join(names)}"
            raise table.files[0].error(what, line=layout.header + 1, remedy="write all files alike")
    whole = TableColumns(
        place=str(folder),
        files=tuple(table.files[0] for table in tables),
        cells={name: [cell for table in tables for cell in table.cells[name]] for name in names},
        lines=np.concatenate([table.lines for table in tables]),
        of_file=np.repeat(np.arange(len(tables)), [len(table) for table in tables]),
        absent=frozenset(layout.absent),
        wrong=tuple(error for table in tables for error in table.wrong),
    )
    reason = f"their names are not like {layout.files}: {_some(others)}"
    dropped = (Dropped("", "file", len(others), reason),) if others else ()
    return whole, tuple(input_of(file, folder) for file in whole.files), dropped


def _files_below(folder: Path, root: Path, named: re.Pattern[str]) -> Iterator[Path]:
    """Yield the files below a folder, and a folder in the place of one."""
    for path in visible(folder):
        if path.is_dir() and not named.fullmatch(path.relative_to(root).as_posix()):
            yield from _files_below(path, root, named)
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
    first = cells_of_line(file, layout)
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
