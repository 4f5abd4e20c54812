"""What the tests of tags and spans share."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import qeframe_tagging
from qeframe.batches.base import Batch
from qeframe.components.calls import parse_call
from qeframe.components.metric import Metric
from qeframe.components.parametric import Parametric

FOUND = {component.name: component for component in qeframe_tagging.qeframe_metrics()}


def named(name: str) -> Metric:
    """Return a metric of the plugin by name, whether or not the plugin is installed."""
    call = parse_call(name)
    found = FOUND[call.name]
    return found(**call.parameters) if isinstance(found, Parametric) else found


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
