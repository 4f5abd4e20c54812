"""Sources by path: lines of text, plain or compressed with gzip, or Parquet, which its first bytes tell."""

import hashlib
import os
from collections.abc import Iterator, Sequence
from itertools import pairwise
from os import PathLike, fspath
from pathlib import Path
from typing import Any

import numpy as np
from attrs import define, field, frozen

from qeframe.core.batches.base import Batch, FloatArray
from qeframe.core.batches.ragged import freeze
from qeframe.core.components.batch_kind import LineParser, PlainFormat
from qeframe.core.errors import DataError
from qeframe.core.tasks.reading import UnitValues
from qeframe.core.tasks.task import Input
from qeframe.data.file_bytes import GZIP, chunks_of_bytes, status_of, unreadable
from qeframe.data.numbers import numbers_of_lines
from qeframe.data.text_lines import TextFile, refuse_marks
from qeframe.kinds.registered import find_kind
from qeframe.streaming.sources.parquet import ParquetSource
from qeframe.streaming.sources.source import ArraySource, Source, file_stamp

_MARK = b"\xef\xbb\xbf"
_OF_NUMBERS = b"0123456789.-+eE\n"


@frozen(eq=False)
class LineChunk(TextFile):
    """Some lines of a file. Its errors name the line of the file.

    `start`: how many lines precede.
    """

    start: int = field(default=0, kw_only=True)

    def error(self, what: str, *, line: int | None = None, remedy: str = "") -> DataError:
        """Return an error that names the file, and the line there."""
        return DataError(what, path=self.path, line=None if line is None else line + self.start, remedy=remedy)


def groups_of_lines(chunks: Iterator[bytes], lines: int) -> Iterator[bytes]:
    """Yield so many lines at a time, each with its line end; empty lines at the very end are left out.

    Nothing is yielded for a file of empty lines. The last line has a line end too, also if the file has none there.
    """
    tail = b""
    for chunk in chunks:
        tail += chunk
        ended = tail.rfind(b"\n", 0, len(tail.rstrip(b"\r\n"))) + 1  # what follows may be the last line, and empty ones
        ends = np.flatnonzero(np.frombuffer(tail, np.uint8, ended) == 10)[lines - 1 :: lines] + 1
        begun = 0
        for end in ends.tolist():
            yield tail[begun:end]
            begun = end
        tail = tail[begun:]
    tail = tail.replace(b"\r\n", b"\n").removesuffix(b"\r").rstrip(b"\n")
    if tail:
        yield tail + b"\n"


def _of_one_line_end(content: bytes, is_first: bool) -> bytes:
    """Return lines that end in a line feed alone, without the mark at the start of a file."""
    return (content.removeprefix(_MARK) if is_first else content).replace(b"\r\n", b"\n")


class _Bytes:
    """The bytes of a file, counted and digested while they are read."""

    def __init__(self, path: Path) -> None:
        self._path, self.digest, self.stored, self.unpacked = path, hashlib.sha256(), 0, 0
        self.is_packed = False

    def chunks(self) -> Iterator[bytes]:
        for chunk in chunks_of_bytes(self._path, self._read):
            self.unpacked += len(chunk)
            yield chunk

    def _read(self, content: bytes) -> None:
        if not self.stored:
            self.is_packed = content.startswith(GZIP)
        self.digest.update(content)
        self.stored += len(content)


@define(eq=False)
class LineSource:
    """A plain file as a source.

    `format`: of the kind of batch; it must have `in_parts`.
    """

    path: str
    format: PlainFormat
    has_ids: bool = field(default=False, init=False)
    _lines_a_byte: float = field(default=0.0, init=False)
    _sha256: str = field(default="", init=False)
    _offsets: tuple[int, ...] = field(default=(), init=False)

    def chunks(self, units: int) -> Iterator[UnitValues]:
        """Yield the units of the lines in order."""
        file, start, parser, offsets = _Bytes(Path(self.path)), 0, None, [0]
        for content in groups_of_lines(file.chunks(), units):
            lines = _of_one_line_end(content, is_first=not start)
            if parser is None:
                parser = self._begin(lines)
            piece, count = self._parsed(parser, lines, start), lines.count(b"\n")
            self._lines_a_byte = self._lines_a_byte or count / len(content) * file.unpacked / max(1, file.stored)
            yield piece
            start += count
            offsets.append(offsets[-1] + len(content))
        if parser is None:
            raise DataError("the file is empty", path=self.path, remedy="give a file with one unit a line")
        self._sha256 = file.digest.hexdigest()
        self._offsets = () if file.is_packed else (*offsets[:-1], file.stored)

    def offsets(self) -> tuple[int, ...]:
        """Return where the chunks begin, and the size of the file."""
        return self._offsets

    def chunks_at(self, units: int, first: int, offsets: Sequence[int], *, is_end: bool) -> Iterator[UnitValues]:
        """Yield the chunks between offsets. The first lines of the file tell what its lines hold."""
        parser = self._begin(_of_one_line_end(next(groups_of_lines(_Bytes(Path(self.path)).chunks(), units)), True))
        with open(self.path, "rb") as stream:
            stream.seek(offsets[0])
            for nth, (begin, end) in enumerate(pairwise(offsets), start=first):
                content = stream.read(end - begin)
                if is_end and end == offsets[-1]:
                    content = next(groups_of_lines(iter([content]), units), b"")
                yield self._parsed(parser, _of_one_line_end(content, is_first=not nth), nth * units)

    def _begin(self, content: bytes) -> LineParser:
        assert self.format.in_parts is not None
        first = self._lines(content, 0)
        self.has_ids = self.format.has_ids(first)
        return self.format.in_parts(first)

    def _parsed(self, parser: LineParser, content: bytes, start: int) -> UnitValues:
        values = _plain_numbers(content) if parser.numbers else None
        if values is None:
            ids, values = parser.parse(self._lines(content, start))
        else:
            ids = np.arange(len(values))
        shown = 0 if self.has_ids else 1
        ids = ids if self.has_ids else freeze(ids + start)
        lines = freeze(np.arange(start + 1, start + 1 + len(ids)))
        return UnitValues(name=self.path, ids=ids, values=values, path=self.path, lines=lines, numbered_from=shown)

    def _lines(self, content: bytes, start: int) -> LineChunk:
        try:
            text = content.decode("utf-8")
        except UnicodeDecodeError as error:
            begun = content.rfind(b"\n", 0, error.start) + 1
            what = f"not UTF-8: byte 0x{content[error.start]:02x} at byte {error.start - begun + 1} of the line"
            line = start + content.count(b"\n", 0, error.start) + 1
            raise DataError(what, path=self.path, line=line, remedy="save it as UTF-8") from error
        lines = tuple(text.removesuffix("\n").split("\n"))
        file = LineChunk(Path(self.path), lines, "", "\ufeff" in text, start=start)
        refuse_marks(file, lines, "the line")
        return file

    def expected_units(self) -> int:
        """Return about how many lines the file has, as long as those of its first chunk."""
        return max(1, round(self._lines_a_byte * os.path.getsize(self.path)))

    def stamp(self) -> object:
        """Return the size, the time and the number of the file."""
        return file_stamp(self.path)

    def record(self) -> Input | None:
        """Return the record of the file: its bytes as they are stored."""
        return Input(self.path, self._sha256)


def _plain_numbers(content: bytes) -> FloatArray | None:
    """Return the numbers of lines that hold nothing else, None if that is not sure: this is the fast path."""
    if content.translate(None, _OF_NUMBERS):
        return None
    numbers = numbers_of_lines(content)
    return None if numbers is None else freeze(numbers)


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
    plain = _format_of(kind)
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


def _format_of(kind: type[Batch]) -> PlainFormat | None:
    registered = find_kind(kind)
    return None if registered is None else registered.plain_format


def _check_numbers(kind: type[Batch], where: str) -> None:
    plain = _format_of(kind)
    if plain is None or not plain.one_number:
        remedy = "give a plain file of lines"
        raise DataError(f"{where}: a batch of {kind.__name__} does not hold one number a unit", remedy=remedy)
