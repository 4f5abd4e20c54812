"""Text files in UTF-8 with lines of bounded length, and their columns; an error names the file and the line.

A line ends with a line feed, or with a carriage return and a line feed. A byte-order mark at the start, a missing final
line end and empty lines at the very end are accepted. An empty line elsewhere is kept, so that line numbers and units
correspond. In files of texts an empty line at the end is a unit too: an empty translation.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Sequence
from contextlib import suppress
from itertools import repeat
from os import PathLike
from pathlib import Path

import numpy as np

from qeframe.core.batch import FloatArray, IntArray
from qeframe.core.errors import DataError, counted
from qeframe.core.task import Input
from qeframe.data.file_bytes import MEBIBYTE, file_bytes
from qeframe.data.numbers import LARGEST
from qeframe.data.reading import TextFile

_MARK = b"\xef\xbb\xbf"
_TAB, _LINE_END = b"\t\n"
_UNITS = "one unit a line"
_MOST_DIGITS = 18
_SEPARATED = {"\t": "tabs", ",": "commas", ";": "semicolons", None: "blanks or tabs"}
_BETWEEN = re.compile(r"[ \t]+")
_POINTED = re.compile(r"[-+]?\d*,\d+")
_IN_PLACE = "correct this line, as lines are units by position; a file with ids, ID NUMBER, may leave units out"
_OTHER_BLANKS = re.compile(r"[^\S \t\n]")
"""White space that is neither a blank nor a tab, such as a no-break space: no column and no number ends with it."""
_ASCII_BLANKS = "\r\v\f\x1c\x1d\x1e\x1f"


def read_text_lines(
    path: str | PathLike[str],
    *,
    empty_end: bool = False,
    holds: str = _UNITS,
    texts: bool = False,
    pipe: bool = False,
    packed: bool = False,
) -> TextFile:
    """Read a text file.

    Parameters
    ----------
    empty_end : bool
        Whether empty lines at the very end are kept, such as empty translations. The line end of the last line does not
        begin another line.
    holds : str
        What such a file holds, for the message about an empty file.
    texts : bool
        Whether the file has texts in it, which keep byte-order marks within them: `refuse_marks` checks the columns
        that are not texts. A second one at the start, or one at the start of a line, is left by a program that joined
        files, and an error. Elsewhere every byte-order mark after the start is an error.
    pipe : bool
        Whether the user named the path, which may then be a pipe. A file that is found in a folder may not.
    packed : bool
        Whether the file may be compressed with gzip. Its hash is that of the compressed bytes.

    Raises
    ------
    DataError
        If the path is missing, a folder or not readable, if it is neither a regular file nor a pipe that may be one, or
        if the file is empty, binary, too large, not in UTF-8 or has a line over 1 MiB. Reading stops at such a line.
    """
    source = Path(path)
    content, stored = file_bytes(source, pipe=pipe, packed=packed)
    return text_of_bytes(source, content, stored, empty_end=empty_end, holds=holds, texts=texts)


def text_of_bytes(
    source: Path, content: bytes, stored: bytes, *, empty_end: bool = False, holds: str = _UNITS, texts: bool = False
) -> TextFile:
    """Return the text file of bytes that `file_bytes` read, and as they are stored: see `read_text_lines`."""
    try:
        start = len(_MARK) if content.startswith(_MARK) else 0
        lines = _split(content, source, start=start)
        while lines and not lines[-1]:
            lines.pop()
            if empty_end:
                break
        if not lines:
            raise DataError("the file is empty", path=source, remedy=f"give a file with {holds}")
        marked = content.find(_MARK, start) >= 0 and any("\ufeff" in line for line in lines)
        file = TextFile(source, tuple(lines), hashlib.sha256(stored).hexdigest(), marked)
    except MemoryError:
        raise DataError("not enough memory to read the file", path=source, remedy="split it") from None
    if marked:
        at_start = [line if line.startswith("\ufeff") else "" for line in file.lines] if texts else file.lines
        refuse_marks(file, at_start, "the line")
    return file


def refuse_marks(file: TextFile, texts: Sequence[str], name: str, *, skip: int = 0) -> None:
    """Raise a `DataError` for the first text with a byte-order mark in it; text i is from line ``skip + i + 1``.

    Parameters
    ----------
    texts : sequence of str
        A column of names, ids, numbers or tags.
    name : str
        What the column holds, for the message.
    """
    line = next((line for line, text in enumerate(texts, skip + 1) if "\ufeff" in text), None) if file.marked else None
    if line is not None:
        what = f"a byte-order mark (U+FEFF) in {name}"
        raise file.error(what, line=line, remedy="remove it: it belongs at the start of a file alone")


def input_of(file: TextFile, root: Path) -> Input:
    """Return the record of a file that was read.

    Parameters
    ----------
    root : Path
        The path that was given. The path of the record is relative to it; for a file outside it is the name alone.
    """
    inside = file.path != root and file.path.is_relative_to(root)
    return Input(file.path.relative_to(root).as_posix() if inside else file.path.name, file.sha256)


def _split(content: bytes, path: Path, *, start: int) -> list[str]:
    """Return the lines of a text, decoded in pieces: one emoji makes the whole of a string four times as large."""
    lines: list[str] = []
    first = start
    while start <= len(content):
        end = content.find(b"\n", start + MEBIBYTE)
        end = len(content) if end < 0 else end
        try:
            piece = content[start:end].decode("utf-8")
        except UnicodeDecodeError as error:
            wrong = start + error.start
            of_line = max(content.rfind(b"\n", 0, wrong) + 1, first)
            raise DataError(
                f"not UTF-8: byte 0x{content[wrong]:02x} at byte {wrong - of_line + 1} of the line",
                path=path,
                line=content.count(b"\n", 0, wrong) + 1,
                remedy="save it as UTF-8",
            ) from error
        lines += piece.replace("\r\n", "\n").removesuffix("\r").split("\n")
        start = end + 1
    return lines


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
        If there is no line, or if a line has another number of columns. The unit of a line of a single column is known
        by its position: the message then asks to keep the line.
    """
    lines, width = file.lines[skip:], len(names)
    if not lines:
        raise file.error("no lines after the header", remedy=f"every line after it is {' '.join(names)}")
    joined, fields = (separator or "\n").join(lines), list[str]()
    if separator is None and _has_other_blanks(joined):
        rows = [split_line(line) for line in lines]
        if {len(row) for row in rows} != {width}:
            raise _misshapen(file, names, separator, skip)
        return [[row[column] for row in rows] for column in range(width)]
    if separator is not None:
        widths = {count + 1 for count in set(map(str.count, lines, repeat(separator)))}
    elif width == 1 and " " not in joined and "\t" not in joined:
        widths = {1} if all(lines) else set()
    elif " " not in joined and _is_ruled(joined, width):
        # No line has more than `width` fields, so that all have as many if there are so many in all.
        fields = joined.split()
        widths = {width} if len(fields) == width * len(lines) else set()
    else:
        widths = {len(line.split()) for line in lines}
    if widths != {width}:
        raise _misshapen(file, names, separator, skip)
    fields = fields or joined.split(separator)
    return [fields[column::width] for column in range(width)]


def _is_ruled(text: str, width: int) -> bool:
    """Return whether every line has ``width - 1`` tabs."""
    content = np.frombuffer(text.encode(), np.uint8)
    marks = content[(content == _TAB) | (content == _LINE_END)]
    if (len(marks) + 1) % width:
        return False
    by_line = np.append(marks, np.uint8(_LINE_END)).reshape(-1, width)
    return bool((by_line[:, :-1] == _TAB).all() and (by_line[:, -1] == _LINE_END).all())


def split_line(line: str, separator: str | None = None) -> list[str]:
    r"""Return the columns of a line.

    Parameters
    ----------
    separator : str, optional
        ``"\t"``; by default any run of blanks and tabs. Other white space, such as a no-break space, separates nothing.
    """
    if separator is not None:
        return line.split(separator)
    stripped = line.strip(" \t")
    return _BETWEEN.split(stripped) if stripped else []


def _has_other_blanks(text: str) -> bool:
    """Return whether a text has white space that is neither a blank nor a tab nor a line end."""
    if text.isascii():
        return any(blank in text for blank in _ASCII_BLANKS)
    return _OTHER_BLANKS.search(text) is not None


def _misshapen(file: TextFile, names: Sequence[str], separator: str | None, skip: int) -> DataError:
    """Return the error of the first line that has not these columns."""
    widths = ((line, len(split_line(text, separator))) for line, text in enumerate(file.lines[skip:], skip + 1))
    line, width = next((line, width) for line, width in widths if width != len(names))
    return misshapen(file, line, width, names, separator)


def misshapen(file: TextFile, line: int, width: int, names: Sequence[str], separator: str | None = None) -> DataError:
    """Return the error of a line that has so many columns in the place of those with names."""
    given = counted(width, "column") if file.lines[line - 1].strip() else "an empty line"
    between = "" if len(names) == 1 else f" by {_SEPARATED[separator]}"
    wanted = f"{counted(len(names), 'column')}{between} ({' '.join(names)})"
    remedy = _IN_PLACE if len(names) == 1 else "repair or remove the line"
    return file.error(f"{given} instead of {wanted}", line=line, remedy=remedy)


def parse_numbers(texts: Sequence[str], file: TextFile, *, skip: int = 0) -> FloatArray:
    """Read a column of finite numbers; text i is from line ``skip + i + 1``.

    Raises
    ------
    DataError
        For the first text that is not a finite number of magnitude up to 1e100, with its line.
    """
    numbers = plain_numbers(texts)
    if numbers is not None:
        return numbers
    return np.array([_number(text, file, line) for line, text in enumerate(texts, skip + 1)], dtype=np.float64)


def plain_numbers(texts: Sequence[str]) -> FloatArray | None:
    """Return finite numbers of magnitude up to 1e100; None if one of the texts may be something else."""
    joined = "".join(texts)
    if joined.isascii() and "_" not in joined and not _has_other_blanks(joined):
        with suppress(ValueError):
            numbers = np.array(texts, dtype=np.float64)
            return numbers if (np.abs(numbers) <= LARGEST).all() else None
    return None


def _number(text: str, file: TextFile, line: int) -> float:
    """Read one number; raise a `DataError` that names its fault."""
    try:
        plain = text.isascii() and "_" not in text and not _has_other_blanks(text)
        number = float(text if plain else "")
    except ValueError:
        pointed = _POINTED.fullmatch(text.strip())
        remedy = "write decimals with a point, as in 0.25" if pointed else "every line needs a number"
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
            _check_id(text.strip(" \t"), file, line)
    return np.fromiter(map(int, texts), np.int64, len(texts))


FIRST_OF_TEXTS = 1 << 62
"""The least id of a text: larger than any number of `parse_ids`."""


def label_ids(texts: Sequence[str], file: TextFile) -> IntArray:
    """Return ids of a column of labels: whole numbers as `parse_ids` reads them, other texts by a hash.

    Raises
    ------
    DataError
        For the first text that is another number, such as 1.0 or -1, or that is too long: it may be no label.
    """
    joined = "".join(texts)
    if joined.isascii() and joined.isdigit():
        return parse_ids(texts, file)
    ids = np.empty(len(texts), np.int64)
    for line, text in enumerate(texts, 1):
        if (text.isascii() and text.isdigit()) or plain_numbers([text]) is not None:
            _check_id(text, file, line)
            ids[line - 1] = int(text)
        else:
            digest = hashlib.blake2b(text.encode(), digest_size=8).digest()
            ids[line - 1] = FIRST_OF_TEXTS | (int.from_bytes(digest, "big") >> 2)
    return ids


def _check_id(text: str, file: TextFile, line: int) -> None:
    if not (text.isascii() and text.isdigit()):
        remedy = "write digits only, without sign, point or blank"
        raise file.error(f"{_shown(text)} is not a whole number from 0", line=line, remedy=remedy)
    if len(text) > _MOST_DIGITS:
        raise file.error(f"{_shown(text)} has more than {_MOST_DIGITS} digits", line=line, remedy="use smaller numbers")


def _shown(text: str) -> str:
    """Return a text in quotes, at most 40 characters of it, for a message."""
    return f"'{text}'" if len(text) <= 40 else f"'{text[:40]}...'"
