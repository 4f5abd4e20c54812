"""Work for tests: importable by worker processes."""

import os
import signal
import time
from pathlib import Path

from attrs import frozen


@frozen
class Deadly:
    """Work that kills the worker that does item 3, the first time only, or always."""

    folder: Path
    always: bool = False

    def __call__(self, item: int) -> int:
        with (self.folder / "begun").open("a") as file:
            file.write(f"{item}\n")
        if item == 3 and (self.always or not (self.folder / "killed").exists()):
            (self.folder / "killed").touch()
            os.kill(os.getpid(), signal.SIGKILL)
        time.sleep(0.02)
        return item * item
