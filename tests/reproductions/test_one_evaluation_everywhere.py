"""One evaluation of WMT23 (two language pairs, all parts), computed on every executor: the same bytes of the result.

The environment variable QEFRAME_DRAWS sets the draws of the intervals, so that the same test is run with 1000 by hand.
"""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.qeframe.execution.clusters import cluster_of_processes

DRAWS = os.environ.get("QEFRAME_DRAWS", "60")
RULES = ("--set", f"interval=bootstrap(draws={DRAWS})", "--set", "valid={shown=false}")
"""Without the valid clusters, which draw again as often."""


class Place:
    """A folder in which commands are run, as their users run them."""

    def __init__(self, folder: Path, data: Path) -> None:
        self.folder, self.run = folder, ("run", "wmt23_metrics", str(data), *RULES)

    def start(self, *options: str) -> "subprocess.Popen[str]":
        command = [sys.executable, "-m", "qeframe", *self.run, *options]
        environment = {**os.environ, "OPENBLAS_NUM_THREADS": "1"}
        pipes = {"stdout": subprocess.DEVNULL, "stderr": subprocess.PIPE}
        return subprocess.Popen(command, cwd=self.folder, env=environment, text=True, **pipes)

    def result(self, process: "subprocess.Popen[str]", out: str) -> bytes:
        """Return the result of a command that was started, when it ends."""
        _, err = process.communicate(timeout=900)
        assert process.returncode == 0, err
        return (self.folder / out / "evaluation.json").read_bytes()


@pytest.fixture(scope="module")
def place(tmp_path_factory, shared_data) -> Place:
    return Place(tmp_path_factory.mktemp("everywhere"), shared_data("wmt23-metrics-pairs"))


@pytest.fixture(scope="module")
def by_threads(place) -> bytes:
    return place.result(place.start("--workers", "2", "--out", "threads"), "threads")


@pytest.mark.matrix
def test_by_two_processes(place, by_threads):
    process = place.start("--executor", "processes", "--workers", "2", "--out", "processes")
    assert place.result(process, "processes") == by_threads


@pytest.mark.matrix
@pytest.mark.filterwarnings("ignore")
def test_by_dask_with_a_worker_killed(place, by_threads, tmp_path):
    with cluster_of_processes(tmp_path, workers=2) as cluster:
        process = place.start("--executor", f"dask:{cluster.address}", "--out", "dask")
        while not cluster.is_in_the_middle():
            assert process.poll() is None, "the run ended before a worker could be killed: give it more draws"
            time.sleep(0.005)
        cluster.workers[0].send_signal(signal.SIGKILL)
        assert place.result(process, "dask") == by_threads
        assert cluster.number_of_workers() == 1
