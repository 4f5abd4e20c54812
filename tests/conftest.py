"""What all tests share."""

import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, settings

import qeframe
from qeframe.components.registry import Registry

settings.register_profile("dev", deadline=None)
settings.register_profile("ci", derandomize=True, deadline=None, print_blob=True)
settings.register_profile(
    "thorough",
    deadline=None,
    max_examples=100 * settings.get_profile("dev").max_examples,
    suppress_health_check=[HealthCheck.too_slow],
)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "ci"))


@pytest.fixture(scope="session")
def registry() -> Registry:
    """Load all installed plugins."""
    return qeframe.load()


@pytest.fixture(scope="session")
def shared_data() -> Callable[[str], Path]:
    """Find real data of the shared tasks, which the project does not ship."""
    beside = Path(__file__).parents[2] / "shared" / "data"
    root = Path(os.environ.get("QEFRAME_DATA") or beside)

    def find(name: str) -> Path:
        if not (root / name).exists():
            pytest.skip(f"real data '{name}' is not here: set QEFRAME_DATA to the folder that holds it")
        return root / name

    return find


@pytest.fixture(scope="session")
def golden() -> list[dict[str, Any]]:
    """Read the checked cases: inputs with the values that sources and independent programs agree on."""
    root = Path(__file__).parents[2] / "shared"
    if "QEFRAME_DATA" in os.environ:
        root = Path(os.environ["QEFRAME_DATA"]).parent
    path = Path(os.environ.get("QEFRAME_GOLDEN") or root / "golden" / "golden.json")
    if not path.exists():
        pytest.skip("the golden cases are not here: set QEFRAME_GOLDEN to the file golden.json")
    cases: list[dict[str, Any]] = json.loads(path.read_text(encoding="utf-8"))
    return cases
