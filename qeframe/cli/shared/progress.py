"""Progress of long computations, on standard error."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, ExitStack, contextmanager
from threading import Event, Thread
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from concurrent.futures import Executor

    from qeframe.core.resampling.parallel import Blocks, Runner

_DELAY = 0.7
"""Seconds before a bar is shown; short computations show none."""
_INTERVAL = 10.0
"""Seconds between plain lines, where standard error is not a terminal."""


@contextmanager
def working(
    what: str,
    *,
    workers: int = 1,
    quiet: bool = False,
    executor: str = "threads",
    keep: Callable[[Callable[[str], None]], Blocks] | None = None,
    expected: float | None = None,
) -> Iterator[Runner]:
    """Yield a runner and show its progress: a bar on a terminal, otherwise a plain line at intervals.

    Parameters
    ----------
    what : str
        The name of the work, one word.
    workers : int
        The number of threads or processes.
    quiet : bool
        Show nothing.
    executor : str
        As in `open_executor`.
    keep : callable, optional
        Is given a function that writes a line, and returns what keeps and finds the results of blocks.
    expected : float, optional
        Seconds that the work takes by an estimate. Without it, the time left is that of the present step.

    Raises
    ------
    DataError
        If there is no such executor.
    """
    from qeframe.core.resampling.parallel import Runner

    with ExitStack() as stack:
        opened = None if (executor == "threads" and workers == 1) else stack.enter_context(_opened(executor, workers))
        write = _write_once()
        blocks = None if keep is None else keep((lambda _text: None) if quiet else write)
        if quiet:
            yield Runner(opened, blocks=blocks)
        else:
            display = _Bar(what) if sys.stderr.isatty() else _Lines(what, expected)
            stack.callback(display.close)
            yield Runner(opened, display.watch, write, blocks)


def _opened(executor: str, workers: int) -> AbstractContextManager[Executor | None]:
    from qeframe.execution.executors import open_executor

    return open_executor(executor, workers)


def _write_once() -> Callable[[str], None]:
    """Return a function that writes lines to standard error, each different line once."""
    written: set[str] = set()

    def write(text: str) -> None:
        if text not in written:
            written.add(text)
            _write(text)

    return write


def _write(text: str) -> None:
    sys.stderr.write(f"qeframe: {text}\n")
    sys.stderr.flush()


class _Lines:
    """A plain line at regular intervals until the work ends."""

    def __init__(self, what: str, expected: float | None = None) -> None:
        self._what, self._expected, self._ended = what, expected, Event()
        self._begun = self._step_begun = self._last = time.monotonic()
        self._done = self._total = 0
        Thread(target=self._write_lines, daemon=True).start()

    def _write_lines(self) -> None:
        while not self._ended.wait(_INTERVAL):
            _write(self.line(time.monotonic()))

    def line(self, now: float) -> str:
        """Return what is done and how long the rest takes: by the estimate if there is one, else of this step."""
        line = f"{self._what}, {now - self._begun:.0f} s so far"
        if not self._total:
            return line
        line += f", {self._done} of {self._total} blocks of this step"
        left = (now - self._step_begun) / max(1, self._done) * (self._total - self._done)
        if self._expected is not None:
            return f"{line}, about {max(left, self._expected - (now - self._begun)):.0f} s left"
        return f"{line}, about {left:.0f} s left of it" if self._done else line

    def watch(self, done: int, total: int) -> None:
        """Record how many blocks are done."""
        if done <= self._done or total != self._total:
            self._step_begun = self._last
        self._done, self._total, self._last = done, total, time.monotonic()

    def close(self) -> None:
        """End the lines."""
        self._ended.set()


class _Bar:
    """A bar that appears if the work takes long."""

    def __init__(self, what: str) -> None:
        from rich.console import Console
        from rich.progress import Progress

        self._what, self._begun, self._shown = what, time.monotonic(), False
        self._progress = Progress(console=Console(stderr=True), transient=True, redirect_stdout=False)
        self._task = self._progress.add_task(what, total=None)

    def watch(self, done: int, total: int) -> None:
        """Show how many blocks are done."""
        if not self._shown and time.monotonic() - self._begun > _DELAY:
            self._progress.start()
            self._shown = True
        if done == 1:
            self._progress.reset(self._task, total=total, completed=0)  # the time left is that of the step
        self._progress.update(self._task, completed=done, total=total)

    def close(self) -> None:
        """Remove the bar."""
        if self._shown:
            self._progress.stop()
