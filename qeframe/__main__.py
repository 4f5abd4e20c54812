"""``qeframe`` and ``python -m qeframe``: the command line.

An interrupt while the modules of the command line are being imported ends the program at once. What comes before, the
start of Python itself, shows the traceback of Python. The handler is therefore the first thing that is done, by the
module that is part of Python's executable; `signal` is a file that imports others.
"""

import _signal  # type: ignore[import-not-found]  # a part of the executable
import os


def _leave(_number: int, _frame: object) -> None:
    os.write(2, b"qeframe: interrupted\n")
    os._exit(130)


try:
    if _signal.getsignal(_signal.SIGINT) is _signal.default_int_handler:
        _signal.signal(_signal.SIGINT, _leave)
except ValueError:
    pass  # not the main thread

# The products of a run are many and small. Threads of OpenBLAS that wait for each other cost more than they save, where
# other programs run too many times over; --workers divides the draws instead. Other libraries have their own variables.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

from qeframe.cli import main  # noqa: E402  # after the handler

if __name__ == "__main__":
    main()
