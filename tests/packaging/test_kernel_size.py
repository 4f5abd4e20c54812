"""The kernel stays small, and so does the first door."""

from pathlib import Path

import qeframe.core
import qeframe.plugin


def test_the_core_has_at_most_9993_lines_on_one_level():
    folder = Path(qeframe.core.__file__).parent
    assert sum(len(path.read_text(encoding="utf-8").splitlines()) for path in folder.rglob("*.py")) <= 9_993
    assert all(path.parent == folder for path in folder.rglob("*.py"))


KERNEL = ("core", "assembly", "execution")
"""What computes an evaluation: attacks, an ordinary class of components, stand in the core."""


def test_the_kernel_has_at_most_12557_lines_in_at_most_48_files():
    root = Path(qeframe.core.__file__).parents[1]
    files = [path for folder in KERNEL for path in (root / folder).rglob("*.py")]
    assert sum(len(path.read_text(encoding="utf-8").splitlines()) for path in files) <= 12_557
    assert len(files) <= 48


def test_the_first_door_has_at_most_40_names():
    assert len(qeframe.plugin.__all__) <= 40
