"""Executors by name: threads, processes, a dask cluster, or what a factory of the user makes."""

import importlib
import multiprocessing
import os
import signal
import threading
from collections.abc import Callable, Container, Iterator
from concurrent.futures import Executor, Future, ProcessPoolExecutor, ThreadPoolExecutor
from contextlib import contextmanager, suppress
from typing import Any

from qeframe.core.errors import DataError, did_you_mean
from qeframe.core.process_signals import SIGNALS, undisturbed
from qeframe.execution.dask_executor import DaskExecutor

NAMES = ("threads", "processes", "dask")
"""Executors that have a name; all others are MODULE:FACTORY."""
_PATIENCE = 2.0
"""Seconds that an executor has to end after its processes."""
_HAS_MASKS = hasattr(signal, "pthread_sigmask")


@contextmanager
def open_executor(spec: str, workers: int = 1) -> Iterator[Executor | None]:
    """Yield an executor, and shut it down; where a signal ends the work, its processes end at once.

    `spec`: ``threads``, ``processes``, ``dask:ADDRESS`` with the address of a scheduler, or ``MODULE:FACTORY``: a
    function without parameters that returns an executor. It is called again if workers died. `workers`: the number of
    threads or processes; clusters have their own. None means the thread of the caller: one thread is asked for. Raises
    DataError if there is no such executor, its package is not installed, the scheduler does not answer or has no
    workers, or the factory cannot be imported or returns no executor.
    """
    if spec == "threads":
        executor: Executor | None = ThreadPoolExecutor(workers) if workers > 1 else None
    elif spec == "processes":
        executor = _Renewed(lambda: _processes(workers))
    elif spec == "dask" or spec.startswith("dask:"):
        executor = DaskExecutor(spec.partition(":")[2])
    else:
        executor = _Renewed(_factory(spec)).unless_threads()
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


def _processes(workers: int) -> Executor:
    """Return new processes. They are spawned: a fork of a process with threads can block."""
    spawn = multiprocessing.get_context("spawn")
    return ProcessPoolExecutor(workers, mp_context=spawn, initializer=follow_parent)


def _factory(spec: str) -> Callable[[], Executor]:
    """Return a function that makes an executor by the user's factory, and checks it."""
    module_name, colon, name = spec.partition(":")
    if not colon or not module_name or not name:
        raise DataError(f"unknown executor '{spec}'", remedy=did_you_mean(spec, NAMES, _FORMS))
    try:
        factory = getattr(importlib.import_module(module_name), name)
    except AttributeError as error:
        raise DataError(f"executor '{spec}': module '{module_name}' has no '{name}'", remedy=_FORMS) from error
    except Exception as error:
        what = f"executor '{spec}': module '{module_name}' cannot be imported: {type(error).__name__}: {error}"
        raise DataError(what, remedy="is its folder in PYTHONPATH?") from error

    def make() -> Executor:
        try:
            executor = factory()
        except Exception as error:
            what = f"executor '{spec}': the factory failed: {type(error).__name__}: {error}"
            raise DataError(what, remedy="the factory is called without arguments") from error
        if not isinstance(executor, Executor):
            what = f"executor '{spec}': the factory returned {type(executor).__name__}, not an executor"
            raise DataError(what, remedy="return a concurrent.futures.Executor; of a dask Client, its get_executor()")
        return executor

    return make


_FORMS = "write threads, processes, dask:ADDRESS or MODULE:FACTORY"


class _Renewed(Executor):
    """An executor that is made again after its workers died."""

    def __init__(self, make: Callable[[], Executor]) -> None:
        self._make, self._executor = make, make()

    def unless_threads(self) -> Executor:
        """Return the executor itself if it has threads, which share the memory of the caller."""
        return self._executor if isinstance(self._executor, ThreadPoolExecutor) else self

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        with starting_workers():
            return self._executor.submit(fn, *args, **kwargs)

    def renew(self) -> None:
        with suppress(Exception):  # what died may not be able to end
            self._executor.shutdown(wait=False, cancel_futures=True)
        self._executor = self._make()

    def watch(self) -> None:
        """Do nothing: these executors report dead workers themselves."""

    def distribute(self, packed: bytes) -> None:
        """Return None: workers read files, or get the work with their first item."""

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        with suppress(TypeError):
            self._executor.shutdown(wait=wait, cancel_futures=cancel_futures)
            return
        self._executor.shutdown(wait=wait)  # executors of the first signature, such as dask's


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
