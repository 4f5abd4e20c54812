"""Blocks of work on any `concurrent.futures` executor, in order.

Results do not depend on the executor or on the number of its workers: a block is keyed by its number. The data of the
work (the rows of all submissions) reaches each worker of a process pool once, not with every block.
"""

from __future__ import annotations

import pickle
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Executor
from contextlib import contextmanager
from functools import lru_cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, TypeVar

from attrs import frozen

__all__ = ["Runner"]

T = TypeVar("T")
R = TypeVar("R")


def _ignore_progress(_done: int, _total: int) -> None:
    """Do nothing."""


def _ignore_notice(_text: str) -> None:
    """Do nothing."""


@frozen
class Runner:
    """How blocks of work are run.

    Parameters
    ----------
    executor : Executor, optional
        Threads, processes, or a cluster's; None works in the caller's thread.
    on_progress : callable
        Called with (blocks done, blocks in all) after every block.
    on_notice : callable
        Called with one line of text before work that will take very long.
    """

    executor: Executor | None = None
    on_progress: Callable[[int, int], None] = _ignore_progress
    on_notice: Callable[[str], None] = _ignore_notice

    def map(self, work: Callable[[T], R], items: Iterable[T]) -> list[R]:
        """Return the results of all items, in the order of the items."""
        return list(self.imap(work, items))

    def imap(self, work: Callable[[T], R], items: Iterable[T]) -> Iterator[R]:
        """Yield the results of all items, in the order of the items, each as soon as it is there."""
        waiting = list(items)
        with _results(work, waiting, self.executor) as results:
            for done, result in enumerate(results, start=1):
                self.on_progress(done, len(waiting))
                yield result


@contextmanager
def _results(work: Callable[[T], R], items: Sequence[T], executor: Executor | None) -> Iterator[Iterable[R]]:
    """Yield the results of all items; the work for a process pool is written to a file that each worker reads once."""
    if executor is None:
        yield map(work, items)
        return
    from concurrent.futures import ProcessPoolExecutor

    if not isinstance(executor, ProcessPoolExecutor):
        yield executor.map(work, items)
        return
    with TemporaryDirectory(prefix="qeframe-", ignore_cleanup_errors=True) as folder:
        file = Path(folder) / "work"
        file.write_bytes(pickle.dumps(work, protocol=pickle.HIGHEST_PROTOCOL))
        yield executor.map(_FiledWork(file), items)


@frozen
class _FiledWork:
    """Work that was written to a file."""

    file: Path

    def __call__(self, item: Any) -> Any:
        return _read_once(self.file)(item)


@lru_cache(maxsize=1)
def _read_once(file: Path) -> Callable[[Any], Any]:
    work: Callable[[Any], Any] = pickle.loads(file.read_bytes())
    return work
