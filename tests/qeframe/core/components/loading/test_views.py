"""Views come by a hook that is called when the first result shows itself."""

import pytest

from qeframe.core.components.loading import views
from qeframe.core.components.loading.loader import load
from qeframe.core.components.loading.views import find_view
from qeframe.core.errors import PluginError
from tests.qeframe.core.components.made_plugins import plugin
from tests.qeframe.core.test_display import VIEW, Weather


def test_what_is_no_view_or_is_brought_twice_is_refused(monkeypatch):
    for returned, words in (
        ([VIEW, VIEW], "the view of 'Weather' is brought twice"),
        ([1], "hook qeframe_views must return values of type ResultView, not int"),
    ):
        registry = load(extra={"weather": plugin(qeframe_views=returned)})
        monkeypatch.setattr(views, "load", lambda registry=registry: registry)
        with pytest.raises(PluginError, match=words):
            find_view(Weather)


def test_the_hook_is_not_called_before(monkeypatch):
    def qeframe_views():
        raise AssertionError

    brought = plugin(qeframe_views=[])
    monkeypatch.setattr(brought, "qeframe_views", qeframe_views)
    assert load(extra={"weather": brought}).plugins
