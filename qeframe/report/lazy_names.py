"""Public names of a package that are imported on first use."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from importlib import import_module
from typing import Any

from qeframe.core.errors import warn_former


def lazy_names(
    package: str, names_of: Mapping[str, Sequence[str]], former: Mapping[str, str] | None = None
) -> tuple[Callable[[str], Any], Callable[[], list[str]]]:
    """Return the functions ``__getattr__`` and ``__dir__`` of a package.

    Parameters
    ----------
    package : str
        Its name.
    names_of : mapping of str to sequence of str
        The names by the module within the package that defines them.
    former : mapping of str to str, optional
        Names that the package had before, each with the package that has them now: they are found with a
        `FormerSpellingWarning`.
    """
    modules = {name: f"{package}.{module}" for module, names in names_of.items() for name in names}
    moved = former or {}

    def find(name: str) -> Any:
        if name in moved:
            warn_former("import", f"{package}.{name}", f"{moved[name]}.{name}")
            return getattr(import_module(moved[name]), name)
        if name not in modules:
            raise AttributeError(f"module '{package}' has no attribute '{name}'")
        return getattr(import_module(modules[name]), name)

    return find, lambda: sorted(modules)


def places(package: str, names_of: Mapping[str, Sequence[str]]) -> list[str]:
    """Return where components are, as a hook may name them: they are imported when they are used.

    Parameters
    ----------
    package : str
        Its name.
    names_of : mapping of str to sequence of str
        The names of components by the module within the package that defines them. A component whose variable has
        another name is ``"name = variable"``.

    Examples
    --------
    >>> places("my_plugin", {"means": ["mean", "median = MEDIAN"]})
    ['mean = my_plugin.means:mean', 'median = my_plugin.means:MEDIAN']
    """
    parted = [(module, *name.partition(" = ")) for module, names in names_of.items() for name in names]
    return [f"{name} = {package}.{module}:{variable or name}" for module, name, _, variable in parted]
