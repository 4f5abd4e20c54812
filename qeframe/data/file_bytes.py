"""The bytes of a file: a regular one of bounded size, or a pipe that the user names; compressed where a reader says.

A file is opened without waiting, so that nothing in its place, such as a pipe without a writer, can stop a program.
"""

from __future__ import annotations

import errno
import gzip
import os
import selectors
import stat
import warnings
import zlib
from collections.abc import Callable, Iterator
from io import BytesIO, RawIOBase
from pathlib import Path, PurePosixPath
from typing import Any

from qeframe.core.errors import DataError, PipeWarning, did_you_mean, one_line
from qeframe.data.archives import archive_of, member_chunks, pieces_of

MEBIBYTE = 1 << 20
"""The length of the longest line that is read, and of the chunks in which a file is read, in bytes."""

LARGEST_FILE = 512
"""The size of the largest file that is read, in MiB, also after unpacking. The environment variable changes it."""

SILENCE = 60
"""How long a pipe may give nothing, in seconds. The environment variable changes it."""

_TOLD_AFTER = 2
"""How long a pipe may give nothing, in seconds, until the user is told that it is waited for."""

_TAR_BLOCK, _TAR_MARK = 512, slice(257, 262)
_LARGEST, _SILENCE = "QEFRAME_LARGEST_FILE", "QEFRAME_PIPE_SECONDS"
_OTHER_MARKS = {
    b"\xff\xfe\x00\x00": "UTF-32",
    b"\x00\x00\xfe\xff": "UTF-32",
    b"\xff\xfe": "UTF-16",
    b"\xfe\xff": "UTF-16",
}
GZIP = b"\x1f\x8b"
_POINTER = b"version https://git-lfs.github.com/spec/"
_KINDS: tuple[tuple[Callable[[int], bool], str], ...] = (
    (stat.S_ISFIFO, "a pipe"),
    (stat.S_ISSOCK, "a socket"),
    (stat.S_ISCHR, "a device"),
    (stat.S_ISBLK, "a device"),
)


def file_bytes(path: Path, *, pipe: bool = False, packed: bool = False, longest: int = MEBIBYTE) -> tuple[bytes, bytes]:
    """Return the bytes of a file of text, and the bytes as they are stored if the file is compressed, else the same.

    A path that goes on after the name of an archive (tar.gz, tgz, tar, zip) is that of a file in it.

    Parameters
    ----------
    pipe : bool
        Whether a pipe is read, which the user named. By default a file must be a regular one.
    packed : bool
        Whether a file that is compressed with gzip is unpacked, also an archive of a single file in it (tar.gz).
    longest : int
        The length of the longest line, in bytes.

    Raises
    ------
    DataError
        If there is no such file, it is not a regular one or larger than `LARGEST_FILE`, cannot be read or unpacked,
        is in UTF-16 or UTF-32, or has a NUL byte or a line over 1 MiB. Reading stops there.
    """
    try:
        if archive := archive_of(path):
            largest = _from_environment(_LARGEST, LARGEST_FILE)
            content = b"".join(_checked(member_chunks(archive, path), path, largest, longest))
            return content, content
        status = status_of(path, pipe=pipe)
        with open(path, "rb", buffering=0, opener=_without_waiting) as stream:
            return _read(stream, path, status, packed, longest)
    except OSError as error:
        raise unreadable(path, error) from error
    except MemoryError:
        raise DataError("not enough memory to read the file", path=path, remedy="split it, or free memory") from None


def status_of(path: Path, *, pipe: bool = False) -> os.stat_result:
    """Return the status of a file or a folder.

    `pipe`: whether it may be a pipe. Raises DataError if nothing is there, a link leads to nothing or back to itself,
    or it is a pipe, a socket or a device.
    """
    try:
        status = os.stat(path)
    except OSError as error:
        raise unreadable(path, error) from error
    kind = next((name for is_kind, name in _KINDS if is_kind(status.st_mode)), "")
    if kind and not (pipe and kind == "a pipe"):
        raise DataError(f"this is {kind}, a file is expected", path=path, remedy="put a regular file in its place")
    return status


def _without_waiting(path: str, flags: int) -> int:
    return os.open(path, flags | getattr(os, "O_NONBLOCK", 0))


def _read(stream: RawIOBase, path: Path, status: os.stat_result, packed: bool, longest: int) -> tuple[bytes, bytes]:
    source: Any = _Pipe(stream.fileno(), path) if stat.S_ISFIFO(status.st_mode) else stream
    largest = _from_environment(_LARGEST, LARGEST_FILE)
    if status.st_size > largest * MEBIBYTE:
        raise _too_large(path, largest, f"of {status.st_size / MEBIBYTE:.0f} MiB ")
    if not packed:
        content = b"".join(_checked(pieces_of(source), path, largest, longest))
        return content, content
    stored = b"".join(_bounded(pieces_of(source), path, largest))
    if not stored.startswith(GZIP):
        return b"".join(_checked(pieces_of(BytesIO(stored)), path, largest, longest)), stored
    return b"".join(_checked(_unpacked(BytesIO(stored), path), path, largest, longest)), stored


def _unpacked(stored: Any, path: Path) -> Iterator[bytes]:
    try:
        with gzip.GzipFile(fileobj=stored) as stream:
            packed_again = stream.peek(_TAR_BLOCK)[_TAR_MARK] == b"ustar"
            yield from _of_tar(stream, path) if packed_again else pieces_of(stream)
    except (EOFError, zlib.error, gzip.BadGzipFile) as error:
        reason = "it is cut off" if isinstance(error, EOFError) else str(error)
        raise DataError(f"cannot be unpacked (gzip): {reason}", path=path, remedy="get the file again") from None


def _of_tar(stream: Any, path: Path) -> Iterator[bytes]:
    """Yield the bytes of the only file of an archive."""
    import tarfile

    try:
        with tarfile.open(fileobj=stream, mode="r|") as archive:
            first = ""
            for member in archive:
                file = archive.extractfile(member)
                if file is None or PurePosixPath(member.name).name.startswith("._"):  # what macOS adds to archives
                    continue
                if first:
                    what = f"an archive of several files, among them {one_line(first)} and {one_line(member.name)}"
                    raise DataError(what, path=path, remedy="unpack it, and name one of the files")
                first = member.name
                yield from pieces_of(file)
    except tarfile.TarError as error:
        raise DataError(f"cannot be unpacked (tar): {error}", path=path, remedy="get the file again") from None


def _bounded(chunks: Iterator[bytes], path: Path, largest: int) -> Iterator[bytes]:
    size = 0
    for chunk in chunks:
        size += len(chunk)
        if size > largest * MEBIBYTE:
            raise _too_large(path, largest, "")
        yield chunk


def _too_large(path: Path, largest: int, size: str) -> DataError:
    remedy = f"split it, or set the environment variable {_LARGEST} to a larger number of MiB"
    return DataError(f"a file {size}is too large: the bound is {largest} MiB of text", path=path, remedy=remedy)


def _checked(chunks: Iterator[bytes], path: Path, largest: int, longest: int = MEBIBYTE) -> Iterator[bytes]:
    """Yield the bytes of a file; raise a `DataError` at a line that is too long or a byte that no text has."""
    line, pending = 1, 0
    for chunk in _bounded(chunks, path, largest):
        if line == 1 and not pending:
            _check_mark(chunk, path)
            if b"\r" in chunk and b"\n" not in chunk:
                remedy = "save it with line feeds as line ends"
                raise DataError("its lines end in carriage returns alone", path=path, remedy=remedy)
        _check_line(line, pending, chunk, path, longest)
        if b"\0" in chunk:
            binary = line + chunk.count(b"\n", 0, chunk.index(b"\0"))
            raise DataError("a binary file (NUL byte)", path=path, line=binary, remedy="give a text file in UTF-8")
        line += chunk.count(b"\n")
        last = chunk.rfind(b"\n")
        pending = pending + len(chunk) if last < 0 else len(chunk) - last - 1
        yield chunk


def _check_mark(chunk: bytes, path: Path) -> None:
    if chunk.startswith(GZIP):
        raise DataError("the file is compressed (gzip)", path=path, remedy="unpack it")
    if chunk.startswith(_POINTER):
        raise DataError("a pointer of Git LFS, not the file", path=path, remedy="get the file with 'git lfs pull'")
    for mark, encoding in _OTHER_MARKS.items():
        if chunk.startswith(mark):
            raise DataError(f"the file is in {encoding}", path=path, remedy="save it as UTF-8")


def _check_line(line: int, pending: int, chunk: bytes, path: Path, longest: int) -> None:
    """Raise a `DataError` if a line is too long: `pending` of its bytes were read before, the chunk goes on with it."""
    end = chunk.find(b"\n")
    if pending + (len(chunk) if end < 0 else end) > longest:
        raise DataError("the line is longer than 1 MiB", path=path, line=line, remedy="give a file of lines of text")


class _Pipe:
    """A pipe that is read until its writers close it; a `DataError` ends a silence that is too long."""

    def __init__(self, number: int, path: Path) -> None:
        self.number, self.path = number, path
        self.seconds = _from_environment(_SILENCE, SILENCE)

    def read(self, size: int) -> bytes:
        with selectors.DefaultSelector() as selector:
            selector.register(self.number, selectors.EVENT_READ)
            told = min(_TOLD_AFTER, self.seconds)
            if not (selector.select(told) or self._has_answered(selector, self.seconds - told)):
                what = f"the pipe gave nothing for {self.seconds} seconds"
                remedy = f"check what writes to it, or set the environment variable {_SILENCE} to more seconds"
                raise DataError(what, path=self.path, remedy=remedy)
        return os.read(self.number, size)

    def _has_answered(self, selector: selectors.BaseSelector, seconds: int) -> bool:
        """Wait further, and tell the user so; return whether the pipe can be read."""
        if seconds > 0:
            what = f"{self.path}: waiting for the pipe, for {self.seconds} seconds of silence at the most"
            warnings.warn(f"{what}; check what writes to it", PipeWarning, stacklevel=2)
        return bool(selector.select(seconds))


def _from_environment(name: str, default: int) -> int:
    text = os.environ.get(name, "")
    if not text:
        return default
    if not (text.isascii() and text.isdigit() and int(text[:10]) > 0 and len(text) <= 10):
        raise DataError(f"{name}={text[:40]} is not a whole number from 1", remedy="write digits only, or unset it")
    return int(text)


def _alike(name: str, other: str) -> bool:
    from difflib import SequenceMatcher

    return SequenceMatcher(None, name, other).ratio() >= 0.5


def unreadable(path: Path, error: OSError) -> DataError:
    """Return the error of a file or a folder that the system does not open."""
    link = "repair or remove the link"
    match error:
        case FileNotFoundError() if path.is_symlink():
            return DataError("a link to a file that is not there", path=path, remedy=link)
        case FileNotFoundError():
            beside = [p.name for p in path.parent.iterdir()] if path.parent.is_dir() else []
            # without their endings: one ending makes no two names alike
            near = [name for name in beside if _alike(Path(name).stem, path.stem)]
            remedy = did_you_mean(path.name, near, "check the path")
            return DataError("there is no such file", path=path, remedy=remedy)
        case IsADirectoryError():
            return DataError("this is a folder, a file is expected", path=path, remedy="name a file in it")
        case PermissionError():
            return DataError("no permission to read it", path=path, remedy="make it readable for you")
    if error.errno == errno.ELOOP:
        return DataError("a link that leads back to itself", path=path, remedy=link)
    if error.errno == errno.ENAMETOOLONG:
        return DataError("the path is too long", path=Path(f"{str(path)[:80]}..."), remedy="check the path")
    reason = error.strerror or type(error).__name__
    return DataError(f"cannot be read: {reason}", path=path, remedy="check the path")
