"""`fetch`: the files of a data source, downloaded, unpacked and checked, in a folder that is whole or not there."""

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

LOCK = "lock"  # the file that is locked


@contextmanager
def held_folder(folder: Path, busy: DataError) -> Iterator[None]:
    """Make a folder and hold its lock until the block ends. Then remove the folder if nothing but the lock is in it.

    `busy` is raised if another process holds the folder, in which nothing is changed then. The system ends the lock
    with the process. Systems without such locks have none.
    """
    lock = _locked(folder, busy)
    try:
        yield
    finally:
        if os.name != "posix":  # such a system has no locks, and does not remove an open file
            lock.close()
        _remove_empty(folder)
        lock.close()


def _locked(folder: Path, busy: DataError) -> TextIOWrapper:
    """Return the open lock. If another process removes the folder meanwhile, it is made again."""
    lock = folder / LOCK
    while True:
        folder.mkdir(parents=True, exist_ok=True)
        with suppress(FileNotFoundError), ExitStack() as unless_locked:
            stream = unless_locked.enter_context(lock.open("a"))
            _take(stream, busy)
            if os.path.samestat(os.fstat(stream.fileno()), lock.stat()):  # not a file that was removed meanwhile
                unless_locked.pop_all()
                return stream


def _take(lock: TextIOWrapper, busy: DataError) -> None:
    try:
        import fcntl

        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
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
    watch: Watch = lambda name, present, total: None,
    largest: int = LARGEST,
) -> Path:
    """Download the data of a source, unless they are there, and return their folder: `to`, or one in the cache.

    The work is done in a hidden folder beside the target, ``.NAME.partial``, which becomes the target when everything
    is there and was checked. If a download is interrupted, that folder keeps what is there for the next call. If a
    check fails, nothing is kept.
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
                if os.path.lexists(folder) and not (folder.is_dir() and not any(folder.iterdir())):
                    remedy = "name another folder with --to"
                    raise DataError("is there already, with other content", path=folder, remedy=remedy)
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
            what = f"the data have no file '{name}', of which {source.origin or source.name} knows the SHA-256"
            raise DataError(what)
        with path.open("rb") as stream:
            actual = hashlib.file_digest(stream, "sha256").hexdigest()
        if actual != digest:
            what = f"the SHA-256 of '{name}' is {actual}, not {digest}"
            raise DataError(what, remedy="nothing was kept; the data have changed, or were damaged on the way")
