"""What the tests of several plugins share."""

from collections.abc import Callable
from typing import Any

import pytest

import qeframe
from qeframe.core.batch import Batch
from qeframe.core.metric import Metric
from qeframe.core.registry import Registry


@pytest.fixture(scope="session")
def named(registry: Registry) -> Callable[[str], Metric]:
    """Return a function from the name of a metric, with parameters, to the metric."""
    return lambda name: registry.get(Metric, name)


@pytest.fixture(scope="session")
def measure(named: Callable[[str], Metric]) -> Callable[..., float]:
    """Score plain values, or a batch, by a metric's name."""

    def score(name: str, gold: Any, predicted: Any = None, **declared: Any) -> float:
        metric = named(name)
        batch = gold if isinstance(gold, Batch) else metric.kind.from_plain(gold, predicted, **declared)
        return qeframe.score(metric, batch, None)

    return score


@pytest.fixture(scope="session")
def cases_of(golden: list[dict[str, Any]]) -> Callable[[str], list[dict[str, Any]]]:
    """Return the checked cases of a function."""

    def choose(function: str) -> list[dict[str, Any]]:
        cases = [case for case in golden if case["function"] == function]
        assert cases, f"the file has no case of {function}"
        return cases

    return choose
