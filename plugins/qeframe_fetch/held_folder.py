"""A folder in which one process works at a time, held by a lock on a file in it."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from io import TextIOWrapper
from pathlib import Path

from qeframe.plugin import DataError

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
    held = _locked(folder, busy)
    try:
        yield
    finally:
        if not _HAS_LOCKS:  # such a system does not remove an open file
            held.close()
        _remove_empty(folder)
        held.close()


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
