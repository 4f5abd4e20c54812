"""Archives from the web: no member leaves its folder, and the content has a bound."""

import bz2
import errno
import gzip
import lzma
import re
import stat
import tarfile
import zipfile
import zlib
from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from functools import partial
from pathlib import Path
from typing import IO, Any, NamedTuple, cast

from qeframe.core.errors import DataError
from qeframe.data.published.data_source import is_inside

LARGEST_RATIO = 50  # how many times the size of the archive its content may have; texts have about 5 to 15

LEAST_BOUND = 64 << 20  # bytes that the content of any archive may have

MOST_MEMBERS = 500_000
_CHUNK = 1 << 16
"""Bytes that are read at once. tarfile reads a header as a whole, so that this is also the most that one may have."""

_SHOWN = 40  # how much of a name that is too long a message shows


class _Member(NamedTuple):
    """`kind`: "file", "folder", "link" or "special file". `size`: as the archive states it; no more is ever read."""

    name: str
    kind: str
    size: int
    open: Callable[[], IO[bytes]]


def unpack(archive: Path, folder: Path, *, strip: int = 0, only: Sequence[str] = ()) -> int:
    """Unpack the files of a tar or zip archive into a folder that exists, and return their number.

    The first `strip` folders of each name are left out, and members with no name left, and those outside the folders
    `only`, if any. Times, owners and permissions are not kept. Refused are damaged archives; members that are links or
    devices, that are twice in it, or whose name leads out of the folder or has control characters; and content of more
    than `LARGEST_RATIO` times the archive, `LEAST_BOUND` at least. The caller then removes what was unpacked until
    then.
    """
    bound = room = max(LEAST_BOUND, LARGEST_RATIO * archive.stat().st_size)
    files = 0
    with _damage_as_data_error(archive), closing(_members(archive, 2 * bound)) as members:
        for number, member in enumerate(members, 1):
            _check(member, archive)
            if number > MOST_MEMBERS:
                raise DataError(f"has more than {MOST_MEMBERS:,} members", path=archive.name)
            room -= max(member.size, 0)  # also of a member that is left out: to come to the next one, it is read
            if room < 0:
                raise _too_large(archive)
            inner = "/".join([part for part in member.name.split("/") if part not in ("", ".")][strip:])
            asked_for = not only or any(inner == path or inner.startswith(path.rstrip("/") + "/") for path in only)
            if member.kind == "file" and inner and asked_for:
                _write(member, folder / inner, archive)
                files += 1
    return files


def _check(member: _Member, archive: Path) -> None:
    if not is_inside(member.name):
        raise _refused(archive, f"the member '{member.name}' leads out of the folder")
    if re.search(r"[\x00-\x1f\x7f]", member.name):
        raise _refused(archive, f"the member {member.name!r} has a control character in its name")
    if member.kind not in ("file", "folder"):
        raise _refused(archive, f"the member '{member.name}' is a {member.kind}")


def _write(member: _Member, path: Path, archive: Path) -> None:
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        target = path.open("xb")
    except (FileExistsError, NotADirectoryError) as error:
        raise DataError(f"the member '{path.name}' is in it twice", path=archive.name) from error
    except OSError as error:
        if error.errno != errno.ENAMETOOLONG:
            raise
        what = f"the member '{path.name[:_SHOWN]}...' has a name that is too long for this system"
        raise _refused(archive, what) from error
    with target, member.open() as stream:
        while chunk := stream.read(_CHUNK):
            target.write(chunk)


def _too_large(archive: Path) -> DataError:
    return _refused(archive, f"its content is more than {LARGEST_RATIO} times as large as the archive")


def _refused(archive: Path, what: str) -> DataError:
    return DataError(what, path=archive.name, remedy="the archive is refused, and nothing of it was kept")


@contextmanager
def _damage_as_data_error(archive: Path) -> Iterator[None]:
    try:
        yield
    except (tarfile.TarError, zipfile.BadZipFile, EOFError, zlib.error, lzma.LZMAError, OSError) as error:
        if isinstance(error, OSError) and error.errno:
            raise
        what = f"is not an archive, or is damaged: {error}"
        raise DataError(what, path=archive.name, remedy="fetch it again") from error
    except (RuntimeError, NotImplementedError) as error:  # zipfile: encrypted, or an unknown compression
        raise DataError(f"cannot be unpacked: {error}", path=archive.name) from error


def _members(archive: Path, bound: int) -> Generator[_Member, None, None]:
    """Yield the members; of the headers and skipped contents of a tar, no more than `bound` is read."""
    if zipfile.is_zipfile(archive):
        with zipfile.ZipFile(archive) as packed:
            for info in packed.infolist():
                mode = stat.S_IFMT(info.external_attr >> 16)  # 0 where the archive does not say
                kind = _KINDS.get(mode or stat.S_IFREG, "special file")
                kind = "folder" if kind == "file" and info.is_dir() else kind
                yield _Member(info.filename, kind, info.file_size, partial(packed.open, info))
        return
    with _open_tar(archive, bound) as tar:
        for member in tar:
            kind = "file" if member.isfile() else "folder" if member.isdir() else "special file"
            kind = "link" if member.issym() or member.islnk() else kind
            yield _Member(member.name, kind, member.size, cast("Any", partial(tar.extractfile, member)))
            tar.members.clear()  # type: ignore[attr-defined]  # tarfile keeps the headers of all members


_KINDS = {stat.S_IFREG: "file", stat.S_IFDIR: "folder", stat.S_IFLNK: "link"}
_COMPRESSED: Mapping[bytes, Callable[..., Any]] = {b"\x1f\x8b": gzip.open, b"BZh": bz2.open, b"\xfd7zXZ\0": lzma.open}
"""How a compressed tar begins, and what opens it."""


@contextmanager
def _open_tar(archive: Path, bound: int) -> Iterator[tarfile.TarFile]:
    with archive.open("rb") as packed:
        begin = packed.read(8)
    decompress = next((opened for magic, opened in _COMPRESSED.items() if begin.startswith(magic)), open)
    with decompress(archive, "rb") as stream:
        bounded = cast("Any", _Bounded(stream, bound, archive))
        with tarfile.open(fileobj=bounded, mode="r:") as tar:
            yield tar


class _Bounded:
    """A stream that is not read beyond a bound, nor much of it at once: tarfile reads headers of any size."""

    def __init__(self, stream: Any, bound: int, archive: Path) -> None:
        self._stream, self._bound, self._archive = stream, bound, archive
        self.seek, self.tell = stream.seek, stream.tell

    def read(self, size: int) -> bytes:
        if size > _CHUNK:
            raise _refused(self._archive, f"a header of it has more than {_CHUNK:,} bytes")
        if self._stream.tell() > self._bound:
            raise _too_large(self._archive)
        return cast("bytes", self._stream.read(size))
