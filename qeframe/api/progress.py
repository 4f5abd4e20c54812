"""Progress of long computations, on standard error."""

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from threading import Event, Thread

from qeframe.core.runner import STEP, WATCHER, Watcher

_DELAY = 0.7
"""Seconds before a bar is shown; short computations show none."""
_INTERVAL = 10.0
"""Seconds between plain lines, where standard error is not a terminal."""


@contextmanager
def progress(what: str = "computing") -> Iterator[None]:
    """Show the progress of what is computed within this context, on standard error.

    A terminal shows a bar with the step and the time so far, as soon as a computation takes longer than a second;
    elsewhere, such as in a notebook, a plain line is written every ten seconds. Results are the same as without.

    Parameters
    ----------
    what : str
        What the bar and the lines are called.

    Notes
    -----
    Computations in threads that are begun within the context are not shown. A `Runner` that is made within it shows
    progress as well, such as one with several processes.

    Examples
    --------
    >>> import qeframe
    >>> with qeframe.progress("comparing"):
    ...     score = qeframe.score("pearson", [1, 2, 3], [1, 2, 4])
    >>> round(score, 3)
    0.982
    """
    write, shown = write_once(), display(what)
    token = WATCHER.set(Watcher(shown.watch, write))
    try:
        yield
    finally:
        WATCHER.reset(token)
        shown.close()


def display(what: str) -> "Bar | Lines":
    """Return a bar on a terminal, otherwise plain lines."""
    return Bar(what) if sys.stderr.isatty() else Lines(what)


def write_once() -> Callable[[str], None]:
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


class Lines:
    """A plain line at regular intervals until the work ends."""

    def __init__(self, what: str) -> None:
        self._what, self._ended = what, Event()
        self._begun, self._title, self._done, self._total = time.monotonic(), what, 0, 0
        Thread(target=self._write_lines, daemon=True).start()

    def _write_lines(self) -> None:
        while not self._ended.wait(_INTERVAL):
            _write(self.line(time.monotonic()))

    def line(self, now: float) -> str:
        """Return which step is computed, how much of it is done, and the time so far; steps to come are not guessed."""
        blocks = f"{self._done} of {self._total} blocks" if self._total else ""
        return ", ".join(filter(None, (self._title, blocks, f"{now - self._begun:.0f} s so far")))

    def watch(self, done: int, total: int) -> None:
        """Record how many blocks of the present step are done."""
        self._title, self._done, self._total = self._what + STEP.get(), done, total

    def close(self) -> None:
        """End the lines."""
        self._ended.set()


class Bar:
    """A bar that appears if the work takes long."""

    def __init__(self, what: str) -> None:
        from rich.console import Console
        from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

        self._what, self._begun, self._shown = what, time.monotonic(), False
        step = TextColumn("{task.description}", markup=False)
        columns = (step, BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
        self._progress = Progress(*columns, console=Console(stderr=True), transient=True, redirect_stdout=False)
        self._task = self._progress.add_task(what, total=None)

    def watch(self, done: int, total: int | None) -> None:
        """Show how many blocks are done; the total of a download may be unknown."""
        if not self._shown and time.monotonic() - self._begun > _DELAY:
            self._progress.start()
            self._shown = True
        self._progress.update(self._task, completed=done, total=total, description=self._what + STEP.get())

    def close(self) -> None:
        """Remove the bar."""
        if self._shown:
            self._progress.stop()
