"""One evaluation of WMT23 (two language pairs, all parts), computed in every way: the same bytes of the result.

The environment variable QEFRAME_DRAWS sets the draws of the intervals, so that the same test is run with 1000 by hand.
"""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from threading import Event, Thread

import pytest

DRAWS = os.environ.get("QEFRAME_DRAWS", "60")
RULES = ("--set", f"interval=bootstrap(draws={DRAWS})", "--set", "valid={shown=false}")
"""Without the valid clusters, which draw again as often."""


class Place:
    """A folder in which commands are run, as their users run them."""

    def __init__(self, folder: Path, data: Path) -> None:
        self.folder, self.run = folder, ("run", "wmt23_metrics", str(data), *RULES)
        self.environment = {**os.environ, "OPENBLAS_NUM_THREADS": "1"}

    def start(self, *arguments: str) -> "subprocess.Popen[str]":
        command = [sys.executable, "-m", "qeframe", *arguments]
        pipe = subprocess.PIPE
        return subprocess.Popen(
            command, cwd=self.folder, env=self.environment, stdout=subprocess.DEVNULL, stderr=pipe, text=True
        )

    def done(self, *arguments: str) -> str:
        process = self.start(*arguments)
        _, err = process.communicate(timeout=900)
        assert process.returncode == 0, err
        return err

    def result(self, out: str) -> bytes:
        return (self.folder / out / "evaluation.json").read_bytes()


@pytest.fixture(scope="module")
def place(tmp_path_factory, shared_data) -> Place:
    return Place(tmp_path_factory.mktemp("everywhere"), shared_data("wmt23-metrics-pairs"))


@pytest.fixture(scope="module")
def whole(place) -> bytes:
    place.done(*place.run, "--out", "whole")
    return place.result("whole")


@pytest.mark.matrix
def test_by_two_processes(place, whole):
    place.done(*place.run, "--executor", "processes", "--workers", "2", "--out", "processes")
    assert place.result("processes") == whole


@pytest.mark.matrix
@pytest.mark.filterwarnings("ignore")
def test_by_dask_with_a_worker_killed(place, whole, monkeypatch):
    from distributed import LocalCluster

    monkeypatch.setenv("OPENBLAS_NUM_THREADS", "1")
    with LocalCluster(n_workers=2, threads_per_worker=1, processes=True, dashboard_address=None) as cluster:
        first, done, ended = cluster.workers[0].pid, [], Event()

        def kill() -> None:
            while not done and not ended.is_set():
                if any(worker.processing for worker in cluster.scheduler.workers.values()):
                    time.sleep(0.1)
                    os.kill(first, signal.SIGKILL)
                    done.append(first)
                time.sleep(0.005)

        killer = Thread(target=kill)
        killer.start()
        place.done(*place.run, "--executor", f"dask:{cluster.scheduler_address}", "--out", "dask")
        ended.set()
        killer.join()
    assert done
    assert place.result("dask") == whole
