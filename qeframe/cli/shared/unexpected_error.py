"""The message for an unexpected error: what failed, in which module, of which distribution."""

import sys
import traceback
from importlib.metadata import entry_points, packages_distributions

from qeframe.core.component import PROJECT
from qeframe.core.entry_points import COMMAND_GROUP
from qeframe.core.errors import TRACEBACK
from qeframe.core.hookspecs import PREFIX

_NOT_BLAMED = frozenset({"numpy", "scipy", "attr", "attrs", "cattrs", "click", "pluggy", "rich"})
"""Libraries: they fail because of the arguments that a caller passes."""


def failure_line(error: BaseException) -> str:
    """Return one line that names the innermost module outside the core and its libraries, and its distribution."""
    if isinstance(error, MemoryError):
        return "not enough memory; give smaller files or fewer submissions, or free memory"
    modules = [str(frame.f_globals.get("__name__", "")) for frame, _ in traceback.walk_tb(error.__traceback__)]
    candidates = [m for m in modules if _importable(m) and _top(m) not in _NOT_BLAMED]
    foreign = [module for module in candidates if _top(module) != PROJECT]
    module = next(iter([*reversed(foreign), *reversed(candidates)]), PROJECT)
    what = f"{type(error).__name__}: {error}" if str(error) else type(error).__name__
    return f"{what}, raised in module '{module}'{_owner(_top(module))}; {TRACEBACK}=1 shows the traceback"


def _top(module: str) -> str:
    return module.partition(".")[0]


def _importable(module: str) -> bool:
    """Return whether a frame belongs to a module that is neither ``__main__`` nor in the standard library."""
    return bool(module) and module != "__main__" and _top(module) not in sys.stdlib_module_names


def _owner(package: str) -> str:
    """Return the distribution of a package, if it is known; an editable installation is found by entry points."""
    groups = [group for group in entry_points().groups if group.startswith((PREFIX, COMMAND_GROUP))]
    points = [point for group in groups for point in entry_points(group=group)]
    owners = {point.dist.name for point in points if point.dist and _top(point.module) == package}
    owners = owners or set(packages_distributions().get(package, ()))
    return f" of distribution '{min(owners)}'" if owners else ""
