"""Small tasks of plain files, for runs that need no more."""

from collections.abc import Iterable, Mapping
from pathlib import Path

import pytest


@pytest.fixture
def write_task(tmp_path, monkeypatch):
    """Go to a new folder; return a function that writes a gold and submissions of numbers into a folder of it."""
    monkeypatch.chdir(tmp_path)

    def write(folder: str, gold: Iterable[object], submissions: Mapping[str, Iterable[object]]) -> None:
        sides = {"gold": gold, **{f"submissions/{name}": answers for name, answers in submissions.items()}}
        for name, values in sides.items():
            path = Path(folder, f"{name}.txt")
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text("".join(f"{value}\n" for value in values))

    return write
