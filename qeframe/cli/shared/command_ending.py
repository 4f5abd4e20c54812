"""How a command ends: by a signal, with one line, and never without a word."""

from __future__ import annotations

import os
import signal
import sys
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from itertools import product
from types import FrameType
from typing import NoReturn

from qeframe.core.process_signals import SIGNALS, EndedError

_PATIENCE = 4.0
"""Seconds after a signal in which the main thread has to tidy up."""
_EXITS = ("_exit", "abort", "execv", "execve")
_TRUSTED = frozenset({"qeframe", "multiprocessing", "concurrent", "threading", "subprocess"})


def ending_line(number: int) -> str:
    """Return what is printed when a signal has ended the process."""
    if number == signal.SIGINT:
        return "qeframe: interrupted"
    return f"qeframe: ended by {signal.Signals(number).name}; the same command can be run again"


@contextmanager
def ended_by_signals() -> Iterator[list[int]]:
    """Turn the signals that end a process into exceptions; yield a list that grows with each of them.

    SIGINT raises `KeyboardInterrupt`. SIGTERM and SIGHUP raise `EndedError`, once; a SIGHUP that the caller ignores, as
    ``nohup`` does, stays ignored. A main thread that waits in a library cannot raise anything, and a plugin may keep an
    exception: a thread then ends the process after some seconds.
    """
    seen: list[int] = []

    def end(number: int, _frame: FrameType | None) -> None:
        if seen and seen[-1] != signal.SIGINT:
            return  # it ends already
        seen.append(number)
        raise KeyboardInterrupt if number == signal.SIGINT else EndedError(number)

    if threading.current_thread() is not threading.main_thread():
        yield seen
        return
    heard = [n for n in SIGNALS if n == signal.SIGINT or signal.getsignal(n) is not signal.SIG_IGN]
    before = {number: signal.signal(number, end) for number in heard}
    try:
        with _ended_late(seen):
            yield seen
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


@contextmanager
def _ended_late(seen: Sequence[int]) -> Iterator[None]:
    """End the process where a signal did not: Python writes its number to a pipe as soon as it arrives."""
    if os.name != "posix":  # no pipe that does not block
        yield
        return
    read, write = os.pipe()
    os.set_blocking(write, False)
    done = threading.Event()

    def watch() -> None:
        with open(read, "rb", buffering=0) as numbers:
            while number := int.from_bytes(numbers.read(1), "big"):
                if number in SIGNALS and not done.wait(_PATIENCE) and (number != signal.SIGINT or not seen):
                    with suppress(OSError):
                        os.write(2, f"{ending_line(number)}\n".encode())
                    os._exit(128 + number)

    threading.Thread(target=watch, daemon=True).start()
    before = signal.set_wakeup_fd(write, warn_on_full_buffer=False)
    try:
        yield
    finally:
        done.set()
        signal.set_wakeup_fd(before)
        os.close(write)


@contextmanager
def no_silent_end(*, guard: bool = True) -> Iterator[None]:
    """Keep code of third parties from ending this process with status 0 and no result, as ``os._exit(0)`` does.

    In the main thread it raises `SystemExit` in place of that, so that who is at work is named. Another thread ends the
    process with a line and status 2. Child processes, and what qeframe and Python end themselves, are left alone.
    """
    process, exits = os.getpid(), {name: getattr(os, name) for name in _EXITS if hasattr(os, name)}

    def guarded(name: str) -> Callable[..., NoReturn]:
        def leave(*given: object) -> NoReturn:
            frame = sys._getframe().f_back  # none in a handler at exit: the result is written
            caller = "" if frame is None else str(frame.f_globals.get("__name__", ""))
            if frame is None or os.getpid() != process or caller.partition(".")[0] in _TRUSTED:
                exits[name](*given)
            if threading.current_thread() is not threading.main_thread():
                os.write(2, f"qeframe: os.{name} in module '{caller}' ended the process without a result\n".encode())
                exits["_exit"](2)
            raise SystemExit(f"os.{name}({', '.join(map(repr, given))})")

        return leave

    owners = (os, sys.modules[os.name])  # a function of `os` is one of `posix` or `nt`
    if guard:
        for owner, name in product(owners, exits):
            setattr(owner, name, guarded(name))
    try:
        yield
    finally:
        for owner, name in product(owners, exits):
            setattr(owner, name, exits[name])
