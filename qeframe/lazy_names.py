"""Public names of a package, and components of a plugin, that are imported on first use."""

from __future__ import annotations

TYPE_CHECKING = False  # as type checkers know it: `import qeframe` stays fast

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from typing import Any


def lazy_names(
    package: str, names_of: Mapping[str, Sequence[str]]
) -> tuple[Callable[[str], Any], Callable[[], list[str]]]:
    """Return the functions ``__getattr__`` and ``__dir__`` of a package, as PEP 562 describes them.

    Parameters
    ----------
    package : str
        Its name.
    names_of : mapping of str to sequence of str
        The names by the module that defines them: one within the package, or one of qeframe by its whole name.
    """
    module_of = {
        name: module if module.startswith("qeframe.") else f"{package}.{module}"
        for module, names in names_of.items()
        for name in names
    }

    def find(name: str) -> Any:
        from importlib import import_module

        if name in module_of:
            return getattr(import_module(module_of[name]), name)
        raise AttributeError(f"module '{package}' has no attribute '{name}'")

    return find, lambda: sorted(module_of)


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
