"""Progress of long work, on standard error."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager

from qeframe.parallel import Runner

__all__ = ["working"]

_PATIENCE = 0.7
"""Seconds before a bar is shown: short work needs none."""


@contextmanager
def working(what: str, *, workers: int = 1, quiet: bool = False) -> Iterator[Runner]:
    """Yield a runner with threads, whose progress is shown if standard error is a terminal.

    Parameters
    ----------
    what : str
        What is being done, in one word.
    """
    with ExitStack() as stack:
        executor = stack.enter_context(ThreadPoolExecutor(workers)) if workers > 1 else None
        if quiet or not sys.stderr.isatty():
            yield Runner(executor)
        else:
            bar = _Bar(what)
            stack.callback(bar.close)
            yield Runner(executor, bar.watch)


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
