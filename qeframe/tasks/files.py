"""Text files in UTF-8 with lines of bounded length, and their columns; an error names the file and the line.

A line ends with a line feed, or with a carriage return and a line feed. A byte-order mark at the start, a missing final
line end and empty lines at the very end are accepted. An empty line elsewhere is kept, so that line numbers and units
correspond. In files of texts an empty line at the end is a unit too: an empty translation.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from os import PathLike
from pathlib import Path
from typing import BinaryIO

import numpy as np
from attrs import field, frozen

from qeframe.batches.base import FloatArray, IntArray
from qeframe.batches.numbers import LARGEST
from qeframe.errors import DataError, counted, did_you_mean
from qeframe.tasks.task import Input

__all__ = ["MEBIBYTE", "TextFile", "input_of", "parse_ids", "parse_numbers", "read_text_lines", "split_columns"]

MEBIBYTE = 1 << 20
"""The length of the longest line that is read, and of the chunks in which a file is read, in bytes."""

_MARK = b"\xef\xbb\xbf"
_OTHER_MARKS = {
    b"\xff\xfe\x00\x00": "UTF-32",
    b"\x00\x00\xfe\xff": "UTF-32",
    b"\xff\xfe": "UTF-16",
    b"\xfe\xff": "UTF-16",
}
_GZIP = b"\x1f\x8b"
_MOST_DIGITS = 18


@frozen(eq=False)
class TextFile:
    """A text file that was read.

    Parameters
    ----------
    path : Path
        The path that was given.
    lines : tuple of str
        At least one line, without line ends.
    sha256 : str
        The hash of the bytes of the file, in hexadecimal.
    """

    path: Path
    lines: tuple[str, ...] = field(repr=False)
    sha256: str

    def error(self, what: str, *, line: int | None = None, remedy: str = "") -> DataError:
        """Return an error that names this file."""
        return DataError(what, path=self.path, line=line, remedy=remedy)


def read_text_lines(path: str | PathLike[str], *, empty_end: bool = False, holds: str = "one unit a line") -> TextFile:
    """Read a text file.

    Parameters
    ----------
    empty_end : bool
        Whether empty lines at the very end are kept, such as empty translations. The line end of the last line does not
        begin another line.
    holds : str
        What such a file holds, for the message about an empty file.

    Raises
    ------
    DataError
        If the path is missing, a folder or not readable, or if the file is empty, binary, not in UTF-8 or has a line
        over 1 MiB. Reading stops at such a line.
    """
    source = Path(path)
    try:
        with source.open("rb") as stream:
            content = b"".join(_chunks(stream, source))
    except OSError as error:
        raise _unreadable(source, error) from error
    text = _decode(content.removeprefix(_MARK), source).replace("\r\n", "\n").removesuffix("\r")
    if not (text if empty_end else text.rstrip("\n")):
        raise DataError("the file is empty", path=source, remedy=f"give a file with {holds}")
    lines = text.removesuffix("\n") if empty_end else text.rstrip("\n")
    return TextFile(source, tuple(lines.split("\n")), hashlib.sha256(content).hexdigest())


def input_of(file: TextFile, root: Path) -> Input:
    """Return the record of a file that was read.

    Parameters
    ----------
    root : Path
        The path that was given. The path of the record is relative to it; for a file outside it is the name alone.
    """
    inside = file.path != root and file.path.is_relative_to(root)
    return Input(file.path.relative_to(root).as_posix() if inside else file.path.name, file.sha256)


def _unreadable(path: Path, error: OSError) -> DataError:
    match error:
        case FileNotFoundError() if path.is_symlink():
            return DataError("a link to a file that is not there", path=path, remedy="repair or remove the link")
        case FileNotFoundError():
            near = [p.name for p in path.parent.iterdir()] if path.parent.is_dir() else []
            remedy = did_you_mean(path.name, near, "check the path")
            return DataError("there is no such file", path=path, remedy=remedy)
        case IsADirectoryError():
            return DataError("this is a folder, a file is expected", path=path, remedy="name a file in it")
        case PermissionError():
            return DataError("no permission to read it", path=path, remedy="make it readable for you")
    reason = error.strerror or type(error).__name__
    return DataError(f"cannot be read: {reason}", path=path, remedy="check the path")


def _chunks(stream: BinaryIO, path: Path) -> Iterator[bytes]:
    """Yield the bytes of a file; raise a `DataError` at a line that is too long or a byte that no text has."""
    line, pending = 1, 0
    while chunk := stream.read(MEBIBYTE):
        if line == 1 and not pending:
            _check_mark(chunk, path)
            if b"\r" in chunk and b"\n" not in chunk:
                remedy = "save it with line feeds as line ends"
                raise DataError("its lines end in carriage returns alone", path=path, remedy=remedy)
        _check_line(line, pending, chunk, path)
        if b"\0" in chunk:
            binary = line + chunk.count(b"\n", 0, chunk.index(b"\0"))
            raise DataError("a binary file (NUL byte)", path=path, line=binary, remedy="give a text file in UTF-8")
        line += chunk.count(b"\n")
        last = chunk.rfind(b"\n")
        pending = pending + len(chunk) if last < 0 else len(chunk) - last - 1
        yield chunk


def _check_mark(chunk: bytes, path: Path) -> None:
    if chunk.startswith(_GZIP):
        raise DataError("the file is compressed (gzip)", path=path, remedy="unpack it")
    for mark, encoding in _OTHER_MARKS.items():
        if chunk.startswith(mark):
            raise DataError(f"the file is in {encoding}", path=path, remedy="save it as UTF-8")


def _check_line(line: int, pending: int, chunk: bytes, path: Path) -> None:
    """Raise a `DataError` if a line is too long: `pending` of its bytes were read before, the chunk goes on with it."""
    end = chunk.find(b"\n")
    if pending + (len(chunk) if end < 0 else end) > MEBIBYTE:
        raise DataError("the line is longer than 1 MiB", path=path, line=line, remedy="give a file of lines of text")


def _decode(content: bytes, path: Path) -> str:
    try:
        return content.decode("utf-8")
    except UnicodeDecodeError as error:
        start = content.rfind(b"\n", 0, error.start) + 1
        raise DataError(
            f"not UTF-8: byte 0x{content[error.start]:02x} at byte {error.start - start + 1} of the line",
            path=path,
            line=content.count(b"\n", 0, error.start) + 1,
            remedy="save it as UTF-8",
        ) from error


def split_columns(
    file: TextFile, names: Sequence[str], *, separator: str | None = None, skip: int = 0
) -> list[list[str]]:
    r"""Split the lines of a file into columns.

    Parameters
    ----------
    names : sequence of str
        The names of the columns, in order.
    separator : str, optional
        ``"\t"``; by default any run of blanks and tabs.
    skip : int
        The number of lines at the start that are left out.

    Returns
    -------
    list of list of str
        One list a column; entry i of each is from line ``skip + i + 1``.

    Raises
    ------
    DataError
        If there is no line, or if a line has another number of columns.
    """
    lines, width = file.lines[skip:], len(names)
    if not lines:
        raise file.error("no lines after the header", remedy=f"every line after it is {' '.join(names)}")
    if {len(line.split(separator)) for line in lines} != {width}:
        raise _misshapen(file, names, separator, skip)
    between = separator or "\n"
    fields = between.join(lines).split(separator)
    return [fields[column::width] for column in range(width)]


def _misshapen(file: TextFile, names: Sequence[str], separator: str | None, skip: int) -> DataError:
    """Return the error of the first line that has not these columns."""
    widths = ((line, len(text.split(separator))) for line, text in enumerate(file.lines[skip:], skip + 1))
    line, width = next((line, width) for line, width in widths if width != len(names))
    given = counted(width, "column") if file.lines[line - 1].strip() else "an empty line"
    between = "" if len(names) == 1 else " by tabs" if separator == "\t" else " by blanks or tabs"
    wanted = f"{counted(len(names), 'column')}{between} ({' '.join(names)})"
    return file.error(f"{given} instead of {wanted}", line=line, remedy="repair or remove the line")


def parse_numbers(texts: Sequence[str], file: TextFile, *, skip: int = 0) -> FloatArray:
    """Read a column of finite numbers; text i is from line ``skip + i + 1``.

    Raises
    ------
    DataError
        For the first text that is not a finite number of magnitude up to 1e100, with its line.
    """
    joined = "".join(texts)
    if joined.isascii() and "_" not in joined:
        try:
            numbers = np.array(texts, dtype=np.float64)
        except ValueError:
            pass
        else:
            if (np.abs(numbers) <= LARGEST).all():
                return numbers
    return np.array([_number(text, file, line) for line, text in enumerate(texts, skip + 1)], dtype=np.float64)


def _number(text: str, file: TextFile, line: int) -> float:
    """Read one number; raise a `DataError` that names its fault."""
    try:
        number = float(text if text.isascii() and "_" not in text else "")
    except ValueError:
        remedy = "write decimals with a point, as in 0.25" if "," in text else "every line needs a number"
        raise file.error(f"{_shown(text)} is not a number", line=line, remedy=remedy) from None
    if not np.isfinite(number):
        what = "NaN (a missing value)" if np.isnan(number) else f"an infinite value ({_shown(text)})"
        raise file.error(what, line=line, remedy="every unit needs a finite number")
    if abs(number) > LARGEST:
        remedy = f"magnitudes up to {LARGEST:g} are accepted"
        raise file.error(f"{_shown(text)} is too large to compute with", line=line, remedy=remedy)
    return number


def parse_ids(texts: Sequence[str], file: TextFile, *, skip: int = 0) -> IntArray:
    """Read a column of whole numbers from 0; text i is from line ``skip + i + 1``. "01" is read as 1.

    Raises
    ------
    DataError
        For the first text that is not 1 to 18 digits 0 to 9, with its line.
    """
    joined, lengths = "".join(texts), set(map(len, texts))
    if not (joined.isascii() and joined.isdigit() and lengths.issubset(range(1, _MOST_DIGITS + 1))):
        for line, text in enumerate(texts, skip + 1):
            _check_id(text.strip(), file, line)
    return np.fromiter(map(int, texts), np.int64, len(texts))


def _check_id(text: str, file: TextFile, line: int) -> None:
    if not (text.isascii() and text.isdigit()):
        remedy = "write digits only, without sign, point or blank"
        raise file.error(f"{_shown(text)} is not a whole number from 0", line=line, remedy=remedy)
    if len(text) > _MOST_DIGITS:
        raise file.error(f"{_shown(text)} has more than {_MOST_DIGITS} digits", line=line, remedy="use smaller numbers")


def _shown(text: str) -> str:
    """Return a text in quotes, at most 40 characters of it, for a message."""
    return f"'{text}'" if len(text) <= 40 else f"'{text[:40]}...'"
