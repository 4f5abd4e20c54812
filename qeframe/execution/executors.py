"""Executors by name: threads, processes, or a dask cluster."""

import multiprocessing
import os
import signal
import threading
from collections.abc import Callable, Container, Iterator
from concurrent.futures import Executor, Future, ProcessPoolExecutor, ThreadPoolExecutor
from contextlib import contextmanager
from typing import Any

from qeframe.core.errors import DataError, did_you_mean
from qeframe.core.processes import SIGNALS, undisturbed
from qeframe.execution.dask_executor import DaskExecutor

NAMES = ("threads", "processes", "dask")
_FORMS = "write threads, processes or dask:ADDRESS"
_PATIENCE = 2.0
"""Seconds that an executor has to end after its processes."""
_HAS_MASKS = hasattr(signal, "pthread_sigmask")


@contextmanager
def open_executor(spec: str, workers: int = 1) -> Iterator[Executor | None]:
    """Yield an executor, and shut it down; where a signal ends the work, its processes end at once.

    `spec`: ``threads``, ``processes``, or ``dask:ADDRESS`` with the address of a scheduler. `workers`: the number of
    threads or processes; clusters have their own. None means the thread of the caller: one thread is asked for. Raises
    DataError if there is no such executor, its package is not installed, or the scheduler does not answer or has no
    workers.
    """
    if spec == "threads":
        executor: Executor | None = ThreadPoolExecutor(workers) if workers > 1 else None
    elif spec == "processes":
        executor = _Processes(workers)
    elif spec == "dask" or spec.startswith("dask:"):
        executor = DaskExecutor(spec.partition(":")[2])
    else:
        raise DataError(f"unknown executor '{spec}'", remedy=did_you_mean(spec, NAMES, _FORMS))
    ended, before = False, [*multiprocessing.active_children(), *threading.enumerate()]
    try:
        yield executor
    except KeyboardInterrupt:
        ended = True
        raise
    finally:
        if executor is not None:
            executor.shutdown(wait=not ended, cancel_futures=True)
        if ended and spec != "threads":
            _end_all_but(before)


def _end_all_but(before: Container[object]) -> None:
    """End the processes of an executor that was shut down, and wait for the threads that manage them.

    Such a thread prints errors if it is told of a dead process before it is told to end, or if Python ends before it.
    What was there before belongs to the program that uses qeframe.
    """
    for child in multiprocessing.active_children():
        if child not in before:
            child.terminate()
    for thread in threading.enumerate():
        if thread not in before and type(thread).__module__ == "concurrent.futures.process":
            thread.join(_PATIENCE)


class _Processes(Executor):
    """Processes that are started again after some of them died. They are spawned: a fork with threads can block."""

    def __init__(self, workers: int) -> None:
        self._workers, self._pool = workers, _pool(workers)

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        with starting_workers():
            return self._pool.submit(fn, *args, **kwargs)

    def renew(self) -> None:
        self._pool.shutdown(wait=False, cancel_futures=True)
        self._pool = _pool(self._workers)

    def watch(self) -> None:
        """Do nothing: the pool reports dead workers itself."""

    def distribute(self, packed: bytes) -> None:
        """Return None: workers read files."""

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        self._pool.shutdown(wait=wait, cancel_futures=cancel_futures)


def _pool(workers: int) -> ProcessPoolExecutor:
    spawn = multiprocessing.get_context("spawn")
    return ProcessPoolExecutor(workers, mp_context=spawn, initializer=follow_parent)


@contextmanager
def starting_workers() -> Iterator[None]:
    """Hold signals back until the block ends; processes that it starts are not told of interrupts.

    A terminal sends an interrupt to workers too. Their parent ends them; a worker that still starts would print a
    traceback.
    """
    with undisturbed():
        before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT}) if _HAS_MASKS else ()
        try:
            yield
        finally:
            if _HAS_MASKS:
                signal.pthread_sigmask(signal.SIG_SETMASK, before)


def follow_parent() -> None:
    """End this worker process when the process that started it ends, however that ends; called once in a worker.

    A worker holds both ends of the pipe that brings its work, so that the pipe does not say when the parent is gone.
    """
    for number in SIGNALS:  # a fork has the handlers of its parent
        signal.signal(number, signal.SIG_IGN if number == signal.SIGINT else signal.SIG_DFL)
    parent = multiprocessing.parent_process()
    assert parent is not None

    def watch() -> None:
        parent.join()
        os._exit(1)

    threading.Thread(target=watch, daemon=True).start()
