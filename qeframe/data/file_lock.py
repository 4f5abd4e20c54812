"""A lock file: what one process at a time holds, until its work or the process ends."""

import os
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path

_FLAGS = os.O_RDWR | os.O_CREAT | getattr(os, "O_CLOEXEC", 0) | getattr(os, "O_NOFOLLOW", 0)
_TRIES = 1000


@contextmanager
def hold_lock(path: Path, busy: Exception) -> Iterator[None]:
    """Hold a lock file until the block ends; remove it then, and the folders that were made for it if they are empty.

    The lock is that of the system (``flock``), which ends with the process, however it ends. Where the system or the
    file system has none, as on Windows, nothing is locked: two processes do not notice each other.

    `busy` is raised if another process holds the file. Raises OSError if the file cannot be made.
    """
    made = [folder for folder in path.parents if not os.path.exists(folder)]
    lock = None
    try:
        lock = _locked(path, busy)
        yield
    finally:
        with suppress(OSError):
            if lock is not None and _is_at(lock, path):
                path.unlink()  # before the lock ends: the file is never that of another process
        if lock is not None:
            os.close(lock)
        with suppress(OSError):
            for folder in made:
                folder.rmdir()


def _locked(path: Path, busy: Exception) -> int | None:
    """Return the open file with its lock, made again if another process removes it meanwhile; None without locks."""
    try:
        import fcntl
    except ImportError:
        path.parent.mkdir(parents=True, exist_ok=True)
        return None
    lost: Exception = busy
    for _ in range(_TRIES):
        opened = None
        with ExitStack() as unless_locked:
            try:
                with suppress(FileExistsError):
                    path.parent.mkdir(parents=True)
                opened = os.open(path, _FLAGS, 0o666)
                unless_locked.callback(os.close, opened)
                try:
                    fcntl.flock(opened, fcntl.LOCK_EX | fcntl.LOCK_NB)
                except BlockingIOError:
                    raise busy from None
                except OSError:  # a file system without locks
                    pass
                if _is_at(opened, path):
                    unless_locked.pop_all()
                    return opened
            except FileNotFoundError as error:  # it cannot be made, or another process removes it or its folder
                lost = error if opened is None else busy
    raise lost


def _is_at(opened: int, path: Path) -> bool:
    return os.path.samestat(os.fstat(opened), path.stat())
