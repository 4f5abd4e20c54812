"""The names that a new plugin may have."""

from __future__ import annotations

import ast
import builtins
import keyword
import re
import sys
from collections.abc import Iterable, Mapping
from importlib.util import find_spec
from string import Template

from qeframe.cli.command_tables import own_commands
from qeframe.cli.new_plugins.kinds import KINDS
from qeframe.core.components.loading.registry import Registry
from qeframe.core.errors import DataError

_FORM = "[a-z][a-z0-9]*([-_][a-z0-9]+)*"
_TAKEN = frozenset({"conftest", "qeframe", "test", "tests"})


def module_name(name: str, kind: str, templates: Mapping[str, str], registry: Registry) -> str:
    """Return the name of the module, the entry point and the component of a new plugin.

    Parameters
    ----------
    name : str
        The name of the distribution.
    kind : str
        A key of `KINDS`.
    templates : mapping of str to str
        The templates of the kind: a name that they use has a meaning already.
    registry : Registry
        The plugins and components that exist.

    Raises
    ------
    DataError
        If the name does not have the form of a distribution's name, or exists already.
    """
    module = name.replace("-", "_")
    if not re.fullmatch(_FORM, name) or keyword.iskeyword(module):
        remedy = f"use lower case, digits, and hyphens between words: my-{kind}"
        raise DataError(f"'{name[:80]}' cannot name a plugin", remedy=remedy)
    if hasattr(builtins, module) or module in _names_in(templates.values()):
        raise DataError(f"'{module}' has a meaning in the module to be written", remedy="choose another name")
    if module in sys.stdlib_module_names or module in _TAKEN:
        raise _exists("module", module)
    if any(module in (plugin.origin.plugin, _normal(plugin.origin.distribution)) for plugin in registry.plugins):
        raise _exists("plugin", module)
    if owner := _owner(module, kind, registry):
        raise _exists(KINDS[kind].noun, module, owner)
    if find_spec(module):
        raise _exists("module", module)
    return module


def _exists(what: str, module: str, owner: str = "") -> DataError:
    owned = f", of {owner}" if owner else ""
    return DataError(f"there is a {what} '{module}' already{owned}", remedy="choose another name")


def _owner(module: str, kind: str, registry: Registry) -> str:
    """Return the plugin that has a component, profile or command of that kind and name, or an empty text."""
    hook = KINDS[kind].hook
    if not hook:
        return "qeframe" if module.replace("_", "-") in own_commands() else ""
    if hook not in registry.hooks:
        return str(registry.profiles[module][1]) if module in registry.profiles else ""
    component = registry.hooks[hook]
    return str(registry.entry(component, module).origin) if module in registry.names(component) else ""


def _names_in(templates: Iterable[str]) -> set[str]:
    """Return the names that the templates use: a component with one of them would hide its meaning."""
    names = set()
    for text in templates:
        try:
            tree = ast.parse(Template(text).substitute(_PLACEHOLDERS))
        except SyntaxError:  # not Python
            continue
        for node in ast.walk(tree):
            names |= _names_of(node)
    return names - {"_"}


_PLACEHOLDERS = dict.fromkeys(("article", "command", "distribution", "group", "module", "noun", "source"), "_")


def _names_of(node: ast.AST) -> set[str]:
    match node:
        case ast.Name(id=name) | ast.FunctionDef(name=name) | ast.ClassDef(name=name) | ast.arg(arg=name):
            return {name}
        case ast.alias(name=name, asname=other):
            return {other or name}
    return set()


def _normal(distribution: str) -> str:
    return re.sub("[-_.]+", "_", distribution).lower()
