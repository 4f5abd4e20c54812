"""Public names of a package, and components of a plugin, that are imported on first use."""

from __future__ import annotations

TYPE_CHECKING = False  # as type checkers know it: `import qeframe` stays fast

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from typing import Any


def lazy_names(
    package: str, names_of: Mapping[str, Sequence[str]] | None = None
) -> tuple[Callable[[str], Any], Callable[[], list[str]]]:
    """Return the functions ``__getattr__`` and ``__dir__`` of a package.

    Parameters
    ----------
    package : str
        Its name.
    names_of : mapping of str to sequence of str, optional
        The names by the module within the package that defines them, or by a door of qeframe. Without it they are those
        that the package imports below ``if TYPE_CHECKING:``, which are read from its source when the first one is asked
        for.
    """
    module_of: dict[str, str] = {}

    def modules() -> Mapping[str, str]:
        if not module_of:
            module_of.update(_imported(package) if names_of is None else _below(package, names_of))
        return module_of

    def find(name: str) -> Any:
        from importlib import import_module

        if name in modules():
            return getattr(import_module(module_of[name]), name)
        raise AttributeError(f"module '{package}' has no attribute '{name}'")

    return find, lambda: sorted(modules())


def _below(package: str, names_of: Mapping[str, Sequence[str]]) -> dict[str, str]:
    return {
        name: module if module.startswith("qeframe.") else f"{package}.{module}"
        for module, names in names_of.items()
        for name in names
    }


def _imported(package: str) -> dict[str, str]:
    """Return the names that a package imports for type checkers, and the module of each."""
    import re
    import sys

    source = sys.modules[package].__spec__.loader.get_source(package)  # type: ignore[union-attr]
    _, _, block = source.partition("\nif TYPE_CHECKING:\n")
    block = re.split(r"^(?=\S)", re.sub(r" *#.*", "", block), maxsplit=1, flags=re.MULTILINE)[0]
    imports = re.findall(r"from (\S+) import (?:\(([^)]*)\)|(.+))", block)
    return {name: module for module, several, single in imports for name in re.findall(r"\w+", several or single)}


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
