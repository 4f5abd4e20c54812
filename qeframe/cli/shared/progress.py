"""Progress of long computations, on standard error."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from threading import Event, Thread

from qeframe.execution.executors import open_executor
from qeframe.resampling.parallel import Blocks, Runner

__all__ = ["working"]

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

    Raises
    ------
    DataError
        If there is no such executor.
    """
    with ExitStack() as stack:
        opened = stack.enter_context(open_executor(executor, workers))
        write = _write_once()
        blocks = None if keep is None else keep((lambda _text: None) if quiet else write)
        if quiet:
            yield Runner(opened, blocks=blocks)
        else:
            display = _Bar(what) if sys.stderr.isatty() else _Lines(what)
            stack.callback(display.close)
            yield Runner(opened, display.watch, write, blocks)


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

    def __init__(self, what: str) -> None:
        self._what, self._begun, self._blocks, self._ended = what, time.monotonic(), "", Event()
        self._step = (self._begun, 0, 0)
        Thread(target=self._write_lines, daemon=True).start()

    def _write_lines(self) -> None:
        while not self._ended.wait(_INTERVAL):
            seconds = round(time.monotonic() - self._begun)
            _write(f"{self._what}, {seconds} s so far{self._blocks}")

    def watch(self, done: int, total: int) -> None:
        """Record how many blocks are done, and how long the others take at the pace of this step."""
        now, (begun, first, of) = time.monotonic(), self._step
        if done <= first or total != of:
            self._step = begun, first, of = now, done, total
        left = (now - begun) * (total - done) / max(1, done - first)
        self._blocks = f", {done} of {total} blocks of this step" + (f", about {left:.0f} s left" if left >= 1 else "")

    def close(self) -> None:
        """End the lines."""
        self._ended.set()


class _Bar:
    """A bar that appears if the work takes long."""

    def __init__(self, what: str) -> None:
        from rich.console import Console
        from rich.progress import Progress

        self._what, self._begun, self._shown = what, time.monotonic(), False
        self._progress = Progress(console=Console(stderr=True), transient=True)
        self._task = self._progress.add_task(what, total=None)

    def watch(self, done: int, total: int) -> None:
        """Show how many blocks are done."""
        if not self._shown and time.monotonic() - self._begun > _DELAY:
            self._progress.start()
            self._shown = True
        self._progress.update(self._task, completed=done, total=total)

    def close(self) -> None:
        """Remove the bar."""
        if self._shown:
            self._progress.stop()
