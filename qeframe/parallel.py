"""Blocks of work on any `concurrent.futures` executor, in order.

Results do not depend on the executor or on the number of its workers: a block is keyed by its number.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Executor
from typing import TypeVar

from attrs import frozen

__all__ = ["Runner"]

T = TypeVar("T")
R = TypeVar("R")


def _unwatched(_done: int, _total: int) -> None:
    """Tell nobody."""


@frozen
class Runner:
    """How blocks of work are done.

    Parameters
    ----------
    executor : Executor, optional
        Threads, processes, or a cluster's; None works in the caller's thread.
    watch : callable
        Told (blocks done, blocks in all) after every block.
    """

    executor: Executor | None = None
    watch: Callable[[int, int], None] = _unwatched

    def map(self, work: Callable[[T], R], items: Iterable[T]) -> list[R]:
        """Return the results of all items, in the order of the items."""
        return list(self.each(work, items))

    def each(self, work: Callable[[T], R], items: Iterable[T]) -> Iterator[R]:
        """Yield the results of all items, in the order of the items, none of them kept."""
        waiting = list(items)
        results = map(work, waiting) if self.executor is None else self.executor.map(work, waiting)
        for done, result in enumerate(results, start=1):
            self.watch(done, len(waiting))
            yield result
