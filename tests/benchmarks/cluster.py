"""Many workers: calls and bytes that a scheduler gets, on generated language pairs.

``python tests/benchmarks/cluster.py [PAIRS]``. Workers are processes of a dask cluster on this machine, so that the
times tell what the work is divided into, not how fast a cluster is.
"""

import pickle
import sys
import time
from collections.abc import Callable
from concurrent.futures import Executor, Future
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from attrs import define, field
from whole_runs import generated

import qeframe
from qeframe.core.runner import Runner
from qeframe.execution.executors import open_executor

LIMIT_SECONDS = 900


@define(eq=False)
class Counting(Executor):
    """An executor that counts calls and the bytes of what they are given and return."""

    inner: Any
    calls: int = 0
    works: int = 0
    packed: int = 0
    sent: int = 0
    received: int = 0
    largest: int = 0
    returned: list[Any] = field(factory=list)

    def submit(self, function: Callable[..., Any], /, *given: Any, **named: Any) -> Future[Any]:
        """Count a call, and submit it."""
        size = len(pickle.dumps((function, given, named)))
        self.calls, self.sent, self.largest = self.calls + 1, self.sent + size, max(self.largest, size)
        future = self.inner.submit(function, *given, **named)
        self.returned.append(future)
        return future

    def renew(self) -> None:
        """Replace workers that died."""
        self.inner.renew()

    def watch(self) -> None:
        """Look whether a worker is left."""
        self.inner.watch()

    def distribute(self, packed: bytes) -> Any:
        """Count the packed work of a step, and distribute it."""
        self.works, self.packed = self.works + 1, self.packed + len(packed)
        return self.inner.distribute(packed)


def by_workers(folder: Path, workers: int) -> str:
    """Evaluate on a cluster of worker processes, and say what went through its scheduler."""
    from distributed import LocalCluster

    with (
        LocalCluster(n_workers=workers, threads_per_worker=1, processes=True, dashboard_address=None) as cluster,
        open_executor(f"dask:{cluster.scheduler_address}", workers) as executor,
    ):
        counting = Counting(executor)
        begun = time.monotonic()
        evaluation = qeframe.evaluate("qe_sentence", folder, runner=Runner(counting))
        seconds = time.monotonic() - begun
        received = sum(len(pickle.dumps(future.result())) for future in counting.returned if not future.cancelled())
    digest = hash(evaluation.to_json()) % 10**6
    return (
        f"{workers} workers: {counting.works} works of {counting.packed / 1e6:.1f} MB, {counting.calls:,} calls of "
        f"{counting.sent / 1e6:.2f} MB (largest {counting.largest:,} bytes), {received / 1e6:.1f} MB of results, "
        f"{seconds:.1f} s of the clock, result {digest:06d}"
    )


def main(pairs: int) -> None:
    """Print a line for each number of workers."""
    with TemporaryDirectory() as temporary:
        folder = generated(Path(temporary), pairs, 8, 500)
        sys.stdout.write(f"{pairs} language pairs x 8 submissions x 500 units\n")
        for workers in (2, 4, 8):
            sys.stdout.write(by_workers(folder, workers) + "\n")
            sys.stdout.flush()


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 10)
