"""The hook for attacks."""

from qeframe.core.components.component_hook import ComponentHook
from qeframe.core.components.loading.hookspecs import hookimpl
from qeframe.extensions.attack import Attack


@hookimpl
def qeframe_component_hooks() -> list[ComponentHook]:
    """Return the hooks of components that no evaluation needs."""
    return [
        ComponentHook(
            hook="qeframe_attacks", kind=Attack, summary="Return strategies that raise a score without being better."
        )
    ]
