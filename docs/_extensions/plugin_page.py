"""The page of `qeframe.plugin`: every name that a plugin may import, under its door."""

import ast
import importlib
import inspect
import pkgutil
from collections.abc import Iterator
from pathlib import Path

from docstrings import prose

import qeframe.plugin

__all__ = ["imports_of", "plugin_page"]

DOORS = sorted(module.name for module in pkgutil.iter_modules(qeframe.plugin.__path__))


def plugin_page(elsewhere: frozenset[str]) -> str:
    """Return the Markdown of the page.

    Parameters
    ----------
    elsewhere : frozenset of str
        Names that another page describes; they are listed with a link to it.
    """
    blocks = ["# What a plugin imports"]
    for door in ("qeframe.plugin", *(f"qeframe.plugin.{name}" for name in DOORS)):
        module = importlib.import_module(door)
        entries = [
            (defined, name) for defined, names in imports_of(door).items() for name in names if name in module.__all__
        ]
        described = [entry for entry in entries if entry[1] not in elsewhere]
        blocks += [f"## `{door}`", *prose(module.__doc__), *_linked(entries, elsewhere)]
        directives = (line for entry in described for line in _entry(*entry))
        blocks.append("\n".join(["```{eval-rst}", f".. module:: {door}", "", *directives, "```"]))
    return "\n\n".join(blocks) + "\n"


def imports_of(name: str) -> dict[str, list[str]]:
    """Return the names that a module imports from qeframe, by the module that defines them."""
    module = importlib.import_module(name)
    tree = ast.parse(Path(inspect.getfile(module)).read_text(encoding="utf-8"))
    found: dict[str, list[str]] = {}
    for node in (inner for outer in tree.body for inner in (outer.body if isinstance(outer, ast.If) else [outer])):
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("qeframe."):
            found.setdefault(str(node.module), []).extend(alias.name for alias in node.names)
    return found


def _linked(entries: list[tuple[str, str]], elsewhere: frozenset[str]) -> list[str]:
    names = [f"`{name}`" for _, name in entries if name in elsewhere]
    return [f"Described in the [Python interface](../python.md): {', '.join(names)}."] if names else []


def _entry(module: str, name: str) -> Iterator[str]:
    """Yield the directive of one name: autodoc reads classes and functions, a constant is read from its source."""
    value = getattr(importlib.import_module(module), name)
    if inspect.isclass(value) and value.__module__ == module:
        yield from (f".. autoclass:: {name}", "   :members:", "")
    elif inspect.isroutine(value):
        yield from (f".. autofunction:: {name}", "")
    else:
        yield from (f".. data:: {name}", "")
        yield from (f"   {line}" for line in _told_below(module, name).splitlines())
        yield ""


def _told_below(module: str, name: str) -> str:
    """Return the docstring that follows the assignment of a constant; its value where there is none."""
    tree = ast.parse(inspect.getsource(importlib.import_module(module)))
    for node, following in zip(tree.body, [*tree.body[1:], None], strict=True):
        targets = node.targets if isinstance(node, ast.Assign) else [getattr(node, "target", None)]
        if not any(isinstance(target, ast.Name) and target.id == name for target in targets):
            continue
        if isinstance(following, ast.Expr) and isinstance(following.value, ast.Constant):
            return inspect.cleandoc(str(following.value.value))
        return f"``{' '.join(ast.unparse(node).split())}``"
    return ""
