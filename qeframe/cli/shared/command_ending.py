"""How a command ends by a signal: with one line."""

from __future__ import annotations

import os
import signal
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from types import FrameType

from qeframe.core.processes import SIGNALS, EndedError

_PATIENCE = 4.0
"""Seconds after a signal in which the main thread has to tidy up."""


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
