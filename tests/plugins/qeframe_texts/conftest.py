"""What the tests of text metrics share."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import qeframe_texts
from qeframe.core.components.metric import Metric
from qeframe.kinds.texts.batch import Texts
from tests.plugins.finding import metrics_of

named = metrics_of(qeframe_texts)


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
