"""What the tests of tags and spans share."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import qeframe_tagging
from qeframe.batch import Batch
from qeframe.components import Family, Metric
from qeframe.naming import parse_call

FOUND = {component.name: component for component in qeframe_tagging.qeframe_metrics()}


def named(name: str) -> Metric:
    """Return a metric of the plugin by name, whether or not the plugin is installed."""
    call = parse_call(name)
    found = FOUND[call.name]
    return found(**call.parameters) if isinstance(found, Family) else found


@pytest.fixture(scope="session")
def metric() -> Callable[[str], Metric]:
    return named


@pytest.fixture(scope="session")
def measure() -> Callable[..., float]:
    """Score plain values, or a batch, by a metric's name."""

    def score(name: str, gold: Any, predicted: Any = None, **declared: Any) -> float:
        found = named(name)
        batch = gold if isinstance(gold, Batch) else found.kind.from_plain(gold, predicted, **declared)
        return float(found.bind(batch)(np.ones(len(batch))))

    return score
