"""What the tests of the readers share."""

from collections.abc import Callable
from pathlib import Path

import pytest

from qeframe.core.errors import DataError


@pytest.fixture
def refusal() -> Callable[..., str]:
    """Read with a reader that must refuse, and return its message."""

    def read(reader, path, best="low") -> str:
        with pytest.raises(DataError) as caught:
            reader.read(Path(path), best)
        assert "\n" not in str(caught.value)
        return str(caught.value)

    return read
