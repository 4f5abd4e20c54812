"""What the system refuses at one file or folder of a task is one line with the path, never an unforeseen error."""

import errno
import os
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.fuzz.cloned_trees import CLONED
from tests.fuzz.detection_tasks import DETECTION_TASKS
from tests.fuzz.json_tasks import JSON_TASKS
from tests.fuzz.published_trees import PUBLISHED
from tests.fuzz.rating_tasks import RATING_TASKS
from tests.fuzz.small_tasks import SMALL_TASKS
from tests.fuzz.test_broken_input import empty_folder, lay_out
from tests.fuzz.verdicts import REFUSAL, outcome_of

__all__ = ["empty_folder"]

TASKS = {**SMALL_TASKS, **DETECTION_TASKS, **RATING_TASKS, **JSON_TASKS, **PUBLISHED, **CLONED}
QUICK = {"table", "table-flat", "qe_plain", "mtme"}
"""The tasks that the fast suite tries too."""
MOST_PATHS = 6
STATUS, OPENING = frozenset({"stat", "lstat"}), frozenset({"open", "scandir", "listdir"})
NO_READING = 0
"""In the place of an error number: it can be opened, and an error comes when it is read."""
FAULTS = {
    "no permission to search": (STATUS, errno.EACCES),
    "no status": (STATUS, errno.EIO),
    "no permission to read": (OPENING, errno.EACCES),
    "an error of the disk": (OPENING, errno.EIO),
    "too many open files": (OPENING, errno.EMFILE),
    "an error while reading": (frozenset({"open"}), NO_READING),
}
UNFORESEEN = re.compile(r"raised in module|failed in|QEFRAME_TRACEBACK|Traceback|Errno")


class Faults:
    """The calls of the system, which fail at one path; `hits` counts how often they did."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.path, self.calls, self.number, self.hits = "", frozenset[str](), 0, 0
        for name in STATUS | OPENING:
            monkeypatch.setattr(os, name, self._failing(name, getattr(os, name)))

    def _failing(self, name: str, call: Callable[..., Any]) -> Callable[..., Any]:
        def failing(path: Any = ".", *arguments: Any, **options: Any) -> Any:
            is_it = self.path and name in self.calls and isinstance(path, (str, os.PathLike))
            if not is_it or os.path.abspath(path) != self.path:
                return call(path, *arguments, **options)
            self.hits += 1
            if self.number == NO_READING:
                return call("/proc/self/mem", os.O_RDONLY)  # its first page cannot be read
            raise OSError(self.number, os.strerror(self.number), os.fspath(path))

        return failing


@pytest.fixture
def faults(empty_folder, monkeypatch) -> Faults:
    return Faults(monkeypatch)


def paths_of(files: list[str]) -> list[str]:
    """Return some of the files and folders of a task."""
    paths = sorted({str(part) for file in files for part in (Path("t", file), *Path("t", file).parents)} - {"."})
    return paths[:: max(1, len(paths) // MOST_PATHS)]


@pytest.mark.skipif(not Path("/proc/self/mem").exists(), reason="the system has no file that cannot be read")
@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=() if name in QUICK else pytest.mark.slow) for name in TASKS]
)
def test_a_fault_of_the_system_is_one_line(name, faults):
    task = TASKS[name]
    lay_out(task)
    assert outcome_of(task.command("t")).status == 0
    tried, wrong = 0, []
    for path in paths_of(list(task.files)):
        for what, (calls, number) in FAULTS.items():
            if number == NO_READING and Path(path).is_dir():
                continue
            faults.path, faults.calls, faults.number, faults.hits = os.path.abspath(path), calls, number, 0
            outcome = outcome_of(task.command("t"))
            hits, faults.path = faults.hits, ""
            tried += hits > 0
            named = Path(path).name in outcome.err
            one_line = REFUSAL.fullmatch(outcome.err) and not UNFORESEEN.search(outcome.err)
            if hits and not (outcome.status == 2 and one_line and named):
                wrong.append(f"{path}, {what}: {outcome.status} {outcome.err}")
    assert tried > 3
    assert not wrong, "\n".join(wrong)
