"""The folder of a result, held by one run from before the computation until its files are written.

Beside a folder ``results`` there can be, hidden: ``.results.lock`` while a run holds it, ``.results.new`` with files
that are being written, and ``.results.old`` with the old result between the two renames that put the new one in its
place. At any moment ``results`` or ``.results.old`` is whole. A run that is killed leaves some of them; the next run
that takes the lock restores or removes them.
"""

import os
import stat
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from types import TracebackType

from attrs import frozen

from qeframe.core.errors import DataError
from qeframe.core.processes import undisturbed
from qeframe.data.file_lock import hold_lock
from qeframe.report.folders.manifest import foreign_files, has_manifest, listed_files, remove_result, write_result

_REMEDY = "name another folder"


@frozen
class ResultFolder:
    """A folder that no other run writes, and that holds nothing but an earlier result. Made by `take`.

    `given`: as the caller named it; messages and the paths of results show it.
    `target`: the folder itself, without links.
    `held`: ends the lock when it is closed.
    """

    given: Path
    target: Path
    held: ExitStack

    @classmethod
    def take(cls, out: str | os.PathLike[str]) -> "ResultFolder":
        """Take a folder; only missing parents and a hidden lock file are written.

        Raises DataError if the folder cannot be written, if another run writes it, or if it holds files that no run
        wrote.
        """
        given = Path(out)
        busy = DataError("another run is writing it", path=given, remedy=f"wait for it, or {_REMEDY}")
        with _as_data_error(given), ExitStack() as held:
            target = _target(given)
            held.enter_context(hold_lock(_beside(target, "lock"), busy))
            folder = cls(given, target, held)
            folder._settle()
            folder._check()
            return cls(given, target, held.pop_all())

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
                write_result(self._new, files)
                if self.target.exists():
                    os.chmod(self._new, self.target.stat().st_mode & 0o7777)
                    os.rename(self.target, self._old)
                os.rename(self._new, self.target)
            finally:
                with suppress(OSError, DataError):  # what is left is removed by the next run
                    self._settle()

    def files(self) -> dict[str, bytes]:
        """Return the files of the result that the folder holds, by name.

        Raises DataError if a file cannot be read.
        """
        with _as_data_error(self.given):
            return listed_files(self.target)

    def close(self) -> None:
        """Give the folder free, and remove the parents that were made for it if they are empty; once."""
        with undisturbed():
            self.held.close()

    @property
    def _new(self) -> Path:
        return _beside(self.target, "new")

    @property
    def _old(self) -> Path:
        return _beside(self.target, "old")

    def _settle(self) -> None:
        """Restore an old result that has no new one in its place; remove what else a killed run left."""
        if has_manifest(self._old):
            if not self.target.exists() or not any(self.target.iterdir()):
                os.rename(self._old, self.target)
            elif not has_manifest(self.target):
                what = f"an interrupted run left the earlier result in {self._old}, and other files are here now"
                raise DataError(what, path=self.given, remedy="move one of the two folders away")
        for left in (self._old, self._new):
            if os.path.lexists(left):
                remove_result(left)

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
    return target.with_name(f".{target.name}.{what}")


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


@contextmanager
def _as_data_error(path: Path) -> Iterator[None]:
    """Turn an error of the system into one line."""
    try:
        yield
    except OSError as error:
        reason = error.strerror or str(error)
        where = f" ({error.filename})" if error.filename and Path(os.fsdecode(error.filename)) != path else ""
        raise DataError(f"cannot be written: {reason}{where}", path=path, remedy=_REMEDY) from error
