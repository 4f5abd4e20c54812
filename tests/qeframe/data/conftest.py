"""What the tests of tasks share."""

from collections.abc import Callable, Mapping
from pathlib import Path

import pytest


@pytest.fixture
def tree(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[Mapping[str, str]], None]:
    """Write files below the working folder, so that messages carry short paths."""
    monkeypatch.chdir(tmp_path)

    def write(files: Mapping[str, str]) -> None:
        for name, text in files.items():
            path = Path(name)
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8", newline="")

    return write
