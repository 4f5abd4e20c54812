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
from pathlib import Path
from typing import IO, Any, cast

from qeframe.plugin import DataError
from qeframe.plugin.data import is_inside

LARGEST_RATIO = 50  # how many times the size of the archive its content may have; texts have about 5 to 15

LEAST_BOUND = 64 << 20  # bytes that the content of any archive may have

MOST_MEMBERS = 500_000
_CHUNK = 1 << 16
"""Bytes that are read at once. tarfile reads a header as a whole, so that this is also the most that one may have."""

_SHOWN = 40  # how much of a name that is too long a message shows


_Member = tuple[str, IO[bytes] | None]  # the name, and an open stream of the content; None for a folder


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
    with _members(archive, bound) as members:
        for number, (name, stream) in enumerate(members, 1):
            if number > MOST_MEMBERS:
                raise DataError(f"has more than {MOST_MEMBERS:,} members", path=archive.name)
            inner = "/".join([part for part in name.split("/") if part not in ("", ".")][strip:])
            asked_for = not only or any(inner == path or inner.startswith(path.rstrip("/") + "/") for path in only)
            if stream is None or not inner or not asked_for:
                continue
            room = _write(stream, folder / inner, room, archive)
            files += 1
    return files


def _write(stream: IO[bytes], path: Path, room: int, archive: Path) -> int:
    """Write one file and return how many bytes the others may still have."""
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
    with target:
        while chunk := stream.read(_CHUNK):
            room -= len(chunk)
            if room < 0:
                raise _too_large(archive)
            target.write(chunk)
    return room


def _too_large(archive: Path) -> DataError:
    return _refused(archive, f"its content is more than {LARGEST_RATIO} times as large as the archive")


def _refused(archive: Path, what: str) -> DataError:
    return DataError(what, path=archive.name, remedy="the archive is refused, and nothing of it was kept")


_COMPRESSED: Mapping[bytes, Callable[[Path], Any]] = {
    b"\x1f\x8b": gzip.open,
    b"BZh": bz2.open,
    b"\xfd7zXZ\0": lzma.open,
}  # how a compressed tar begins, and what opens it


class _Bounded:
    """A stream that is not read beyond a bound, nor much of it at once.

    tarfile by itself reads headers of any size into memory, and skips content of any size.
    """

    def __init__(self, stream: Any, bound: int, archive: Path) -> None:
        self._stream, self._bound, self._archive = stream, bound, archive

    def read(self, size: int) -> bytes:
        if size > _CHUNK:
            raise _refused(self._archive, f"a header of it has more than {_CHUNK:,} bytes")
        if self.tell() + size > self._bound:
            size = self._bound - self.tell() + 1
        content = cast("bytes", self._stream.read(size))
        if self.tell() > self._bound:
            raise _too_large(self._archive)
        return content

    def seek(self, position: int) -> int:
        if position > self._bound:
            raise _too_large(self._archive)
        return cast("int", self._stream.seek(position))

    def tell(self) -> int:
        return cast("int", self._stream.tell())


def _decompressed(archive: Path) -> Any:
    with archive.open("rb") as stream:
        begin = stream.read(8)
    for magic, opened in _COMPRESSED.items():
        if begin.startswith(magic):
            return opened(archive)
    return archive.open("rb")


@contextmanager
def _members(archive: Path, bound: int) -> Iterator[Iterator[_Member]]:
    """Yield the members of an archive, each checked; raise a `DataError` for a damaged archive."""
    try:
        if zipfile.is_zipfile(archive):
            with zipfile.ZipFile(archive) as opened, closing(_of_zip(opened, archive)) as members:
                yield members
        else:
            with _decompressed(archive) as stream:
                bounded = cast("Any", _Bounded(stream, 2 * bound, archive))
                with tarfile.open(fileobj=bounded, mode="r:") as tar:
                    yield _of_tar(tar, archive)
    except (tarfile.TarError, zipfile.BadZipFile, EOFError, zlib.error, lzma.LZMAError, OSError) as error:
        if isinstance(error, OSError) and error.errno:
            raise
        what = f"is not an archive, or is damaged: {error}"
        raise DataError(what, path=archive.name, remedy="fetch it again") from error
    except (RuntimeError, NotImplementedError) as error:  # zipfile: encrypted, or an unknown compression
        raise DataError(f"cannot be unpacked: {error}", path=archive.name) from error


def _of_zip(opened: zipfile.ZipFile, archive: Path) -> Generator[_Member, None, None]:
    for info in opened.infolist():
        _check_name(info.filename, archive)
        kind = stat.S_IFMT(info.external_attr >> 16)  # 0 where the archive does not say
        if kind not in (0, stat.S_IFREG, stat.S_IFDIR):
            what = "link" if kind == stat.S_IFLNK else "special file"
            raise _refused(archive, f"the member '{info.filename}' is a {what}")
        if info.is_dir():
            yield info.filename, None
            continue
        with opened.open(info) as stream:
            yield info.filename, stream


def _of_tar(opened: tarfile.TarFile, archive: Path) -> Iterator[_Member]:
    for info in opened:
        _check_name(info.name, archive)
        if not (info.isfile() or info.isdir()):
            kind = "link" if info.issym() or info.islnk() else "special file"
            raise _refused(archive, f"the member '{info.name}' is a {kind}")
        yield info.name, opened.extractfile(info) if info.isfile() else None
        opened.members.clear()  # type: ignore[attr-defined]  # tarfile keeps the headers of all members


def _check_name(name: str, archive: Path) -> None:
    if not is_inside(name):
        raise _refused(archive, f"the member '{name}' leads out of the folder")
    if re.search(r"[\x00-\x1f\x7f]", name):
        raise _refused(archive, f"the member {name!r} has a control character in its name")
