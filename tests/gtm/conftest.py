"""What the tests of the General Text Matcher share."""

from collections.abc import Callable

import pytest

import qeframe_gtm
from qeframe.components import Family, Metric
from qeframe.naming import parse_call

FOUND = {family.name: family for family in qeframe_gtm.qeframe_metrics()}


@pytest.fixture(scope="session")
def metric() -> Callable[[str], Metric]:
    """Find a metric of the plugin by name, whether or not the plugin is installed."""

    def find(name: str) -> Metric:
        call = parse_call(name)
        found: Family[Metric] = FOUND[call.name]
        return found(**call.parameters)

    return find
