"""What all tests share."""

import json
import os
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, settings

import qeframe
from qeframe.components.registry import Registry

GOLDEN = Path(__file__).parent / "golden.json"
NOTHING_SKIPPED = bool(os.environ.get("QEFRAME_NOTHING_SKIPPED"))
"""Set where all data and all optional dependencies are at hand: a test that is skipped there tests nothing."""

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
    cases: list[dict[str, Any]] = json.loads(GOLDEN.read_text(encoding="utf-8"))
    return cases


def pytest_runtest_setup(item: pytest.Item) -> None:
    """Skip a test whose program is not installed."""
    for marker in item.iter_markers("needs_program"):
        if shutil.which(marker.args[0]) is None:
            pytest.skip(f"{marker.args[0]} is not installed")


@pytest.hookimpl(hookwrapper=True)
def pytest_runtest_makereport(item: pytest.Item) -> Iterator[None]:
    """Turn a skip into a failure where nothing may be skipped, but for tests that need a program."""
    outcome = yield
    if NOTHING_SKIPPED and item.get_closest_marker("needs_program") is None:
        _fail_if_skipped(outcome.get_result())


@pytest.hookimpl(hookwrapper=True)
def pytest_make_collect_report(collector: pytest.Collector) -> Iterator[None]:
    """Turn the skip of a whole module into an error where nothing may be skipped."""
    outcome = yield
    if NOTHING_SKIPPED:
        _fail_if_skipped(outcome.get_result())


def _fail_if_skipped(report: pytest.TestReport | pytest.CollectReport) -> None:
    if report.skipped and not hasattr(report, "wasxfail"):
        reason = report.longrepr[-1] if isinstance(report.longrepr, tuple) else report.longrepr
        report.outcome = "failed"
        report.longrepr = f"skipped, though QEFRAME_NOTHING_SKIPPED is set: {reason}"
