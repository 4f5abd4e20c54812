"""What the tests of tie policies share."""

import pytest

import qeframe
import qeframe_agreement
import qeframe_ties
from qeframe.core.components.loading.registry import Registry


@pytest.fixture(scope="session")
def registry() -> Registry:
    """Load all plugins and those under test, whether or not they are installed."""
    there = {plugin.origin.plugin for plugin in qeframe.load().plugins}
    brought = {"qeframe_agreement": qeframe_agreement, "qeframe_ties": qeframe_ties}
    absent = {name: module for name, module in brought.items() if name not in there}
    return qeframe.load(extra=absent) if absent else qeframe.load()
