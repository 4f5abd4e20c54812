"""Progress of long work, on standard error."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from threading import Event, Thread

from qeframe.resampling.parallel import Runner

__all__ = ["working"]

_PATIENCE = 0.7
"""Seconds before a bar is shown: short work needs none."""
_EVERY = 10.0
"""Seconds between plain lines, where standard error is no terminal."""


@contextmanager
def working(what: str, *, workers: int = 1, quiet: bool = False) -> Iterator[Runner]:
    """Yield a runner with threads, whose progress is shown: a bar on a terminal, else a plain line now and then.

    Parameters
    ----------
    what : str
        What is being done, in one word.
    quiet : bool
        Show nothing.
    """
    with ExitStack() as stack:
        executor = stack.enter_context(ThreadPoolExecutor(workers)) if workers > 1 else None
        if quiet:
            yield Runner(executor)
        else:
            shown = _Bar(what) if sys.stderr.isatty() else _Lines(what)
            stack.callback(shown.close)
            yield Runner(executor, shown.watch, _say_once())


def _say_once() -> Callable[[str], None]:
    """Return a function that writes a line to standard error, the same line once."""
    said: set[str] = set()

    def say(text: str) -> None:
        if text not in said:
            said.add(text)
            _write(text)

    return say


def _write(text: str) -> None:
    sys.stderr.write(f"qeframe: {text}\n")
    sys.stderr.flush()


class _Lines:
    """A plain line now and then, while the work goes on."""

    def __init__(self, what: str) -> None:
        self._what, self._begun, self._blocks, self._ended = what, time.monotonic(), "", Event()
        Thread(target=self._tell, daemon=True).start()

    def _tell(self) -> None:
        while not self._ended.wait(_EVERY):
            seconds = round(time.monotonic() - self._begun)
            _write(f"{self._what}, {seconds} s so far{self._blocks}")

    def watch(self, done: int, total: int) -> None:
        """Remember how many blocks are done."""
        self._blocks = f", {done} of {total} blocks of this step"

    def close(self) -> None:
        """End the lines."""
        self._ended.set()


class _Bar:
    """A bar that appears when the work takes long."""

    def __init__(self, what: str) -> None:
        from rich.console import Console
        from rich.progress import Progress

        self._what, self._begun, self._shown = what, time.monotonic(), False
        self._progress = Progress(console=Console(stderr=True), transient=True)
        self._task = self._progress.add_task(what, total=None)

    def watch(self, done: int, total: int) -> None:
        """Show how many blocks are done."""
        if not self._shown and time.monotonic() - self._begun > _PATIENCE:
            self._progress.start()
            self._shown = True
        self._progress.update(self._task, completed=done, total=total)

    def close(self) -> None:
        """Take the bar away."""
        if self._shown:
            self._progress.stop()
