"""What the tests of the readers share."""

from collections.abc import Callable
from pathlib import Path

import pytest

from qeframe.core.profile import Profile
from tests.plugins.qeframe_wmt.readings import refused
from tests.registered import profile_named


@pytest.fixture
def refusal() -> Callable[..., str]:
    """Read with a reader that must refuse, and return its message."""

    def read(reader, path, best="low") -> str:
        return refused(reader.read, Path(path), best)

    return read


@pytest.fixture(scope="session")
def profile() -> Callable[[str], Profile]:
    """Find profiles, each once."""
    return profile_named
