"""Archives from the web: no member leaves its folder."""

from __future__ import annotations

import lzma
import shutil
import stat
import tarfile
import zipfile
import zlib
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import IO, Any

from qeframe.core.errors import DataError
from qeframe.data.published.data_source import is_inside


def unpack(archive: Path, folder: Path, *, strip: int = 0, only: Sequence[str] = ()) -> int:
    """Unpack the files of a tar or zip archive into a folder that exists, and return their number.

    The first `strip` folders of each name are left out, and members with no name left, and those outside the folders
    `only`, if any. Times, owners and permissions are not kept. Refused are damaged archives, and members that are links
    or devices, that are twice in it, or whose name leads out of the folder. The caller then removes what was unpacked
    until then.
    """
    files = 0
    with _damage_as_data_error(archive):
        for name, kind, opened in _members(archive):
            if not is_inside(name):
                raise _refused(archive, f"the member '{name}' leads out of the folder")
            if kind not in ("file", "folder"):
                raise _refused(archive, f"the member '{name}' is a {kind}")
            inner = "/".join([part for part in name.split("/") if part not in ("", ".")][strip:])
            asked_for = not only or any(inner == path or inner.startswith(path.rstrip("/") + "/") for path in only)
            if kind == "file" and inner and asked_for:
                _write(opened, folder / inner, archive)
                files += 1
    return files


def _members(archive: Path) -> Iterator[tuple[str, str, Callable[[], IO[bytes] | None]]]:
    """Yield the name of each member, what it is, and what opens it."""
    if zipfile.is_zipfile(archive):
        with zipfile.ZipFile(archive) as packed:
            for info in packed.infolist():
                mode = stat.S_IFMT(info.external_attr >> 16)  # 0 where the archive does not say
                is_plain = mode in (0, stat.S_IFREG, stat.S_IFDIR)
                kind = "folder" if info.is_dir() else "file"
                yield info.filename, kind if is_plain else "link or special file", partial(packed.open, info)
        return
    with tarfile.open(archive) as tar:
        for member in tar:
            kind = "file" if member.isfile() else "folder" if member.isdir() else "link or special file"
            yield member.name, kind, partial(tar.extractfile, member)


def _write(opened: Callable[[], Any], path: Path, archive: Path) -> None:
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        target = path.open("xb")
    except (FileExistsError, NotADirectoryError) as error:
        raise DataError(f"the member '{path.name}' is in it twice", path=archive.name) from error
    with target, opened() as stream:
        shutil.copyfileobj(stream, target)


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
