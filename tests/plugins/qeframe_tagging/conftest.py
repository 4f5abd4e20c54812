"""What the tests of tags and spans share."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import qeframe_tagging
from qeframe.core.batches.base import Batch
from qeframe.core.components.metric import Metric
from tests.plugins.finding import metrics_of

named = metrics_of(qeframe_tagging)


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
