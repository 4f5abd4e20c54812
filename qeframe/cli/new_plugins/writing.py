"""Write the files of a new plugin."""

import ast
import builtins
import keyword
import re
import sys
from collections.abc import Iterable, Mapping
from importlib.util import find_spec
from pathlib import Path
from string import Template

from qeframe.cli.command_tables import own_commands
from qeframe.cli.new_plugins.kinds import KINDS, templates_of
from qeframe.core.components.loading.hookspecs import GROUP
from qeframe.core.components.loading.registry import Registry
from qeframe.core.errors import DataError

GATE = """\
      - run: qeframe check-plugin {0} --fail-on-undeclared
      - run: qeframe lock --plugin {0} --gaming --check components.json
"""
"""The last steps of the workflow: laws, no metric can be gamed further than it declares, no number has changed."""
_FORM = "[a-z][a-z0-9]*([-_][a-z0-9]+)*"
_TAKEN = frozenset({"conftest", "qeframe", "test", "tests"})


def module_name(name: str, kind: str, templates: Mapping[str, str], registry: Registry) -> str:
    """Return the name of the module, the entry point and the component of a new plugin.

    `name`: the name of the distribution.
    `kind`: a key of `KINDS`.
    `templates`: the templates of the kind: a name that they use has a meaning already.
    `registry`: the plugins and components that exist.

    Raises DataError if the name does not have the form of a distribution's name, or exists already.
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
    if hook == "qeframe_profiles":
        return str(registry.profiles[module][1]) if module in registry.profiles else ""
    if hook == "qeframe_kinds":
        entry = registry.kinds.get(_class_name(module))
        return str(entry.origin) if entry else _owner(module, "metric", registry)
    component = registry.hooks.get(hook)
    return str(registry.entry(component, module).origin) if component and module in registry.names(component) else ""


def _class_name(module: str) -> str:
    """Return the name of the class of a new plugin: the words of the module, each with a capital letter."""
    return "".join(word.title() for word in module.split("_"))


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


_WORDS = ("article", "class", "command", "distribution", "gate", "group", "module", "noun", "source")
_PLACEHOLDERS = dict.fromkeys(_WORDS, "_")


def _names_of(node: ast.AST) -> set[str]:
    match node:
        case ast.Name(id=name) | ast.FunctionDef(name=name) | ast.ClassDef(name=name) | ast.arg(arg=name):
            return {name}
        case ast.alias(name=name, asname=other):
            return {other or name}
    return set()


def _normal(distribution: str) -> str:
    return re.sub("[-_.]+", "_", distribution).lower()


def plugin_files(name: str, registry: Registry, *, kind: str = "metric", distribution: str = "") -> Mapping[str, str]:
    """Return the files of a new distribution by path.

    `name`: the name of the distribution: lower case, digits, and hyphens or underscores between words. The module, the
      entry point and the component have the same name, with underscores.
    `registry`: the plugins and components that exist.
    `kind`: a key of `KINDS`.
    `distribution`: the name of the distribution, if it is another one.

    Raises DataError if the name has another form, or if a module, a plugin or a component of the kind has it already.
    """
    templates = templates_of(kind)
    module = module_name(name, kind, templates, registry)
    words = {
        "class": _class_name(module),
        "distribution": distribution or name,
        "module": module,
        "command": module.replace("_", "-"),
        "gate": GATE.format(distribution or name) if KINDS[kind].group == GROUP else "",
        "group": KINDS[kind].group,
        "noun": KINDS[kind].noun,
        "article": "An" if KINDS[kind].noun[0] in "aeiou" else "A",
        "source": module if KINDS[kind].package else f"{module}.py",
    }
    return {path.replace("__module__", module): Template(text).substitute(words) for path, text in templates.items()}


def write_plugin(name: str, folder: Path, registry: Registry, *, kind: str = "metric") -> list[Path]:
    """Write a new distribution into a folder that does not exist or is empty.

    Returns the files that were written. Raises DataError as for `plugin_files`; also if the folder has files, or cannot
    be written to.
    """
    files = plugin_files(name, registry, kind=kind)
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise DataError(
            "is there already, and nothing is overwritten",
            path=folder,
            remedy="name another --out, or the folder of a plugin",
        )
    return write_files(files, folder)


def write_files(files: Mapping[str, str], folder: Path) -> list[Path]:
    """Write files into a folder, by path; return their paths."""
    written = [folder / path for path in files]
    try:
        for path, text in zip(written, files.values(), strict=True):
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
    except OSError as error:
        raise DataError(f"cannot be written: {error.strerror}", path=folder, remedy="name another --out") from error
    return written
