"""Progress of long computations, on standard error."""

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, ExitStack, contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from concurrent.futures import Executor

    from qeframe.core.resampling.parallel import Blocks, Runner


@contextmanager
def working(
    what: str,
    *,
    workers: int = 1,
    quiet: bool = False,
    executor: str = "threads",
    keep: "Callable[[Callable[[str], None]], Blocks] | None" = None,
    expected: float | None = None,
) -> "Iterator[Runner]":
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
    from qeframe.execution.progress import display, write_once

    with ExitStack() as stack:
        opened = None if (executor == "threads" and workers == 1) else stack.enter_context(_opened(executor, workers))
        write = write_once()
        blocks = None if keep is None else keep((lambda _text: None) if quiet else write)
        if quiet:
            yield Runner(opened, blocks=blocks)
        else:
            shown = display(what, expected)
            stack.callback(shown.close)
            yield Runner(opened, shown.watch, write, blocks)


def _opened(executor: str, workers: int) -> "AbstractContextManager[Executor | None]":
    from qeframe.execution.executors import open_executor

    return open_executor(executor, workers)
