"""How a process of qeframe ends: by a signal, or with the process that started it."""

from __future__ import annotations

import os
import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager

SIGNALS = tuple(getattr(signal, name) for name in ("SIGINT", "SIGTERM", "SIGHUP") if hasattr(signal, name))
_HAS_MASKS = hasattr(signal, "pthread_sigmask")


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


@contextmanager
def starting_workers() -> Iterator[None]:
    """Hold signals back until the block ends; processes that it starts are not told of interrupts.

    A terminal sends an interrupt to workers too. Their parent ends them; a worker that still starts would print a
    traceback.
    """
    with undisturbed():
        before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT}) if _HAS_MASKS else ()
        try:
            yield
        finally:
            if _HAS_MASKS:
                signal.pthread_sigmask(signal.SIG_SETMASK, before)


def follow_parent() -> None:
    """End this worker process when the process that started it ends, however that ends; called once in a worker.

    A worker holds both ends of the pipe that brings its work, so that the pipe does not say when the parent is gone.
    """
    from multiprocessing import parent_process

    for number in SIGNALS:  # a fork has the handlers of its parent
        signal.signal(number, signal.SIG_IGN if number == signal.SIGINT else signal.SIG_DFL)
    parent = parent_process()
    assert parent is not None

    def watch() -> None:
        parent.join()
        os._exit(1)

    threading.Thread(target=watch, daemon=True).start()
