"""qeframe: every evaluation rule of the WMT quality-estimation and metrics tasks as a named, tested plug-in.

`score`, `compare`, `evaluate` and `audit` do the work, `load` gives the registry of components, `hookimpl` marks what a
plugin brings. Nothing heavy is imported before it is needed.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from qeframe.comparison import compare, score
    from qeframe.gaming.audit import audit
    from qeframe.hookspecs import hookimpl
    from qeframe.place import evaluate
    from qeframe.registry import load

__version__ = "0.1.0"
__all__ = ["audit", "compare", "evaluate", "hookimpl", "load", "score"]

_HOMES = {
    "audit": "qeframe.gaming.audit",
    "compare": "qeframe.comparison",
    "evaluate": "qeframe.place",
    "hookimpl": "qeframe.hookspecs",
    "load": "qeframe.registry",
    "score": "qeframe.comparison",
}


def __getattr__(name: str) -> Any:
    """Import a public name when it is first asked for."""
    if name not in _HOMES:
        raise AttributeError(f"module 'qeframe' has no attribute '{name}'")
    return getattr(importlib.import_module(_HOMES[name]), name)


def __dir__() -> list[str]:
    return sorted([*globals(), *__all__])
