"""The options that qeframe adds to pytest: gates against gaming for the tests of a plugin.

``pytest -p qeframe.pytest_options`` loads this module; `qeframe.testing.gates` reads what was asked. It is no entry
point of pytest, which would then rewrite every assertion in qeframe.
"""

from typing import Any

asked: dict[str, Any] = {}
"""What was asked on the command line, by the words of the options; empty outside pytest."""


def pytest_addoption(parser: Any) -> None:
    """Add the options."""
    group = parser.getgroup("qeframe", "gates for every metric in parametrize_with_checks (qeframe)")
    group.addoption(
        "--qeframe-fail-above",
        metavar="INDEX",
        type=float,
        help="fail where the interval of the gaming index of a metric is above INDEX",
    )
    group.addoption(
        "--qeframe-fail-on-undeclared",
        action="store_true",
        help="fail where an attack gains more than the claims and the known weaknesses of a metric declare",
    )
    group.addoption("--qeframe-require", metavar="CLAIM[,CLAIM]", help="fail where a metric does not make a claim")
    group.addoption("--qeframe-strict", action="store_true", help="fail too where an index is not determined")


def pytest_configure(config: Any) -> None:
    """Keep what was asked, before test files are imported."""
    names = ("fail_above", "fail_on_undeclared", "require", "strict")
    asked.update({name: config.getoption(f"qeframe_{name}") for name in names})


def pytest_unconfigure() -> None:
    """Forget what was asked, since one process may run pytest again."""
    asked.clear()
