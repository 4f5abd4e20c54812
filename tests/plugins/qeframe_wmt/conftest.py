"""What the tests of the readers share."""

from collections.abc import Callable, Mapping
from pathlib import Path

import pytest

from qeframe.core.errors import DataError
from tests.written import write_files


@pytest.fixture
def tree(tmp_path, monkeypatch) -> Callable[[Mapping[str, str]], None]:
    """Write files below the working folder, so that messages carry short paths."""
    monkeypatch.chdir(tmp_path)

    def write(files: Mapping[str, str]) -> None:
        write_files(".", files)

    return write


@pytest.fixture
def refusal() -> Callable[..., str]:
    """Read with a reader that must refuse, and return its message."""

    def read(reader, path, best="low") -> str:
        with pytest.raises(DataError) as caught:
            reader.read(Path(path), best)
        assert "\n" not in str(caught.value)
        return str(caught.value)

    return read
