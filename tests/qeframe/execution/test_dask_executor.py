"""Workers of dask that die: every item is computed, and nothing is waited for in vain."""

import os
import signal
import sys
import time
from collections.abc import Iterator
from concurrent.futures import BrokenExecutor, Future
from pathlib import Path
from typing import Any

import pytest

from qeframe.core.errors import DataError
from qeframe.core.runner import Runner
from qeframe.execution import executors
from qeframe.execution.executors import open_executor

HERE = str(Path(__file__).parent)


@pytest.fixture
def clusters(monkeypatch: pytest.MonkeyPatch) -> Any:
    """The module of work for workers, importable here and in worker processes."""
    monkeypatch.syspath_prepend(HERE)
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join([HERE, os.environ.get("PYTHONPATH", "")]))
    import clusters

    yield clusters
    sys.modules.pop("clusters", None)


@pytest.fixture(params=[1, 2])
def scheduler(request: pytest.FixtureRequest, clusters: Any) -> Iterator[Any]:
    """A dask cluster of one or two worker processes."""
    from distributed import LocalCluster

    number = request.param
    with LocalCluster(n_workers=number, threads_per_worker=1, processes=True, dashboard_address=None) as cluster:
        yield cluster


@pytest.mark.newest
@pytest.mark.filterwarnings("ignore")
def test_a_cluster_of_threads_computes_in_order_until_it_has_no_worker(monkeypatch: pytest.MonkeyPatch) -> None:
    from distributed import LocalCluster

    monkeypatch.setattr(executors, "_LOOKS", 1)
    with LocalCluster(n_workers=1, threads_per_worker=1, processes=False, dashboard_address=None) as cluster:
        with open_executor(executor_of(cluster)) as executor:
            assert Runner(executor).map(abs, [-1, -2, 3]) == [1, 2, 3]
            assert executor.submit(len, executor.distribute(b"work")).result(60) == 4
            executor.renew()
            executor.watch()
            cluster.scale(0)
            while executor._client.scheduler_info()["workers"]:
                time.sleep(0.01)
            with pytest.raises(DataError, match="has no workers left; start new ones"):
                executor.watch()
        monkeypatch.setattr(executors, "_DASK_PATIENCE", 0.1)
        with pytest.raises(DataError, match="has no workers; start some"), open_executor(executor_of(cluster)):
            pass


def executor_of(cluster: Any) -> str:
    return f"dask:{cluster.scheduler_address}"


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore")
def test_the_items_of_a_killed_worker_begin_again(scheduler: Any, clusters: Any, tmp_path: Path) -> None:
    with open_executor(executor_of(scheduler)) as executor:
        assert Runner(executor).map(clusters.Deadly(tmp_path), range(30)) == [item * item for item in range(30)]
        assert Runner(executor).map(abs, [-1, -2]) == [1, 2]
    assert (tmp_path / "killed").exists()


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore")
def test_work_that_was_sent_is_there_after_its_workers_died(scheduler: Any) -> None:
    with open_executor(executor_of(scheduler)) as executor:
        sent = executor.distribute(b"work")
        assert executor.submit(len, sent).result(60) == 4
        for worker in scheduler.workers.values():
            os.kill(worker.pid, signal.SIGKILL)
        assert executor.submit(len, sent).result(60) == 4


class Remote:
    """A future of dask that has ended."""

    def __init__(self, status: str, outcome: Any) -> None:
        self.status, self.outcome = status, outcome

    def result(self) -> Any:
        if isinstance(self.outcome, BaseException):
            raise self.outcome
        return self.outcome


@pytest.mark.parametrize(
    ("status", "outcome", "expected"),
    [
        ("error", ValueError("mine"), ValueError),
        ("cancelled", RuntimeError("canceled"), BrokenExecutor),
        ("lost", RuntimeError("lost"), BrokenExecutor),
        ("finished", OSError("no worker has it"), OSError),
    ],
)
def test_every_outcome_ends_a_future(status: str, outcome: Any, expected: type[Exception]) -> None:
    future: Future[Any] = Future()
    executors._end(future, Remote(status, outcome))
    with pytest.raises(expected):
        future.result(0)


def test_a_result_ends_a_future() -> None:
    future: Future[Any] = Future()
    executors._end(future, Remote("finished", 3))
    assert future.result(0) == 3


def test_the_outcome_of_a_canceled_future_is_ignored() -> None:
    future: Future[Any] = Future()
    future.cancel()
    executors._end(future, Remote("finished", 3))
    assert future.cancelled()
