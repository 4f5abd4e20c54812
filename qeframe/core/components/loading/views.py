"""The views of results: the hook that brings them is called when the first result shows itself."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

import pluggy

from qeframe.core.components.component import PROJECT, Origin
from qeframe.core.components.loading import hookspecs
from qeframe.core.components.loading.loader import add_once, call_hook, load, wrong_value
from qeframe.core.components.loading.registry import Registry
from qeframe.core.components.result_view import ResultView


def find_view(shown: type) -> ResultView | None:
    """Return the view of a class of results, or of its nearest ancestor with one; None if no plugin brings one."""
    views = _views(load())
    return next((views[ancestor] for ancestor in shown.__mro__ if ancestor in views), None)


@cache
def _views(registry: Registry) -> Mapping[type, ResultView]:
    manager = pluggy.PluginManager(PROJECT)
    manager.add_hookspecs(hookspecs)
    views: dict[str, tuple[ResultView, Origin]] = {}
    for plugin in registry.plugins:
        manager.register(plugin.module, name=plugin.origin.plugin)
        for view in call_hook(manager, "qeframe_views", plugin, list):
            if not isinstance(view, ResultView):
                raise wrong_value(plugin.origin, "qeframe_views", ResultView, view)
            add_once(views, view.of.__name__, (view, plugin.origin), "view of")
    return {view.of: view for view, _ in views.values()}
