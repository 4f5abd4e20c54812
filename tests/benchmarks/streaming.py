"""Row 25 of the formulations: corpora that do not fit into memory, against Poisson counts and a plain loop.

Run as ``python tests/benchmarks/streaming.py [UNITS ...]``, by default 1,000,000 and 10,000,000. Ten submissions and a
gold are generated into a Parquet file, then evaluated by `qeframe stream` in a process of its own, under two sets of
metrics: pearson, mae and rmse (53 distinct columns), and mae, rmse and mean (31). Times are those of the processor.
Exit status 1 if the peak memory is above 500 MB, grows with the number of units, or if the counts of the bootstrap take
more than 1.3 times the time of Poisson counts.
"""

import os
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # as the command line does

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from qeframe.core.resampling.draws import DrawBlock
from qeframe.core.resampling.draws import poisson_counts as poisson_by_id
from qeframe.streaming.additive_rows import weighted_sums
from qeframe.streaming.chunk_counts import UNITS_IN_CHUNK, chunk_rng, multinomial_counts, poisson_counts

SUBMISSIONS, DRAWS, AT_ONCE = 10, 1000, 64
METRICS = {"pearson mae rmse": 53, "mae rmse mean": 31}
MOST_MEGABYTES, GROWTH, RATIO = 500, 1.15, 1.3

RUN = """
import resource, sys
from qeframe.streaming.stream import stream
metrics, path = sys.argv[1].split(), sys.argv[2]
stream(metrics, f"{path}::gold", [f"{path}::s{i}" for i in range(10)])
used = resource.getrusage(resource.RUSAGE_SELF)
print(used.ru_utime + used.ru_stime, used.ru_maxrss / 1024)
"""

LIMIT_SECONDS = 600


def generate(path: Path, units: int) -> None:
    """Write a gold and submissions of falling quality."""
    names = ["gold", *(f"s{i}" for i in range(SUBMISSIONS))]
    rng = np.random.default_rng(0)
    with pq.ParquetWriter(path, pa.schema([(name, pa.float64()) for name in names])) as writer:
        for start in range(0, units, 500_000):
            size = min(500_000, units - start)
            gold = np.round(rng.normal(70, 15, size), 2)
            sides = [np.round(gold * 0.6 + 20 + rng.normal(0, 5 + i, size), 4) for i in range(SUBMISSIONS)]
            writer.write_table(pa.table(dict(zip(names, [gold, *sides], strict=True))))


def seconds(work: Callable[[], object], times: int = 5) -> float:
    """Return the shortest time of the processor that some work takes."""
    spent = []
    for _ in range(times):
        begun = time.process_time()
        work()
        spent.append(time.process_time() - begun)
    return min(spent)


def schemes(columns: int) -> dict[str, float]:
    """Return the nanoseconds a unit and draw that counts and their product take, by scheme, interleaved."""
    rng, key = np.random.default_rng(1), (1, 2)
    rows = rng.normal(size=(columns, UNITS_IN_CHUNK))
    totals = rng.binomial(100 * UNITS_IN_CHUNK, 0.01, size=AT_ONCE)
    by_unit = np.ascontiguousarray(rows.T)
    generator = chunk_rng(key, 0, 0)

    def loop() -> None:
        for total in totals.tolist():
            rows @ np.bincount(generator.integers(UNITS_IN_CHUNK, size=total), minlength=UNITS_IN_CHUNK)

    ids = np.arange(UNITS_IN_CHUNK)
    work = {
        "bootstrap": lambda: weighted_sums(rows, multinomial_counts(generator, totals, UNITS_IN_CHUNK), whole=False),
        "Poisson": lambda: weighted_sums(rows, poisson_counts(generator, AT_ONCE, UNITS_IN_CHUNK, 1.0), whole=False),
        "Poisson by id": lambda: weighted_sums(
            rows, poisson_by_id(DrawBlock(key, 0, 0, AT_ONCE // 8), ids), whole=False
        ),
        "loop": loop,
        "loop of sums": lambda: [by_unit[generator.integers(UNITS_IN_CHUNK, size=n)].sum(axis=0) for n in totals[:4]],
    }
    draws = {"Poisson by id": AT_ONCE // 8, "loop of sums": 4}
    found = dict.fromkeys(work, np.inf)
    for _ in range(4):
        for name, each in work.items():
            spent = seconds(each) / draws.get(name, AT_ONCE) / UNITS_IN_CHUNK * 1e9
            found[name] = min(found[name], spent)
    return found


def main() -> int:
    """Print the figures and return the exit status."""
    sizes = [int(size) for size in sys.argv[1:]] or [1_000_000, 3_000_000]
    failed = False
    for nth, (metrics, columns) in enumerate(METRICS.items()):
        by_scheme = schemes(columns)
        ratio = by_scheme["bootstrap"] / by_scheme["Poisson"]
        failed |= ratio > RATIO
        shown = ", ".join(f"{name} {spent:.1f}" for name, spent in by_scheme.items())
        sys.stdout.write(f"{metrics}, {columns} columns; ns a unit and draw: {shown}\n")
        sys.stdout.write(f"  {ratio:.2f} times the time of Poisson counts (at most {RATIO})\n")
        peaks = []
        for units in sizes if not nth else sizes[:1]:  # the largest corpus once
            with TemporaryDirectory() as folder:
                path = Path(folder) / "corpus.parquet"
                generate(path, units)
                arguments = [sys.executable, "-c", RUN, metrics, str(path)]
                ran = subprocess.run(arguments, capture_output=True, text=True, check=True)
            spent, peak = map(float, ran.stdout.split())
            peaks.append(peak)
            figures = f"{units:>12,} units x {SUBMISSIONS}, {DRAWS} draws: {spent:6.1f} s, peak {peak:.0f} MB"
            sys.stdout.write(f"  {figures}\n")
            sys.stdout.flush()
        failed |= max(peaks) > MOST_MEGABYTES or max(peaks) > GROWTH * min(peaks)
    return int(failed)


if __name__ == "__main__":
    sys.exit(main())
