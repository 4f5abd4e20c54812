"""One thread for each matrix product.

The products of a run are many and small. Threads of a BLAS that wait for each other take many times the processor time
of one, where other programs run too; workers divide the draws instead.
"""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from threading import Lock
from typing import Any

VARIABLE = "OPENBLAS_NUM_THREADS"
_LOCK = Lock()
_LIMITS: list[Any] = []
"""The limit that holds, once for each context that wants it: contexts of several threads overlap."""


@contextmanager
def one_thread_a_product() -> Iterator[None]:
    """Give matrix products one thread within this context; what was before comes back when the last such one ends.

    Nothing changes where the variable OPENBLAS_NUM_THREADS states a number.
    """
    if os.environ.get(VARIABLE):
        yield
        return
    with _LOCK:
        _LIMITS.append(_LIMITS[0] if _LIMITS else _controller().limit(limits=1, user_api="blas"))
    try:
        yield
    finally:
        with _LOCK:
            limit = _LIMITS.pop()
            if not _LIMITS:
                limit.restore_original_limits()


@cache
def _controller() -> Any:
    """Return what knows the libraries of matrix products in this process: that of numpy is loaded."""
    import numpy as np  # noqa: F401
    from threadpoolctl import ThreadpoolController

    return ThreadpoolController()
