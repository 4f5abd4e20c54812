"""Names that `qeframe.plugin` had before its doors were divided."""

from importlib import import_module
from typing import Any

from qeframe.core.errors import warn_former

__all__ = ["DOORS"]

DOORS = (
    "audit",
    "calls",
    "commands",
    "competitions",
    "data",
    "evaluation",
    "kinds",
    "readers",
    "report",
    "resampling",
    "results",
    "texts",
)
"""The modules beside the first door."""


def former(name: str) -> Any:
    """Return a name of another door, with a `FormerSpellingWarning`."""
    for door in () if name.startswith("_") else DOORS:
        module = import_module(f"qeframe.plugin.{door}")
        if name in module.__all__:
            warn_former("import", f"qeframe.plugin.{name}", f"qeframe.plugin.{door}.{name}")
            return getattr(module, name)
    raise AttributeError(f"module 'qeframe.plugin' has no attribute '{name}'")
