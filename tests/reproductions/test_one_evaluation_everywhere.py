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
"""Without the valid clusters, which draw again as often: what cuts and joins draws treats all of them alike."""
KEEPING = "import qeframe.execution.resumable as kept; kept.DELAY = 0; from qeframe.cli import main; main()"
"""The program, for which no run is too short to keep its blocks."""


class Place:
    """A folder in which commands are run, as their users run them."""

    def __init__(self, folder: Path, data: Path) -> None:
        self.folder, self.run = folder, ("run", "wmt23_metrics", str(data), *RULES)
        self.environment = {**os.environ, "QEFRAME_WORK": str(folder / "work"), "OPENBLAS_NUM_THREADS": "1"}

    def start(self, *arguments: str, keeping: bool = False) -> "subprocess.Popen[str]":
        """Start a command; a short run keeps its blocks if it is told to."""
        command = [sys.executable, *(("-c", KEEPING) if keeping else ("-m", "qeframe")), *arguments]
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
def test_by_three_shards(place, whole):
    for number in (1, 2, 3):
        place.done(*place.run, "--shard", f"{number}/3", "--out", f"shard-{number}")
    err = place.done("merge", "shard-3", "shard-1", "shard-2", "--out", "merged")
    assert "could not be taken" not in err
    assert place.result("merged") == whole


@pytest.mark.matrix
def test_after_a_kill(place, whole):
    process = place.start(*place.run, "--out", "resumed", keeping=True)
    while process.poll() is None and len(list((place.folder / "work").glob("*/*"))) < 20:
        time.sleep(0.01)
    process.send_signal(signal.SIGKILL)
    process.communicate()
    assert process.returncode == -signal.SIGKILL, "the run ended before it could be killed: give it more draws"
    err = place.done(*place.run, "--out", "resumed")
    assert "going on with the blocks in" in err
    assert place.result("resumed") == whole
    assert list((place.folder / "work").iterdir()) == []


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
