"""The folder of a result, held by one run from before the computation until its files are written.

Beside a folder ``results`` there can be, hidden: ``.results.qeframe-lock`` while a run holds it,
``.results.qeframe-new`` with the new files or the replaced ones, and ``.results.qeframe-old`` with the old result where
the system cannot exchange two folders in one step. A run that is killed leaves some of them; the next run that takes
the lock restores or removes them.
"""

import ctypes
import errno
import os
import stat
import sys
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from types import TracebackType

from attrs import frozen

from qeframe.core.errors import DataError
from qeframe.core.process_signals import undisturbed
from qeframe.report.folders.lock import Lock
from qeframe.report.folders.manifest import foreign_files, has_manifest, listed_files, remove_result, write_result

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

    Raises OSError if it can, and fails.
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


_REMEDY = "name another folder"
_TRIES = 1000


@frozen
class ResultFolder:
    """A folder that no other run writes, and that holds nothing but an earlier result. Made by `take`.

    `given`: as the caller named it; messages and the paths of results show it.
    `target`: the folder itself, without links.
    `made`: the parents that were created for it, the innermost first.
    """

    given: Path
    target: Path
    lock: Lock
    made: tuple[Path, ...]

    @classmethod
    def take(cls, out: str | os.PathLike[str]) -> "ResultFolder":
        """Take a folder; only missing parents and a hidden lock file are written.

        Raises DataError if the folder cannot be written, if another run writes it, or if it holds files that no run
        wrote.
        """
        given = Path(out)
        with _as_data_error(given):
            target = _target(given)
            folder = cls._locked(given, target)
        try:
            with _as_data_error(given):
                folder.lock.note([str(path) for path in folder.made])
                folder._tidy()
                folder._check()
        except BaseException:
            folder.close()
            raise
        return folder

    @classmethod
    def _locked(cls, given: Path, target: Path) -> "ResultFolder":
        """Make the missing parents, again if another run removes them meanwhile, and take the lock."""
        new_folders: list[Path] = []
        for attempt in range(_TRIES):
            try:
                new_folders += [path for path in _make(target.parent) if path not in new_folders]
                lock = Lock.take(_beside(target, "lock"), of=given)
                break
            except FileNotFoundError:
                if attempt == _TRIES - 1:
                    raise
            except BaseException:
                _remove_empty(new_folders)
                raise
        new_folders += [Path(path) for path in lock.noted if Path(path) not in new_folders]
        new_folders.sort(key=lambda path: -len(path.parts))
        return cls(given, target, lock, tuple(new_folders))

    def __fspath__(self) -> str:
        return os.fspath(self.given)

    def __str__(self) -> str:
        return str(self.given)

    def __enter__(self) -> "ResultFolder":
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def replace(self, files: Mapping[str, bytes]) -> None:
        """Put a new result in the place of the old one: all files, or none.

        Raises DataError if the folder cannot be written, or if other files came into it since it was taken.
        """
        with _as_data_error(self.given):
            self._check()
            try:
                write_result(self._fresh, files)
                put_in_place(self._fresh, self.target, self._aside)
            finally:
                with suppress(OSError):  # what is left is removed by the next run
                    self._tidy()

    def files(self) -> dict[str, bytes]:
        """Return the files of the result that the folder holds, by name.

        Raises DataError if a file cannot be read.
        """
        with _as_data_error(self.given):
            return listed_files(self.target)

    def close(self) -> None:
        """Give the folder free, and remove the parents that were made for it if they are empty; once."""
        if self.lock.file.closed:
            return
        with undisturbed():
            with suppress(OSError, DataError):
                self._tidy()
            with suppress(OSError):
                self.lock.release()
            _remove_empty(self.made)

    @property
    def _fresh(self) -> Path:
        return _beside(self.target, "new")

    @property
    def _aside(self) -> Path:
        return _beside(self.target, "old")

    def _tidy(self) -> None:
        """Bring back an old result that was set aside in vain; remove what a run left."""
        if os.path.lexists(self._aside):
            if not self.target.exists() or not any(self.target.iterdir()):
                os.rename(self._aside, self.target)
            elif has_manifest(self.target):
                remove_result(self._aside)
            else:
                what = f"an interrupted run left the earlier result in {self._aside}, and other files are here now"
                raise DataError(what, path=self.given, remedy="move one of the two folders away")
        if os.path.lexists(self._fresh):
            remove_result(self._fresh)

    def _check(self) -> None:
        """Raise an error for what makes the folder unusable."""
        if not os.access(self.target.parent, os.W_OK | os.X_OK):
            raise DataError("cannot be written: the folder above it cannot", path=self.given, remedy=_REMEDY)
        if not self.target.exists():
            return
        if os.path.ismount(self.target) or self.target in [Path.cwd(), *Path.cwd().parents]:
            what = "is the current folder, one above it, or a mount point, and cannot be replaced as a whole"
            raise DataError(what, path=self.given, remedy="name a folder in it")
        if not os.access(self.target, os.R_OK | os.W_OK | os.X_OK) or _is_kept(self.target):
            raise DataError("cannot be written: permission denied", path=self.given, remedy=_REMEDY)
        if others := foreign_files(self.target):
            more = f" and {len(others) - 1} more" if len(others) > 1 else ""
            what = f"holds files that no run wrote, or that were changed since: '{others[0]}'{more}"
            raise DataError(what, path=self.given, remedy=f"move them away, or {_REMEDY}")


def _beside(target: Path, what: str) -> Path:
    return target.with_name(f".{target.name}.qeframe-{what}")


def _target(given: Path) -> Path:
    """Return the folder behind a path that the user named."""
    if given.is_symlink() and not given.exists():
        raise DataError("is a link that leads nowhere", path=given, remedy=_REMEDY)
    if given.exists() and not given.is_dir():
        raise DataError("is a file, not a folder", path=given, remedy="name a folder")
    target = Path(os.path.realpath(given))
    if not target.name:
        raise DataError("is the root of the file system", path=given, remedy="name a folder in it")
    return target


def _is_kept(target: Path) -> bool:
    """Return whether the sticky bit of the parent forbids this user to rename a folder."""
    parent, user = target.parent.stat(), os.geteuid() if hasattr(os, "geteuid") else 0
    return bool(parent.st_mode & stat.S_ISVTX) and user not in (0, parent.st_uid, target.stat().st_uid)


def _make(folder: Path) -> list[Path]:
    """Create a folder and its parents; return those that this call created, the innermost first."""
    new_folders: list[Path] = []
    try:
        for path in reversed([folder, *folder.parents]):
            if not path.exists():
                with suppress(FileExistsError):
                    path.mkdir()
                    new_folders.insert(0, path)
    except BaseException:
        _remove_empty(new_folders)
        raise
    return new_folders


def _remove_empty(folders: Iterable[Path]) -> None:
    """Remove folders, the innermost first, up to one that is not empty."""
    with suppress(OSError):
        for folder in folders:
            folder.rmdir()


@contextmanager
def _as_data_error(path: Path) -> Iterator[None]:
    """Turn an error of the system into one line."""
    try:
        yield
    except OSError as error:
        reason = error.strerror or str(error)
        where = f" ({error.filename})" if error.filename and Path(os.fsdecode(error.filename)) != path else ""
        raise DataError(f"cannot be written: {reason}{where}", path=path, remedy=_REMEDY) from error
