"""Where blocks of draws are computed: threads, processes, or any executor."""

from __future__ import annotations

import hashlib
import os
import pickle
import sys
import warnings
from collections import OrderedDict
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from concurrent.futures import BrokenExecutor, CancelledError, Executor, Future, ThreadPoolExecutor
from concurrent.futures import TimeoutError as FutureTimeoutError
from contextlib import closing, contextmanager
from contextvars import ContextVar
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from threading import Lock, current_thread, main_thread
from typing import Any, Protocol, TypeVar, runtime_checkable

from attrs import evolve, field, frozen

from qeframe.core.display import Brief, beginning_of
from qeframe.core.errors import DataError

VARIABLE = "OPENBLAS_NUM_THREADS"
_BLAS_LOCK = Lock()
_LIMITS: list[Any] = []
"""The limit that holds, once for each context that wants it: contexts of several threads overlap."""


@contextmanager
def one_thread_a_product() -> Iterator[None]:
    """Give matrix products one thread within this context; what was before comes back when the last such one ends.

    Nothing changes where the variable OPENBLAS_NUM_THREADS states a number.
    """
    if os.environ.get(VARIABLE):
        yield
        return
    with _BLAS_LOCK:
        _LIMITS.append(_LIMITS[0] if _LIMITS else _controller().limit(limits=1, user_api="blas"))
    try:
        yield
    finally:
        with _BLAS_LOCK:
            limit = _LIMITS.pop()
            if not _LIMITS:
                limit.restore_original_limits()


@cache
def _controller() -> Any:
    """Return what knows the libraries of matrix products in this process: that of numpy is loaded."""
    import numpy as np  # noqa: F401
    from threadpoolctl import ThreadpoolController

    return ThreadpoolController()


_STARTS = 4
"""How often an item is begun at most: once, and again after workers died."""
_WATCH = 5.0
"""Seconds between two looks at an engine while a result is awaited."""
_KEPT = 2
"""How many works a worker keeps: the work of the step before and the present one."""


@runtime_checkable
class Engine(Protocol):
    """What an executor may offer beside `submit`."""

    def renew(self) -> None:
        """Replace workers that died; called before unfinished items are submitted again."""

    def watch(self) -> None:
        """Raise a `DataError` if no worker is left; called every few seconds while a result is awaited."""

    def distribute(self, packed: bytes) -> Any:
        """Return an argument of `submit` that becomes the packed work in the worker; None if files are to be used."""


def results_of(work: Callable[[Any], Any], items: Sequence[Any], executor: Executor) -> Generator[Any, None, None]:
    """Yield the results of all items, in the order of the items.

    `work`: must be picklable unless the executor has threads.
    `items`: picklable.
    `executor`: if it is an `Engine` too, workers that died are replaced, and the items they held are begun again.

    Raises DataError if the work cannot be packed, or if workers die again and again.
    """
    if isinstance(executor, ThreadPoolExecutor):
        yield from executor.map(work, items)
        return
    if not items:
        return
    with TemporaryDirectory(prefix="qeframe-", ignore_cleanup_errors=True) as folder:
        try:
            packed = pickle.dumps(work, protocol=pickle.HIGHEST_PROTOCOL)
        except (pickle.PicklingError, AttributeError, TypeError) as error:
            raise _unsendable(error) from error
        yield from _Sending(packed, Path(folder, "work"), items, executor).results()


def _unsendable(error: Exception) -> DataError:
    return DataError(
        f"the work cannot be sent to other processes: {error}",
        remedy="define functions at the top of a module, or use threads (--executor threads)",
    )


_TAKEN: Future[Any] = Future()
"""In the place of a future whose result was handed on."""


class _Sending:
    """The items of one work on their way through an executor."""

    def __init__(self, packed: bytes, file: Path, items: Sequence[Any], executor: Executor) -> None:
        self._packed, self._file, self._items, self._executor = packed, file, items, executor
        self._engine = executor if isinstance(executor, Engine) else None
        self._digest = hashlib.blake2b(packed, digest_size=16).hexdigest()
        self._futures: list[Future[Any]] = []
        self._starts, self._distributed = 1, None

    def results(self) -> Generator[Any, None, None]:
        """Yield the results in the order of the items."""
        try:
            self._begin(0)
            for nth in range(len(self._items)):
                yield self._result(nth)
                self._futures[nth] = _TAKEN  # a future keeps its result
        finally:
            for future in self._futures:
                future.cancel()

    def _result(self, nth: int) -> Any:
        while True:
            try:
                result = self._wait(self._futures[nth])
                if isinstance(result, _Lacking):
                    sent = evolve(self._call, packed=self._packed)
                    result = self._wait(self._executor.submit(sent, self._items[nth], None))
            except _dead_workers() as error:
                self._again(nth, error)
            except (pickle.PicklingError, AttributeError) as error:
                if "pickle" not in str(error):
                    raise
                raise _unsendable(error) from error
            else:
                return result

    def _wait(self, future: Future[Any]) -> Any:
        while True:
            try:
                return future.result(timeout=None if self._engine is None else _WATCH)
            except FutureTimeoutError:
                if future.done():
                    raise
                if self._engine is not None:
                    self._engine.watch()

    def _begin(self, first: int) -> None:
        """Submit the items from `first` on; results that are there already are kept."""
        # held as long as the results are awaited, since dask frees what no one holds
        distributed = self._distributed = None if self._engine is None else self._engine.distribute(self._packed)
        if distributed is None and not self._file.exists():
            self._file.write_bytes(self._packed)
        file = None if distributed is not None else self._file
        self._call = _Call(self._digest, file, warnings_are_errors=_warnings_are_errors())
        done = [future for future in self._futures[first:] if _succeeded(future)]
        kept = {id(future) for future in done}
        for nth in range(first, len(self._items)):
            if nth < len(self._futures) and id(self._futures[nth]) in kept:
                continue
            future = self._executor.submit(self._call, self._items[nth], distributed)
            # in the place of one that failed, or at the end of the list
            self._futures[nth : nth + 1] = [future]

    def _again(self, nth: int, error: BaseException) -> None:
        """Begin unfinished items again with new workers."""
        self._starts += 1
        if self._engine is None or self._starts > _STARTS:
            again = "" if self._engine is None else f" {_STARTS} times"
            raise DataError(
                f"workers of the executor died{again}: {type(error).__name__}: {error}",
                remedy="give workers more memory, or use fewer of them",
            ) from error
        for future in self._futures[nth:]:
            future.cancel()
        self._engine.renew()
        self._begin(nth)


def _succeeded(future: Future[Any]) -> bool:
    return future.done() and not future.cancelled() and future.exception() is None


def _dead_workers() -> tuple[type[BaseException], ...]:
    """Return the errors that say that a worker died, as far as their packages are imported."""
    distributed = sys.modules.get("distributed")
    more = () if distributed is None else (distributed.KilledWorker, distributed.client.FutureCancelledError)
    return (BrokenExecutor, CancelledError, *more)


@frozen
class _Lacking:
    """The answer of a worker that has neither the work nor its file."""


@frozen
class _Call:
    """A call of work that the worker finds by its digest."""

    digest: str
    file: Path | None
    packed: bytes | None = None
    warnings_are_errors: bool = False

    def __call__(self, item: Any, distributed: Any) -> Any:
        with _LOCK:
            work = _WORKS.get(self.digest)
            if work is None:
                packed: Any = distributed if distributed is not None else self.packed
                if packed is None and self.file is not None:
                    try:
                        packed = self.file.read_bytes()
                    except OSError:
                        return _Lacking()
                work = _WORKS[self.digest] = pickle.loads(packed)
                while len(_WORKS) > _KEPT:
                    _WORKS.popitem(last=False)
        with one_thread_a_product():
            # filters are those of the process
            if not self.warnings_are_errors or current_thread() is not main_thread():
                return work(item)
            with warnings.catch_warnings():
                warnings.simplefilter("error", RuntimeWarning)
                return work(item)


def _warnings_are_errors() -> bool:
    """Return whether warnings of computations are errors here, so that they are errors in workers too."""
    return bool(warnings.filters) and warnings.filters[0][:3] == ("error", None, RuntimeWarning)


_WORKS: OrderedDict[str, Callable[[Any], Any]] = OrderedDict()
"""The works that this worker process had last."""
_LOCK = Lock()


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


STEP: ContextVar[str] = ContextVar("step", default="")
"""What is computed now, in words after a colon."""


@contextmanager
def step(name: str) -> Iterator[None]:
    """Name what is computed within this context, for those who show progress."""
    token = STEP.set(f": {name}")
    try:
        yield
    finally:
        STEP.reset(token)


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
        if self.executor is not None and not isinstance(self.executor, Executor):
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
        with one_thread_a_product():
            yield from map(work, items) if self.executor is None else results_of(work, items, self.executor)


SILENT = Runner(on_progress=_ignore, on_notice=_ignore)
"""Tells no one."""
