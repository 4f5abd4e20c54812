"""What the tests of the readers share."""

from collections.abc import Callable
from functools import cache
from pathlib import Path

import pytest

from qeframe.core.profile import Profile
from qeframe.core.profile_files import find_profile
from qeframe.core.registry import Registry
from tests.plugins.qeframe_wmt.readings import refused


@pytest.fixture
def refusal() -> Callable[..., str]:
    """Read with a reader that must refuse, and return its message."""

    def read(reader, path, best="low") -> str:
        return refused(reader.read, Path(path), best)

    return read


@pytest.fixture(scope="session")
def profile(registry: Registry) -> Callable[[str], Profile]:
    """Find profiles, each once."""
    return cache(lambda name: find_profile(name, registry))
