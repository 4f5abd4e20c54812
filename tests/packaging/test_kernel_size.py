"""The kernel stays small, and so does the first door."""

from pathlib import Path

import qeframe.core
import qeframe.plugin


def test_the_core_has_at_most_10566_lines_on_one_level():
    folder = Path(qeframe.core.__file__).parent
    assert sum(len(path.read_text(encoding="utf-8").splitlines()) for path in folder.rglob("*.py")) <= 10_566
    assert all(path.parent == folder for path in folder.rglob("*.py"))


KERNEL = ("core", "assembly", "execution")
"""What computes an evaluation: attacks, an ordinary class of components, stand in the core."""


def test_the_kernel_has_at_most_13130_lines_in_at_most_51_files():
    root = Path(qeframe.core.__file__).parents[1]
    files = [path for folder in KERNEL for path in (root / folder).rglob("*.py")]
    assert sum(len(path.read_text(encoding="utf-8").splitlines()) for path in files) <= 13_130
    assert len(files) <= 51


def test_the_first_door_has_at_most_40_names():
    assert len(qeframe.plugin.__all__) <= 40
