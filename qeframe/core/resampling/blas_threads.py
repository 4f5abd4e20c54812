"""One thread for each matrix product.

The products of a run are many and small. Threads of OpenBLAS that wait for each other take many times the processor
time of one, where other programs run too; workers divide the draws instead.
"""

import ctypes
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache
from itertools import product
from pathlib import Path
from threading import Lock

import numpy as np

VARIABLE = "OPENBLAS_NUM_THREADS"
_LOCK = Lock()
_USERS: list[int] = []
"""The threads that OpenBLAS had when each of those began who want one."""


@contextmanager
def one_thread_a_product() -> Iterator[None]:
    """Give matrix products one thread within this context; what was before comes back when the last such one ends.

    Nothing changes where the variable OPENBLAS_NUM_THREADS states a number, or where numpy has another library.
    """
    functions = None if os.environ.get(VARIABLE) else _functions()
    if functions is None:
        yield
        return
    threads, set_threads = functions
    with _LOCK:
        _USERS.append(_USERS[0] if _USERS else threads())
        set_threads(1)
    try:
        yield
    finally:
        with _LOCK:
            before = _USERS.pop()
            if not _USERS:
                set_threads(before)


@cache
def _functions() -> tuple[Callable[[], int], Callable[[int], object]] | None:
    """Return how the OpenBLAS that came with numpy is asked for its number of threads, and told one."""
    installed = Path(np.__file__).parent
    for folder in (installed.parent / "numpy.libs", installed / ".dylibs"):
        for path in sorted(folder.glob("*openblas*")):
            library = ctypes.CDLL(str(path))  # it is loaded already
            for prefix, suffix in product(("scipy_openblas", "openblas"), ("64_", "")):
                names = (f"{prefix}_{verb}_num_threads{suffix}" for verb in ("get", "set"))
                found = [getattr(library, name, None) for name in names]
                if all(found):
                    return found[0], found[1]  # type: ignore[return-value]
    return None
