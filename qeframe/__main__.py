"""``qeframe`` and ``python -m qeframe``: the command line.

An interrupt while the modules of the command line are still being imported ends the program at once.
"""

import os
import signal


def _leave(_number: int, _frame: object) -> None:
    os.write(2, b"qeframe: interrupted\n")
    os._exit(130)


try:
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        signal.signal(signal.SIGINT, _leave)
except ValueError:
    pass  # not the main thread

from qeframe.cli import main  # noqa: E402  # after the handler

if __name__ == "__main__":
    main()
