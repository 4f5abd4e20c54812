"""What the tests of tasks share."""

from collections.abc import Callable, Mapping
from pathlib import Path

import pytest

from tests.written import write_files


@pytest.fixture
def tree(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[Mapping[str, str]], None]:
    """Write files below the working folder, so that messages carry short paths."""
    monkeypatch.chdir(tmp_path)

    def write(files: Mapping[str, str]) -> None:
        write_files(".", files)

    return write
