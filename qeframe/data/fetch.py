"""`fetch`: the files of a data source, downloaded, unpacked and checked, in a folder that is whole or not there."""

import hashlib
import os
import shutil
from contextlib import suppress
from pathlib import Path

from qeframe.core.errors import DataError
from qeframe.data.download import LARGEST, Watch, download
from qeframe.data.file_lock import hold_lock
from qeframe.data.places import RECORD, data_folder, description, is_fetched
from qeframe.data.published.data_source import DataSource
from qeframe.data.unpack import unpack


def fetch(
    source: DataSource,
    to: Path | None = None,
    *,
    watch: Watch = lambda name, present, total: None,
    largest: int = LARGEST,
) -> Path:
    """Download the data of a source, unless they are there, and return their folder: `to`, or one in the cache.

    The work is done in a hidden folder beside the target, ``.NAME.partial``, whose content becomes the target when
    everything is there and was checked. If a download is interrupted, that folder keeps the files that are whole
    for the next call. If a check fails, nothing is kept.
    """
    folder = Path(os.path.abspath(data_folder(source) if to is None else to))
    if is_fetched(source, folder):
        return folder
    busy = DataError("is being fetched by another process", path=folder, remedy="wait for it")
    try:
        with hold_lock(folder.parent / f".{folder.name}.lock", busy):
            if not is_fetched(source, folder):  # by the process that held the lock until now
                if os.path.lexists(folder) and not (folder.is_dir() and not any(folder.iterdir())):
                    remedy = "name another folder with --to"
                    raise DataError("is there already, with other content", path=folder, remedy=remedy)
                _make(source, folder, folder.parent / f".{folder.name}.partial", watch, largest)
    except OSError as error:
        raise DataError(f"cannot be written: {error.strerror or error}", path=folder) from error
    return folder


def _make(source: DataSource, folder: Path, partial: Path, watch: Watch, largest: int) -> None:
    """Make the folder from what is downloaded into another one."""
    digests = source.member_digests()
    partial.mkdir(exist_ok=True)
    files = [partial / f"{nth}-{file.url.rpartition('/')[2][-80:] or 'file'}" for nth, file in enumerate(source.files)]
    try:
        for file, path in zip(source.files, files, strict=True):
            download(file, path, watch, largest=largest)
    finally:
        with suppress(OSError):
            partial.rmdir()  # unless there is something to continue with
    content = partial / "content"
    shutil.rmtree(content, ignore_errors=True)
    content.mkdir()
    try:
        _fill(source, content, files, digests)
    except BaseException as error:
        shutil.rmtree(partial if isinstance(error, DataError) else content, ignore_errors=True)
        raise
    if folder.exists():
        folder.rmdir()
    os.replace(content, folder)
    shutil.rmtree(partial, ignore_errors=True)


def _fill(source: DataSource, content: Path, files: list[Path], digests: dict[str, str]) -> None:
    """Move or unpack what was downloaded, and check what the source knows of it."""
    for file, path in zip(source.files, files, strict=True):
        if not file.unpack:
            (content / file.path).parent.mkdir(parents=True, exist_ok=True)
            os.replace(path, content / file.path)
        elif not unpack(path, content, strip=file.strip, only=file.only):
            raise DataError("has none of the files that were asked for", path=file.url)
    for name, digest in digests.items():
        path = content / name
        if not path.is_file():
            what = f"the data have no file '{name}', of which {source.origin or source.name} knows the SHA-256"
            raise DataError(what)
        with path.open("rb") as stream:
            actual = hashlib.file_digest(stream, "sha256").hexdigest()
        if actual != digest:
            what = f"the SHA-256 of '{name}' is {actual}, not {digest}"
            raise DataError(what, remedy="nothing was kept; the data have changed, or were damaged on the way")
    (content / RECORD).write_text(description(source), encoding="utf-8")
