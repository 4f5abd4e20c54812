"""What is said of an error that nobody foresaw: what failed, in which module, and whose module it is."""

from __future__ import annotations

import sys
import traceback
from importlib.metadata import entry_points, packages_distributions

from qeframe.components.hookspecs import PREFIX, PROJECT

__all__ = ["TRACEBACK", "tell_failure"]

TRACEBACK = "QEFRAME_TRACEBACK"
"""The environment variable that asks for the traceback instead of a line."""

_NEVER_GUILTY = frozenset({"numpy", "scipy", "attr", "attrs", "cattrs", "click", "pluggy", "rich"})
"""Packages that fail because of what they are given."""


def tell_failure(error: BaseException) -> str:
    """Return one line: the innermost module that is neither the core nor a library below it, and its distribution."""
    modules = [_module(frame.f_globals) for frame, _ in traceback.walk_tb(error.__traceback__)]
    candidates = [m for m in modules if _importable(m) and _top(m) not in _NEVER_GUILTY]
    foreign = [module for module in candidates if _top(module) != PROJECT]
    module = next(iter([*reversed(foreign), *reversed(candidates)]), PROJECT)
    what = f"{type(error).__name__}: {error}" if str(error) else type(error).__name__
    return f"{what}, raised in module '{module}'{_owner(_top(module))}; {TRACEBACK}=1 shows the traceback"


def _module(names: dict[str, object]) -> str:
    return str(names.get("__name__", ""))


def _top(module: str) -> str:
    return module.partition(".")[0]


def _importable(module: str) -> bool:
    """Say whether a frame is of a module proper: not of the start of the program, nor of the standard library."""
    return bool(module) and module != "__main__" and _top(module) not in sys.stdlib_module_names


def _owner(package: str) -> str:
    """Return the distribution of a package, if it is known: an editable installation tells by its entry points only."""
    groups = [group for group in entry_points().groups if group.startswith(PREFIX)]
    points = [point for group in groups for point in entry_points(group=group)]
    owners = {point.dist.name for point in points if point.dist and _top(point.module) == package}
    owners = owners or set(packages_distributions().get(package, ()))
    return f" of distribution '{min(owners)}'" if owners else ""
