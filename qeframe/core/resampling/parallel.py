"""Blocks of work on any `concurrent.futures` executor, in order.

Results do not depend on the executor or on the number of its workers: a block is keyed by its number. How blocks reach
the workers of an executor is in `qeframe.core.resampling.worker_calls`.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from contextlib import closing
from contextvars import ContextVar
from typing import TYPE_CHECKING, Any, TypeVar

from attrs import field, frozen

from qeframe.core.errors import DataError
from qeframe.core.short_repr import Brief, beginning_of

if TYPE_CHECKING:
    from concurrent.futures import Executor

T = TypeVar("T")
R = TypeVar("R")

Results = Generator[Any, None, None]


def _ignore(*_: object) -> None:
    """Do nothing."""


@frozen
class Watcher:
    """Who is told of work by runners that are made without such functions."""

    on_progress: Callable[[int, int], None] = _ignore
    on_notice: Callable[[str], None] = _ignore


WATCHER: ContextVar[Watcher] = ContextVar("watcher", default=Watcher())  # noqa: B039 (frozen)


@frozen(repr=False)
class Runner(Brief):
    """How blocks of work are run.

    Parameters
    ----------
    executor : Executor, optional
        Where blocks are computed: threads, processes, or a cluster's workers, by any `concurrent.futures.Executor`. It
        stays open. None works in the caller's thread.
    on_progress : callable
        Called with (blocks done, blocks in all) after every block.
    on_notice : callable
        Called with one line of text before work that will take very long.

    Raises
    ------
    DataError
        If what is given is no executor.

    Examples
    --------
    >>> import qeframe
    >>> told = []
    >>> runner = qeframe.Runner(on_progress=lambda done, total: told.append((done, total)))
    >>> runner.map(abs, [-1, 2])
    [1, 2]
    >>> told
    [(1, 2), (2, 2)]
    """

    executor: Executor | None = None
    on_progress: Callable[[int, int], None] = field(factory=lambda: WATCHER.get().on_progress)
    on_notice: Callable[[str], None] = field(factory=lambda: WATCHER.get().on_notice)

    def __attrs_post_init__(self) -> None:
        if self.executor is None:
            return
        from concurrent.futures import Executor

        if not isinstance(self.executor, Executor):
            what = f"an executor cannot be {beginning_of(self.executor)}"
            raise DataError(what, remedy="give a concurrent.futures.Executor; of a dask Client, its get_executor()")

    def map(self, work: Callable[[T], R], items: Iterable[T]) -> list[R]:
        """Return the results of all items, in the order of the items.

        Raises
        ------
        DataError
            If the work cannot be sent to the workers, or if they die again and again.
        """
        return list(self.imap(work, items))

    def imap(self, work: Callable[[T], R], items: Iterable[T]) -> Iterator[R]:
        """Yield the results of all items, in the order of the items, each as soon as it is there."""
        waiting = list(items)
        results = self._compute(work, waiting)
        with closing(results):
            for done, result in enumerate(results, start=1):
                self.on_progress(done, len(waiting))
                yield result

    def _compute(self, work: Callable[[Any], Any], items: Sequence[Any]) -> Results:
        from qeframe.core.resampling.blas_threads import one_thread_a_product  # needs numpy

        with one_thread_a_product():
            if self.executor is None:
                yield from map(work, items)
            else:
                from qeframe.core.resampling.worker_calls import results_of  # needs the modules of processes

                yield from results_of(work, items, self.executor)


SILENT = Runner(on_progress=_ignore, on_notice=_ignore)
"""Tells no one."""
