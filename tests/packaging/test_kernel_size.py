"""The kernel stays small, and so does the first door."""

from pathlib import Path

import qeframe.core
import qeframe.plugin


def test_the_kernel_has_at_most_12500_lines():
    folder = Path(qeframe.core.__file__).parent
    assert sum(len(path.read_text(encoding="utf-8").splitlines()) for path in folder.rglob("*.py")) <= 12_500


def test_the_first_door_has_at_most_45_names():
    assert len(qeframe.plugin.__all__) <= 45
