"""A cluster, and work for its workers: importable by worker processes."""

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from attrs import frozen


@frozen
class Deadly:
    """Work that kills the worker that does item 3, the first time only, or always."""

    folder: Path
    always: bool = False

    def __call__(self, item: int) -> int:
        with (self.folder / "begun").open("a") as file:
            file.write(f"{item}\n")
        if item == 3 and (self.always or not (self.folder / "killed").exists()):
            (self.folder / "killed").touch()
            os.kill(os.getpid(), signal.SIGKILL)
        time.sleep(0.02)
        return item * item


@frozen
class Cluster:
    """A scheduler of dask and its workers, each a process that nothing starts again."""

    address: str
    workers: list["subprocess.Popen[bytes]"]
    client: Any

    def number_of_workers(self) -> int:
        return len(self.client.scheduler_info()["workers"])

    def is_in_the_middle(self) -> bool:
        """Return whether some work is done, and every worker is at work."""

        def look(dask_scheduler: Any) -> bool:
            tasks, workers = dask_scheduler.tasks.values(), dask_scheduler.workers.values()
            return sum(task.state == "memory" for task in tasks) > 2 and all(worker.processing for worker in workers)

        return bool(self.client.run_on_scheduler(look))


@contextmanager
def cluster_of_processes(folder: Path, workers: int) -> Iterator[Cluster]:
    """Run a scheduler and workers of one thread, each in a process of its own."""
    from distributed import Client

    environment = {**os.environ, "OPENBLAS_NUM_THREADS": "1"}
    running: list[subprocess.Popen[bytes]] = []

    def start(*words: object) -> "subprocess.Popen[bytes]":
        command = [sys.executable, "-m", *map(str, words), "--no-dashboard"]
        running.append(subprocess.Popen(command, cwd=folder, env=environment, stderr=subprocess.DEVNULL))
        return running[-1]

    try:
        file = folder / "scheduler.json"
        start("distributed.cli.dask_scheduler", "--host", "127.0.0.1", "--port", "0", "--scheduler-file", file)
        while not file.exists() or not file.read_text().rstrip().endswith("}"):
            time.sleep(0.05)
        address = json.loads(file.read_text())["address"]
        started = [
            start("distributed.cli.dask_worker", address, "--nthreads", "1", "--no-nanny") for _ in range(workers)
        ]
        with Client(address) as client:
            client.wait_for_workers(workers, timeout=60)
            yield Cluster(address, started, client)
    finally:
        for process in running:
            process.kill()
            process.wait()
