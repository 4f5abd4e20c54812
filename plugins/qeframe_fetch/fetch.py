"""`fetch`: the files of a data source, downloaded, unpacked and checked, in a folder that is whole or not there."""

from __future__ import annotations

import hashlib
import os
import shutil
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from functools import partial
from io import TextIOWrapper
from pathlib import Path

from qeframe.plugin import DataError
from qeframe.plugin.data import RECORD, DataSource, SourceFile, data_folder, description, is_fetched
from qeframe_fetch.download import LARGEST, Watch, download
from qeframe_fetch.unpack import unpack

LOCK = "lock"
"""The file that is locked."""

_HAS_LOCKS = os.name == "posix"


@contextmanager
def held_folder(folder: Path, busy: DataError) -> Iterator[None]:
    """Make a folder and hold its lock until the block ends. Then remove the folder if nothing but the lock is in it.

    The system ends the lock with the process. Systems without such locks have none.

    Parameters
    ----------
    folder : Path
    busy : DataError
        Is raised if another process holds the folder, in which nothing is changed then.
    """
    lock = _locked(folder, busy)
    try:
        yield
    finally:
        if not _HAS_LOCKS:  # such a system does not remove an open file
            lock.close()
        _remove_empty(folder)
        lock.close()


def _locked(folder: Path, busy: DataError) -> TextIOWrapper:
    """Return the open lock. If another process removes the folder meanwhile, it is made again."""
    lock = folder / LOCK
    while True:
        folder.mkdir(parents=True, exist_ok=True)
        with suppress(FileNotFoundError), ExitStack() as unless_held:
            held = unless_held.enter_context(lock.open("a"))
            _take(held, busy)
            if os.path.samestat(os.fstat(held.fileno()), lock.stat()):  # not a file that was removed meanwhile
                unless_held.pop_all()
                return held


def _take(held: TextIOWrapper, busy: DataError) -> None:
    try:
        import fcntl

        fcntl.flock(held, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except ImportError:
        pass
    except BlockingIOError as error:
        raise busy from error


def _remove_empty(folder: Path) -> None:
    """Remove a folder that has the lock alone; the lock goes last, so that no other process works in it before."""
    with suppress(OSError):
        if [path.name for path in folder.iterdir()] == [LOCK]:
            (folder / LOCK).unlink()
            folder.rmdir()


def fetch(
    source: DataSource,
    to: Path | None = None,
    *,
    watch: Watch = lambda name, there, total: None,
    largest: int = LARGEST,
) -> Path:
    """Download the data of a source, unless they are there.

    The work is done in a hidden folder beside the target, ``.NAME.partial``, which becomes the target when everything
    is there and was checked. If a download is interrupted, that folder keeps what is there for the next call. If a
    check fails, nothing is kept.

    Parameters
    ----------
    source : DataSource
    to : Path, optional
        The folder for the data, which is made. Default: a folder of the source in the cache.
    watch : callable
        Is told the name of a file, the bytes that are there, and their total.
    largest : int
        The most bytes of a file whose size is not declared.

    Returns
    -------
    Path
        The folder.

    Raises
    ------
    DataError
        If the folder holds something else, a file cannot be downloaded, or a digest or an archive is not as it should.
    """
    folder = Path(os.path.abspath(data_folder(source) if to is None else to))
    if is_fetched(source, folder):
        return folder
    hidden = folder.with_name(f".{folder.name}.partial")
    get = partial(download, watch=watch, largest=largest)
    busy = DataError("is being fetched by another process", path=folder, remedy="wait for it")
    try:
        with held_folder(hidden, busy):
            if not is_fetched(source, folder):  # by the process that held the lock until now
                _check_empty(folder)
                _make(source, folder, hidden, get)
    except OSError as error:
        raise DataError(f"cannot be written: {error.strerror or error}", path=folder) from error
    return folder


def _make(source: DataSource, folder: Path, hidden: Path, get: Callable[[SourceFile, Path], Path]) -> None:
    """Make the folder in the hidden one, which this process holds."""
    content = hidden / "content"
    shutil.rmtree(content, ignore_errors=True)
    content.mkdir()
    try:
        _fill(source, hidden, content, get)
    except DataError:
        if not any("-" in path.name for path in hidden.glob("[0-9]*")):  # nothing to continue with
            _clear(hidden)
        raise
    (content / RECORD).write_text(description(source), encoding="utf-8")
    if folder.exists():
        folder.rmdir()
    os.replace(content, folder)
    _clear(hidden)


def _clear(hidden: Path) -> None:
    """Remove everything but the lock."""
    for path in hidden.iterdir():
        if path.is_dir():
            shutil.rmtree(path, ignore_errors=True)
        elif path.name != LOCK:
            path.unlink(missing_ok=True)


def _check_empty(folder: Path) -> None:
    if folder.is_dir() and not any(folder.iterdir()):
        return
    if os.path.lexists(folder):
        raise DataError("is there already, with other content", path=folder, remedy="name another folder with --to")


def _fill(source: DataSource, hidden: Path, content: Path, get: Callable[[SourceFile, Path], Path]) -> None:
    """Download, unpack and check; remove what a failed check leaves."""
    digests = source.member_digests()
    files = [
        get(file, hidden / f"{number}-{file.url.rpartition('/')[2][-80:] or 'file'}")
        for number, file in enumerate(source.files)
    ]
    try:
        for file, path in zip(source.files, files, strict=True):
            if file.unpack:
                if not unpack(path, content, strip=file.strip, only=file.only):
                    raise DataError("has none of the files that were asked for", path=file.url)
            else:
                (content / file.path).parent.mkdir(parents=True, exist_ok=True)
                os.replace(path, content / file.path)
        _check_digests(digests, content, source)
    except BaseException as error:
        shutil.rmtree(content, ignore_errors=True)
        if isinstance(error, DataError):
            for path in files:
                path.unlink(missing_ok=True)
        raise


def _check_digests(digests: dict[str, str], content: Path, source: DataSource) -> None:
    for name, digest in digests.items():
        path = content / name
        if not path.is_file():
            raise DataError(
                f"the data have no file '{name}', of which {source.origin or source.name} knows the SHA-256"
            )
        with path.open("rb") as stream:
            found = hashlib.file_digest(stream, "sha256").hexdigest()
        if found != digest:
            what = f"the SHA-256 of '{name}' is {found}, not {digest}"
            raise DataError(what, remedy="nothing was kept; the data have changed, or were damaged on the way")
