"""The process that wrote a lock file, and whether it still runs."""

from __future__ import annotations

import os
import socket
from pathlib import Path

from attrs import frozen

_START_FIELD = 19
"""The place of ``starttime`` among the fields of ``/proc/PID/stat`` that follow the name of the program."""


@frozen
class Owner:
    """A process, told apart from a later process of the same number.

    Parameters
    ----------
    process : int
        The process id.
    started : str
        The boot of the system and the process's start in clock ticks since then; empty where the system does not tell.
    host : str
        The host and, on Linux, the space of process ids: a container has its own.
    """

    process: int
    started: str
    host: str

    @classmethod
    def this_process(cls) -> Owner:
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
