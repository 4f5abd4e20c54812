"""Files in archives, read in place: ``data/en-de.tar.gz/en-de/gold.txt`` is the file en-de/gold.txt of that archive."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

from qeframe.core.errors import DataError, did_you_mean

if TYPE_CHECKING:
    import tarfile

_ENDINGS = (".tar.gz", ".tgz", ".tar", ".zip")
_CHUNK = 1 << 20


def archive_of(path: Path) -> Path | None:
    """Return the archive that a path leads into, None if the path exists or no part of it is an archive."""
    if os.path.lexists(path):
        return None
    return next((parent for parent in path.parents if parent.name.endswith(_ENDINGS) and parent.is_file()), None)


def member_chunks(archive: Path, path: Path) -> Iterator[bytes]:
    """Yield the bytes of a file in an archive, in pieces.

    `path`: the path of the archive, followed by the path of the file in it. Raises DataError if the archive has no such
    file, or cannot be unpacked.
    """
    import tarfile
    import zipfile
    import zlib

    name = path.relative_to(archive).as_posix()
    remedy = "get the archive again, with Git LFS if it is a pointer to the file"
    try:
        if archive.name.endswith(".zip"):
            with zipfile.ZipFile(archive) as packed:
                _check_name(name, packed.namelist(), archive)
                with packed.open(name) as file:
                    yield from pieces_of(file)
            return
        with tarfile.open(archive) as unpacked:
            files, first_chunks = {}, []
            for member in unpacked:
                if member.isfile():
                    files[member.name.removeprefix("./")] = member
                    if member.name.removeprefix("./") == name:  # the last one of the name counts
                        first_chunks = list(_content(unpacked, member)) if member.size <= _CHUNK else []
            _check_name(name, list(files), archive)
            yield from first_chunks or _content(unpacked, files[name])  # going back unpacks the archive again
    except (tarfile.TarError, zipfile.BadZipFile, EOFError, zlib.error, RuntimeError) as error:
        raise DataError(f"cannot be unpacked: {error}", path=archive, remedy=remedy) from error


def _content(archive: tarfile.TarFile, member: tarfile.TarInfo) -> Iterator[bytes]:
    file = archive.extractfile(member)
    assert file is not None
    return pieces_of(file)


def _check_name(name: str, names: list[str], archive: Path) -> None:
    if name not in names:
        raise DataError(f"the archive has no file {name}", path=archive, remedy=did_you_mean(name, names))


def pieces_of(stream: Any) -> Iterator[bytes]:
    """Yield the bytes of a stream, in pieces of 1 MiB."""
    while chunk := stream.read(_CHUNK):
        yield chunk
