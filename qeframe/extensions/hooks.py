"""The hooks for attacks, data sources and published tables."""

from qeframe.core.components.component_hook import ComponentHook
from qeframe.core.components.loading.hookspecs import hookimpl
from qeframe.extensions.attack import Attack
from qeframe.extensions.published.data_source import DataSource
from qeframe.extensions.published.published_table import PublishedTable


@hookimpl
def qeframe_component_hooks() -> list[ComponentHook]:
    """Return the hooks of components that no evaluation needs."""
    return [
        ComponentHook(
            hook="qeframe_attacks", kind=Attack, summary="Return strategies that raise a score without being better."
        ),
        ComponentHook(
            hook="qeframe_data_sources",
            kind=DataSource,
            summary="Return where the files of shared tasks are published, for ``qeframe fetch``.",
        ),
        ComponentHook(
            hook="qeframe_published_tables",
            kind=PublishedTable,
            summary="Return published values, which ``qeframe reproduce`` compares with computed ones.",
        ),
    ]
