"""Write the files of a new plugin."""

import ast
import builtins
import keyword
import re
import sys
import tomllib
from collections.abc import Iterable, Mapping
from importlib.util import find_spec
from pathlib import Path
from string import Template
from typing import Any

from qeframe.cli.new_plugins.kinds import KINDS, templates_of
from qeframe.core.entry_points import COMMAND_GROUP
from qeframe.core.errors import DataError
from qeframe.core.hookspecs import GROUP
from qeframe.core.registry import Registry

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
    """Return the plugin that has a component or a profile of that kind and name, or an empty text."""
    hook = KINDS[kind].hook
    if hook == "qeframe_profiles":
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


_WORDS = ("article", "distribution", "gate", "group", "module", "noun", "source")
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
        "distribution": distribution or name,
        "module": module,
        "gate": GATE.format(distribution or name),
        "group": GROUP,
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


_PROJECT, _PAGE, _WORKFLOW = "pyproject.toml", "README.md", ".github/workflows/tests.yml"


def is_plugin(folder: Path) -> bool:
    """Return whether a folder has the project of a plugin."""
    points = _points(_project(folder))
    return GROUP in points or COMMAND_GROUP in points


def _project(folder: Path) -> Mapping[str, Any]:
    try:
        return tomllib.loads((folder / _PROJECT).read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}


def _points(project: Mapping[str, Any]) -> Mapping[str, Any]:
    points = project.get("project", {}).get("entry-points", {})
    return points if isinstance(points, Mapping) else {}


def add_to_plugin(name: str, folder: Path, registry: Registry, *, kind: str) -> list[Path]:
    """Add a component of a kind to the plugin in a folder: nothing that is there is overwritten.

    The module and its tests are new files. ``pyproject.toml`` gets the entry point, and the module among the files of
    the wheel where it lists them; the page and the workflow get what they would have in a new plugin.

    Returns the files that were written or changed. Raises DataError as for `plugin_files`; also if a file is there
    already, or the entry points are written in another form.
    """
    project = _project(folder)
    distribution = str(project.get("project", {}).get("name", folder.resolve().name))
    written = plugin_files(name, registry, kind=kind, distribution=distribution)
    module = name.replace("-", "_")
    files_of_component = {path: text for path, text in written.items() if path not in (_PROJECT, _PAGE, _WORKFLOW)}
    added = {re.sub("^tests/test_", f"tests/test_{module}_", path): text for path, text in files_of_component.items()}
    for path in added:
        if (folder / path).exists():
            remedy = "choose another name"
            raise DataError("is there already, and nothing is overwritten", path=folder / path, remedy=remedy)
    added[_PROJECT] = _with_entry_point(folder, module, kind)
    added[_PAGE] = _with_section(folder / _PAGE, module, written[_PAGE])
    gated = _with_gate(folder / _WORKFLOW, GATE.format(distribution), written[_WORKFLOW])
    return write_files(added | ({} if gated is None else {_WORKFLOW: gated}), folder)


def _with_entry_point(folder: Path, module: str, kind: str) -> str:
    """Return the project with the entry point of a module, which is also among the files of the wheel.

    Lines are added to the text, so that comments and the order of all else stay; the result is read to see that it says
    what it should.
    """
    source = module if KINDS[kind].package else f"{module}.py"
    text, line = (folder / _PROJECT).read_text(encoding="utf-8"), f'{module} = "{module}"\n'
    header = re.compile(rf"^\[project\.entry-points\.[\"']{re.escape(GROUP)}[\"']\][ \t]*\n", re.MULTILINE)
    if header.search(text):
        text = header.sub(lambda match: match[0] + line, text, count=1)
    else:
        text = f'{text.rstrip()}\n\n[project.entry-points."{GROUP}"]\n{line}'
    text = re.sub(
        r"^(\[tool\.hatch\.build\.targets\.wheel\]\n(?:(?!\[).*\n)*?only-include\s*=\s*\[)",
        lambda match: f'{match[0]}"{source}", ',
        text,
        count=1,
        flags=re.MULTILINE,
    )
    try:
        named_module = _points(tomllib.loads(text)).get(GROUP, {}).get(module)
    except ValueError:
        named_module = None
    if named_module != module:
        what = "the entry points are written in another form"
        raise DataError(what, path=folder / _PROJECT, remedy=f'make a table [project.entry-points."{GROUP}"]')
    return text


def _with_section(path: Path, module: str, page: str) -> str:
    """Return the page of a plugin with what that of a new one would say, below a heading."""
    before = path.read_text(encoding="utf-8").rstrip() + "\n\n" if path.exists() else ""
    return f"{before}## {module}\n{page.partition(chr(10))[2]}"


def _with_gate(path: Path, gate: str, workflow: str) -> str | None:
    """Return the workflow with the gates as its last steps; None where it has one."""
    if not path.exists():
        return workflow
    text = path.read_text(encoding="utf-8")
    return None if "check-plugin" in text else f"{text.rstrip()}\n{gate}"
