"""A row of the benchmark page: our side, the plain loop or peer that it replaces, and the sizes that are doubled.

A module of this folder that has a table ``ROWS`` is found by ``run.py``. Each row runs in a process of its own.
"""

import json
import resource
import sys
import time
from collections.abc import Callable, Mapping
from importlib import import_module
from typing import Any

from attrs import frozen

Side = Callable[[], object]


@frozen
class Row:
    """One row of the page.

    Parameters
    ----------
    number : str
        Of the formulations.
    what : str
    sizes : mapping of str to int
        Such as n (units), S (submissions), B (draws).
    ours : callable
        From sizes to a function that does the computation; what it prepares is not timed.
    loop : callable, optional
        From sizes to a function that does a part of the same by the plain loop or the peer, and how many such parts
        make the whole.
    target : float
        The ratio that is to be reached; 0 for none.
    bound : callable, optional
        From sizes to a function that does only what no way of computing the row can leave out.
    share : float
        The share of the bound that is to be reached; 0 for none.
    repeats : int
        The best of so many runs counts.
    """

    number: str
    what: str
    sizes: Mapping[str, int]
    ours: Callable[[Mapping[str, int]], Side]
    loop: Callable[[Mapping[str, int]], tuple[Side, float]] | None = None
    target: float = 0.0
    repeats: int = 3
    bound: Callable[[Mapping[str, int]], Side] | None = None
    share: float = 0.0


def seconds(side: Side, repeats: int) -> float:
    """Return the best processor time of several runs, so that other work on the machine changes it less."""
    best = float("inf")
    for _ in range(repeats):
        begun = time.process_time()
        side()
        best = min(best, time.process_time() - begun)
    return best


def measured(row: Row) -> dict[str, Any]:
    """Return the figures of a row."""
    side = row.ours(row.sizes)
    side()
    ours = seconds(side, row.repeats)
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    loop = None
    if row.loop is not None:
        plain, parts = row.loop(row.sizes)
        loop = seconds(plain, min(row.repeats, 2)) * parts
    bound = None
    if row.bound is not None:
        least = row.bound(row.sizes)
        least()
        bound = seconds(least, row.repeats)
    growth = {}
    for name, size in row.sizes.items():
        larger = row.ours({**row.sizes, name: 2 * size})
        larger()
        growth[name] = seconds(larger, row.repeats) / max(ours, 1e-9)
    return {
        "number": row.number,
        "what": row.what,
        "sizes": dict(row.sizes),
        "seconds": ours,
        "loop": loop,
        "ratio": None if loop is None else loop / max(ours, 1e-9),
        "target": row.target,
        "bound": bound,
        "share": row.share,
        "megabytes": memory,
        "growth": growth,
    }


if __name__ == "__main__":
    module, nth = sys.argv[1:]
    sys.stdout.write(json.dumps(measured(import_module(module).ROWS[int(nth)])))
