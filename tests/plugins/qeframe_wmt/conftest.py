"""What the tests of the readers share."""

from collections.abc import Callable
from functools import cache
from pathlib import Path

import pytest

from qeframe.core.components.loading.registry import Registry
from qeframe.core.errors import DataError
from qeframe.core.profiles.load import find_profile
from qeframe.core.profiles.schema import Profile


@pytest.fixture
def refusal() -> Callable[..., str]:
    """Read with a reader that must refuse, and return its message."""

    def read(reader, path, best="low") -> str:
        with pytest.raises(DataError) as caught:
            reader.read(Path(path), best)
        assert "\n" not in str(caught.value)
        return str(caught.value)

    return read


@pytest.fixture(scope="session")
def profile(registry: Registry) -> Callable[[str], Profile]:
    """Find profiles, each once."""
    return cache(lambda name: find_profile(name, registry))
