"""Temporary folders, which do not outlive the process that made them: those of killed processes are removed later."""

from __future__ import annotations

import os
import re
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from functools import cache
from typing import TYPE_CHECKING

from qeframe.core.process_signals import undisturbed

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
