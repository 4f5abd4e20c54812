"""Components of a plugin under test by name, whether or not the plugin is installed."""

from collections.abc import Callable
from types import ModuleType

from qeframe.core.components.calls import parse_call
from qeframe.core.components.loading.loader import imported
from qeframe.core.components.metric import Metric
from qeframe.core.components.parametric import Parametric


def metrics_of(plugin: ModuleType) -> Callable[[str], Metric]:
    """Return a function from the name of a metric of a plugin, with parameters, to the metric."""
    components = {component.name: component for component in map(imported, plugin.qeframe_metrics())}

    def named(name: str) -> Metric:
        call = parse_call(name)
        component = components[call.name]
        return component(**call.parameters) if isinstance(component, Parametric) else component

    return named
