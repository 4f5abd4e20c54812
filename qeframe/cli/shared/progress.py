"""Progress of long computations, on standard error."""

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from qeframe.core.runner import Runner


@contextmanager
def working(what: str, *, workers: int = 1, quiet: bool = False, executor: str = "threads") -> "Iterator[Runner]":
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

    Raises
    ------
    DataError
        If there is no such executor.
    """
    from qeframe.api.progress import display, write_once
    from qeframe.core.runner import Runner

    with ExitStack() as stack:
        opened = None
        if executor != "threads" or workers > 1:
            from qeframe.execution.executors import open_executor  # imports processes

            opened = stack.enter_context(open_executor(executor, workers))
        if quiet:
            yield Runner(opened)
        else:
            shown = display(what)
            stack.callback(shown.close)
            yield Runner(opened, shown.watch, write_once())
