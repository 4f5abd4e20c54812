"""``qeframe`` and ``python -m qeframe``: the command line.

A signal while the modules of the command line are being imported ends the program at once. What comes before, the start
of Python itself, shows the traceback of Python for an interrupt. The handlers are therefore the first thing that is
done, by the module that is part of Python's executable; `signal` is a file that imports others.
"""

import _signal  # type: ignore[import-not-found]  # a part of the executable
import atexit
import gc
import os
import sys

_LINES = {"SIGINT": b"interrupted", "SIGTERM": b"ended by SIGTERM", "SIGHUP": b"ended by SIGHUP"}


def _handle(number: int, line: bytes) -> None:
    def leave(_number: int, _frame: object) -> None:
        os.write(2, b"qeframe: %s\n" % line)
        os._exit(128 + number)

    if _signal.getsignal(number) in (_signal.default_int_handler, _signal.SIG_DFL):
        _signal.signal(number, leave)


try:
    for _name, _line in _LINES.items():
        if hasattr(_signal, _name) and "multiprocessing" not in sys.modules:  # a worker process imports this too
            _handle(getattr(_signal, _name), _line)
except ValueError:
    pass  # not the main thread

# The products of a run are many and small. Threads of OpenBLAS that wait for each other cost more than they save, where
# other programs run too many times over; --workers divides the draws instead. Other libraries have their own variables.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

# Modules, classes and results live to the end, where they go with the process. To search them for cycles, at each 700
# new objects and once more at the end, took a fifth of the time of `qeframe plugins`.
gc.set_threshold(20_000)
atexit.register(gc.freeze)

# Arrays of some hundred kilobytes come and go at each step of a computation. glibc gives the memory of each back to the
# system, and asks for it anew, until it has freed one large block; it then keeps up to twice as much for what comes
# next. This block is never written to, so that it takes no memory.
bytes(2**25 - 2**13)

from qeframe.cli import main  # noqa: E402  # after the handler
from qeframe.cli.shared.special_functions import import_in_parts  # noqa: E402

import_in_parts()

if __name__ == "__main__":
    main()
