"""What the tests of the General Text Matcher share."""

from collections.abc import Callable

import pytest

import qeframe_gtm
from qeframe.components.calls import parse_call
from qeframe.components.metric import Metric
from qeframe.components.parametric import Parametric

FOUND = {family.name: family for family in qeframe_gtm.qeframe_metrics()}


@pytest.fixture(scope="session")
def metric() -> Callable[[str], Metric]:
    """Find a metric of the plugin by name, whether or not the plugin is installed."""

    def find(name: str) -> Metric:
        call = parse_call(name)
        found: Parametric[Metric] = FOUND[call.name]
        return found(**call.parameters)

    return find
