"""Row 39 of the formulations: the bootstrap of a corpus in chunks, against weights of whole arrays draw by draw.

``python tests/benchmarks/chunks.py UNITS [WORKERS]`` does one run on a dask cluster of worker processes on this
machine, 200 chunks and 200 draws, and says its time and the largest memory of a process.
"""

import resource
import sys
import time
from collections.abc import Mapping, Sequence
from functools import partial

import numpy as np
from rows import Row, Side

import qeframe
from qeframe.core.batch import FloatArray

LIMIT_SECONDS = 600

SIZES = {"n": 200_000, "S": 3, "B": 200}
CHUNKS = 20


def chunk(units: int, submissions: int, nth: int) -> dict[str, FloatArray]:
    """Return a chunk of normal scores of systems that err more and more."""
    rng = np.random.default_rng(nth)
    gold = rng.normal(size=units)
    systems = {f"s{each}": gold + (each + 1) * rng.normal(size=units) for each in range(submissions)}
    return {"id": np.arange(nth * units, (nth + 1) * units), "gold": gold, **systems}


def corpus(units: int, submissions: int, chunks: int) -> Sequence[partial[dict[str, FloatArray]]]:
    """Return the functions that make the chunks."""
    return [partial(chunk, units // chunks, submissions, nth) for nth in range(chunks)]


def ours(sizes: Mapping[str, int]) -> Side:
    """Score all chunks in this process."""
    return lambda: qeframe.score_chunks("pearson", corpus(sizes["n"], sizes["S"], CHUNKS), draws=sizes["B"])


def loop(sizes: Mapping[str, int]) -> tuple[Side, float]:
    """Draw units and correlate them anew, as users do with all units in memory; a fiftieth of the draws."""
    (whole,) = corpus(sizes["n"], sizes["S"], 1)
    columns = whole()
    gold, systems = columns["gold"], [columns[f"s{nth}"] for nth in range(sizes["S"])]
    rng, draws = np.random.default_rng(0), max(1, sizes["B"] // 50)

    def draw() -> None:
        for _ in range(draws):
            drawn = rng.integers(sizes["n"], size=sizes["n"])
            for answers in systems:
                np.corrcoef(gold[drawn], answers[drawn])

    return draw, sizes["B"] / draws


ROWS = [Row("39", f"bootstrap of pearson in {CHUNKS} chunks", SIZES, ours, loop)]


def main(units: int, workers: int) -> None:
    """Print the time and the memory of one run."""
    from distributed import Client

    with Client(n_workers=workers, threads_per_worker=1, dashboard_address=None) as client:
        begun = time.monotonic()
        found = qeframe.score_chunks("pearson", corpus(units, SIZES["S"], 200), executor=client.get_executor())
        seconds = time.monotonic() - begun
    every = [resource.getrusage(who).ru_maxrss / 1024 for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    sys.stdout.write(
        f"{found.units:,} units x {SIZES['S']} submissions, 200 draws, {workers} workers: {seconds:.0f} s of the clock,"
        f" {used.ru_utime + used.ru_stime:.0f} s of the workers' processors, {max(every):.0f} MB\n"
    )
    for name, result in found.scores.items():
        sys.stdout.write(f"{name} {result.value!r} [{result.low!r}, {result.high!r}]\n")


if __name__ == "__main__":
    main(int(float(sys.argv[1])), int(sys.argv[2]) if len(sys.argv) > 2 else 2)
