"""The workers of a dask scheduler as an executor of `concurrent.futures`.

distributed has such an executor too. Its futures never end if a worker dies after it computed a result and before the
result was fetched, and if what was distributed to the workers is lost with it. Here every outcome ends a future, and
what is distributed is the result of a task, which the scheduler computes again if it is lost.
"""

import importlib
from collections.abc import Callable
from concurrent.futures import BrokenExecutor, Executor, Future, InvalidStateError
from contextlib import suppress
from typing import Any

from qeframe.core.errors import DataError

_PATIENCE = 10.0
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
            self._client: Any = distributed.Client(address, timeout=_PATIENCE)
        except (OSError, ValueError, TypeError) as error:
            what = f"no dask scheduler answers at '{address}'"
            raise DataError(what, remedy="start one with 'dask scheduler', or correct the address") from error
        try:
            self._client.wait_for_workers(1, timeout=_PATIENCE)
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
