"""Put one folder in the place of another."""

from __future__ import annotations

import ctypes
import errno
import os
import sys
from pathlib import Path

_AT_FDCWD, _RENAME_EXCHANGE = -100, 2
_CANNOT = {errno.ENOSYS, errno.EINVAL, errno.ENOTSUP, errno.EOPNOTSUPP}


def put_in_place(fresh: Path, target: Path, aside: Path) -> None:
    """Move a folder to its place; what was there is then at `fresh`, at `aside`, or was empty.

    In one step where the system and the file system can. Otherwise the old folder is moved aside first: a kill between
    the two steps leaves no folder in the place, and the old one aside.
    """
    if not target.exists():
        os.rename(fresh, target)
        return
    os.chmod(fresh, target.stat().st_mode & 0o7777)
    if exchange(fresh, target):
        return
    os.rename(target, aside)
    try:
        os.rename(fresh, target)
    except BaseException:
        if not target.exists():
            os.rename(aside, target)
        raise


def exchange(first: Path, second: Path) -> bool:
    """Exchange two paths in one step; return False where the system or the file system cannot.

    Raises
    ------
    OSError
        If it can, and fails.
    """
    if not sys.platform.startswith("linux"):
        return False
    try:
        rename = ctypes.CDLL(None, use_errno=True).renameat2
    except (AttributeError, OSError):
        return False
    paths = os.fsencode(first), os.fsencode(second)
    if rename(_AT_FDCWD, paths[0], _AT_FDCWD, paths[1], ctypes.c_uint(_RENAME_EXCHANGE)) == 0:
        return True
    code = ctypes.get_errno()
    if code in _CANNOT:
        return False
    raise OSError(code, os.strerror(code), str(second))
