"""How a process ends: by a signal, which is held back during a few steps."""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager

SIGNALS = tuple(getattr(signal, name) for name in ("SIGINT", "SIGTERM", "SIGHUP") if hasattr(signal, name))


class EndedError(KeyboardInterrupt):
    """SIGTERM or SIGHUP asks this process to end: what keeps results at an interrupt by the user lets it pass."""


@contextmanager
def undisturbed() -> Iterator[None]:
    """Hold signals back until the block ends: for a few steps of which none may be left out."""
    came: list[int] = []
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    heard = [number for number in SIGNALS if callable(signal.getsignal(number))]
    before = {number: signal.signal(number, lambda number, _frame: came.append(number)) for number in heard}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
        for number in came:
            signal.raise_signal(number)
