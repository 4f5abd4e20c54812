"""A lock file: one run at a time.

The lock is that of the system (``flock``), which ends with the process, however it ends. The file holds the owner: for
the message to others, and for file systems that have no such locks, where a file whose owner has ended holds nothing.
"""

import json
import os
import socket
from collections.abc import Sequence
from io import FileIO
from pathlib import Path

import attrs
from attrs import frozen

from qeframe.core.errors import DataError

_START_FIELD = 19
"""The place of ``starttime`` among the fields of ``/proc/PID/stat`` that follow the name of the program."""


@frozen
class Owner:
    """A process, told apart from a later process of the same number.

    `process`: the process id.
    `started`: the boot of the system and the process's start in clock ticks since then; empty where the system does not
      tell.
    `host`: the host and, on Linux, the space of process ids: a container has its own.
    """

    process: int
    started: str
    host: str

    @classmethod
    def this_process(cls) -> "Owner":
        """Return the owner that the running process is."""
        return cls(os.getpid(), _start(os.getpid()), _host())

    def may_run(self) -> bool:
        """Return whether the process may still run: False only where it is known to have ended."""
        if self.host != _host() or os.name != "posix":
            return True
        if self.started:
            return _start(self.process) == self.started
        try:
            os.kill(self.process, 0)
        except ProcessLookupError:
            return False
        except OSError:
            return True
        return True


def _start(process: int) -> str:
    """Return the boot and the start of a process, or an empty text if there is no such process or no ``/proc``."""
    try:
        boot = Path("/proc/sys/kernel/random/boot_id").read_text().strip()
        fields = Path(f"/proc/{process}/stat").read_text(errors="replace").rpartition(")")[2].split()
    except OSError:
        return ""
    return f"{boot}:{fields[_START_FIELD]}"


def _host() -> str:
    try:
        space = os.readlink("/proc/self/ns/pid")
    except OSError:
        space = ""
    return f"{socket.gethostname()}{space and ' '}{space}"


_TRIES = 1000
_FLAGS = os.O_RDWR | os.O_CREAT | getattr(os, "O_CLOEXEC", 0) | getattr(os, "O_NOFOLLOW", 0)


@frozen
class Lock:
    """A lock that this process holds.

    `file`: the open lock file. `noted`: what a run that was killed had noted in the file.
    """

    path: Path
    file: FileIO
    noted: tuple[str, ...] = ()

    @classmethod
    def take(cls, path: Path, *, of: Path) -> "Lock":
        """Take the lock.

        `path`: the lock file. `of`: what is locked, for the message. Raises DataError if another run holds it. Raises
        OSError if the file cannot be opened.
        """
        for _ in range(_TRIES):
            file = FileIO(os.open(path, _FLAGS, 0o666), "r+")
            try:
                owner, noted = _read(file)
                if not _locked(file, owner):
                    raise _busy(of, path, owner)
                if _is_at(file, path):
                    return cls(path, file, noted)
            except BaseException:
                file.close()
                raise
            file.close()  # the former owner removed it meanwhile
        raise _busy(of, path, None)

    def note(self, lines: Sequence[str]) -> None:
        """Write this process, and lines for the next owner in case that this process is killed."""
        record = {**attrs.asdict(Owner.this_process()), "noted": list(lines)}
        self.file.seek(0)
        self.file.truncate()
        self.file.write(json.dumps(record).encode())

    def release(self) -> None:
        """Remove the lock file, then end the lock; a second call does nothing."""
        if self.file.closed:
            return
        try:
            if _is_at(self.file, self.path):
                self.path.unlink(missing_ok=True)
        finally:
            self.file.close()


def _locked(file: FileIO, owner: Owner | None) -> bool:
    """Return whether the open file is locked now; without locks of the system, whether its owner has ended."""
    try:
        import fcntl

        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    except (ImportError, OSError):
        empty = os.fstat(file.fileno()).st_size == 0
        return empty or (owner is not None and not owner.may_run())
    return True


def _is_at(file: FileIO, path: Path) -> bool:
    try:
        return os.path.samestat(os.fstat(file.fileno()), path.stat())
    except FileNotFoundError:
        return False


def _read(file: FileIO) -> tuple[Owner | None, tuple[str, ...]]:
    """Return the owner and the notes in a lock file; None and nothing if it was not written to the end."""
    try:
        record = json.loads(file.read())
        return Owner(int(record["process"]), str(record["started"]), str(record["host"])), tuple(record["noted"])
    except (ValueError, KeyError, TypeError):
        return None, ()


def _busy(of: Path, path: Path, owner: Owner | None) -> DataError:
    who = f" (process {owner.process} on {owner.host.partition(' ')[0]})" if owner else ""
    remedy = f"wait for it, or name another folder; if no run is left, remove {path}"
    return DataError(f"another run{who} is writing it", path=of, remedy=remedy)
