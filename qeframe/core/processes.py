"""How a process ends, by a signal or with the process that started it, and temporary folders that do not outlive one.

Folders of killed processes are removed later.
"""

from __future__ import annotations

import os
import re
import signal
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from functools import cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

_PREFIX = ".qeframe-temporary-"
_TEMPORARY = re.compile(re.escape(_PREFIX) + "[a-z0-9_]{8}")
_YOUNG = 60.0
"""Seconds in which a temporary folder that is not locked may belong to a process that is about to lock it."""


@contextmanager
def temporary_folder() -> Iterator[Path]:
    """Make a temporary folder, and remove it when the block ends; first remove those of processes that were killed."""
    import shutil
    import tempfile
    from pathlib import Path

    _remove_abandoned(tempfile.gettempdir())
    folder, lock = None, None
    try:
        with undisturbed():
            folder = tempfile.mkdtemp(prefix=_PREFIX)
            lock = _lock(folder)
        yield Path(folder)
    finally:
        with undisturbed():
            if folder is not None:
                shutil.rmtree(folder, ignore_errors=True)
            if lock is not None:
                os.close(lock)


@cache
def _remove_abandoned(temporary: str) -> None:
    """Remove temporary folders that no process holds, once in each process."""
    import shutil

    with suppress(OSError), os.scandir(temporary) as entries:
        for entry in entries:
            if not _TEMPORARY.fullmatch(entry.name) or not entry.is_dir(follow_symlinks=False):
                continue
            old = entry.stat(follow_symlinks=False).st_mtime < time.time() - _YOUNG
            if old and (lock := _lock(entry.path)) is not None:
                shutil.rmtree(entry.path, ignore_errors=True)
                os.close(lock)


def _lock(folder: str) -> int | None:
    """Return an open folder with its lock, which ends with the process; None if another process has it."""
    try:
        import fcntl

        opened = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW)
    except (ImportError, OSError):  # other systems have no locks on folders, and keep what a killed process left
        return None
    try:
        fcntl.flock(opened, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        os.close(opened)
        return None
    return opened


SIGNALS = tuple(getattr(signal, name) for name in ("SIGINT", "SIGTERM", "SIGHUP") if hasattr(signal, name))


class EndedError(KeyboardInterrupt):
    """SIGTERM or SIGHUP asks this process to end: what keeps results at an interrupt by the user lets it pass."""


@contextmanager
def undisturbed() -> Iterator[None]:
    """Hold signals back until the block ends: for a few steps of which none may be left out."""
    came: list[int] = []
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    heard = [number for number in SIGNALS if callable(signal.getsignal(number))]
    before = {number: signal.signal(number, lambda number, _frame: came.append(number)) for number in heard}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
        for number in came:
            signal.raise_signal(number)
