"""What the tests of the General Text Matcher share."""

from collections.abc import Callable

import pytest

import qeframe_gtm
from qeframe.core.components.metric import Metric
from tests.plugins.finding import metrics_of


@pytest.fixture(scope="session")
def metric() -> Callable[[str], Metric]:
    return metrics_of(qeframe_gtm)
