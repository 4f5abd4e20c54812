"""The source of a path: Parquet by its first bytes, else lines of text."""

from __future__ import annotations

from os import PathLike, fspath
from pathlib import Path
from typing import Any

from qeframe.core.batches.base import Batch
from qeframe.core.errors import DataError
from qeframe.data.file_bytes import status_of, unreadable
from qeframe.kinds.registered import find_kind
from qeframe.kinds.scores.batch import Values
from qeframe.streaming.sources.lines import LineSource
from qeframe.streaming.sources.parquet import ParquetSource
from qeframe.streaming.sources.source import ArraySource, Source

_PARQUET, _COLUMN = b"PAR1", "::"


def open_source(kind: type[Batch], given: str | PathLike[str] | Any, name: str) -> Source:
    """Return one side of a corpus as a source.

    Parameters
    ----------
    kind : type
        The kind of batch that it is a side of.
    given : path, or array of numbers
        A path of a Parquet file may end with ``::COLUMN``.
    name : str
        What messages call an array.

    Raises
    ------
    DataError
        If there is no such file, or the kind of batch cannot be read in parts.
    """
    if not isinstance(given, (str, PathLike)):
        _check_numbers(kind, name)
        return ArraySource(name, given)
    path, column = _split(fspath(given))
    registered = find_kind(kind)
    plain = None if registered is None else registered.plain_format
    if plain is None or plain.in_parts is None:
        what = f"plain files of {kind.__name__} cannot be read in chunks"
        raise DataError(what, path=path, remedy="read them as a whole, by 'qeframe score' and 'qeframe compare'")
    if column or _is_parquet(Path(path)):
        _check_numbers(kind, path)
        return ParquetSource(path, column)
    return LineSource(path, plain)


def _split(path: str) -> tuple[str, str]:
    """Return the path of a file and the column that is named after it; a file of the whole name has precedence."""
    file, mark, column = path.rpartition(_COLUMN)
    return (path, "") if not (mark and file and column) or Path(path).exists() else (file, column)


def _is_parquet(path: Path) -> bool:
    status_of(path)
    try:
        with open(path, "rb") as stream:
            return stream.read(len(_PARQUET)) == _PARQUET
    except OSError as error:
        raise unreadable(path, error) from error


def _check_numbers(kind: type[Batch], where: str) -> None:
    if not issubclass(kind, Values):
        remedy = "give a plain file of lines"
        raise DataError(f"{where}: a batch of {kind.__name__} does not hold one number a unit", remedy=remedy)
