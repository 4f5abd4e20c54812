"""Executors by name: threads, processes, or a dask cluster.

distributed has an executor of its own. Its futures never end if a worker dies after it computed a result and before the
result was fetched, and if what was distributed to the workers is lost with it. Here every outcome ends a future, and
what is distributed is the result of a task, which the scheduler computes again if it is lost.
"""

import importlib
import multiprocessing
import os
import signal
import threading
from collections.abc import Callable, Container, Iterator
from concurrent.futures import (
    BrokenExecutor,
    Executor,
    Future,
    InvalidStateError,
    ProcessPoolExecutor,
    ThreadPoolExecutor,
)
from contextlib import contextmanager, suppress
from typing import Any

from qeframe.core.errors import DataError, did_you_mean
from qeframe.core.processes import SIGNALS, undisturbed

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


_DASK_PATIENCE = 10.0
"""Seconds to wait for a scheduler, or for a first worker."""
_LOOKS = 12
"""How many looks at the scheduler in a row may find no worker."""


class DaskExecutor(Executor):
    """The workers of a dask scheduler, which begins the items of a dead worker again.

    `address`: of the scheduler, such as ``tcp://HOST:8786``. Raises DataError if distributed is not installed, no
    scheduler answers, or it has no workers.
    """

    def __init__(self, address: str) -> None:
        if not address:
            raise DataError("executor 'dask' needs a scheduler", remedy="write dask:tcp://HOST:8786")
        try:
            distributed: Any = importlib.import_module("distributed")
        except ImportError as error:
            raise DataError("executor 'dask' needs distributed", remedy="pip install 'qeframe[dask]'") from error
        try:
            self._client: Any = distributed.Client(address, timeout=_DASK_PATIENCE)
        except (OSError, ValueError, TypeError) as error:
            what = f"no dask scheduler answers at '{address}'"
            raise DataError(what, remedy="start one with 'dask scheduler', or correct the address") from error
        try:
            self._client.wait_for_workers(1, timeout=_DASK_PATIENCE)
        except Exception as error:
            self._client.close()
            what = f"the dask scheduler at '{address}' has no workers"
            raise DataError(what, remedy=f"start some with 'dask worker {address}'") from error
        self._address, self._without = address, 0

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        future: Future[Any] = Future()
        remote = self._client.submit(fn, *args, pure=False, **kwargs)
        future.add_done_callback(lambda done: remote.cancel() if done.cancelled() else None)
        remote.add_done_callback(lambda done: _end(future, done))
        return future

    def renew(self) -> None:
        """Wait for a worker."""
        try:
            self._client.wait_for_workers(1, timeout=60)
        except Exception as error:
            raise self._lost() from error

    def watch(self) -> None:
        """Raise a `DataError` if the scheduler is gone, or has had no worker for a minute."""
        try:
            workers = self._client.scheduler_info()["workers"] if self._client.status == "running" else None
        except Exception:
            workers = None
        self._without = 0 if workers else self._without + 1
        if self._without >= _LOOKS:
            raise self._lost()

    def _lost(self) -> DataError:
        return DataError(f"the dask scheduler at '{self._address}' has no workers left", remedy="start new ones")

    def distribute(self, packed: bytes) -> Any:
        """Send the packed work to the scheduler once. Each worker gets it from there or from another worker."""
        import dask

        with dask.config.set({"distributed.admin.large-graph-warning-threshold": "1 PB"}):
            return self._client.submit(_same, packed, pure=False)

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        self._client.close()


def _same(packed: bytes) -> bytes:
    return packed


def _end(future: Future[Any], remote: Any) -> None:
    """Give a future the outcome of a future of dask, whatever it is."""
    with suppress(InvalidStateError):  # it was canceled meanwhile
        try:
            result = remote.result()
        except BaseException as error:
            lost = remote.status in ("cancelled", "lost")
            future.set_exception(BrokenExecutor("the scheduler lost it") if lost else error)
        else:
            future.set_result(result)
