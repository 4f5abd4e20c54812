"""What the tests of text metrics share."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import qeframe_texts
from qeframe.batches.texts import Texts
from qeframe.components.calls import parse_call
from qeframe.components.metric import Metric
from qeframe.components.parametric import Parametric

FOUND = {component.name: component for component in qeframe_texts.qeframe_metrics()}


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
    """Score plain texts, or a batch, by a metric's name."""

    def score(name: str, gold: Any, predicted: Any = None) -> float:
        batch = gold if isinstance(gold, Texts) else Texts.from_plain(gold, predicted)
        return float(named(name).bind(batch)(np.ones(len(batch))))

    return score
