"""Add a component to a plugin that exists: a module with its tests, and the lines of the project that name it."""

import re
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from qeframe.cli.new_plugins.kinds import KINDS
from qeframe.cli.new_plugins.writing import GATE, plugin_files, write_files
from qeframe.core.components.loading.hookspecs import GROUP
from qeframe.core.components.loading.registry import Registry
from qeframe.core.entry_points import COMMAND_GROUP
from qeframe.core.errors import DataError

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
    group, source = KINDS[kind].group, module if KINDS[kind].package else f"{module}.py"
    text, line = (folder / _PROJECT).read_text(encoding="utf-8"), f'{module} = "{module}"\n'
    header = re.compile(rf"^\[project\.entry-points\.[\"']{re.escape(group)}[\"']\][ \t]*\n", re.MULTILINE)
    if header.search(text):
        text = header.sub(lambda match: match[0] + line, text, count=1)
    else:
        text = f'{text.rstrip()}\n\n[project.entry-points."{group}"]\n{line}'
    text = re.sub(
        r"^(\[tool\.hatch\.build\.targets\.wheel\]\n(?:(?!\[).*\n)*?only-include\s*=\s*\[)",
        lambda match: f'{match[0]}"{source}", ',
        text,
        count=1,
        flags=re.MULTILINE,
    )
    try:
        named_module = _points(tomllib.loads(text)).get(group, {}).get(module)
    except ValueError:
        named_module = None
    if named_module != module:
        what = "the entry points are written in another form"
        raise DataError(what, path=folder / _PROJECT, remedy=f'make a table [project.entry-points."{group}"]')
    return text


def _with_section(path: Path, module: str, page: str) -> str:
    """Return the page of a plugin with what that of a new one would say, below a heading."""
    before = path.read_text(encoding="utf-8").rstrip() + "\n\n" if path.exists() else ""
    return f"{before}## {module}\n{page.partition(chr(10))[2]}"


def _with_gate(path: Path, gate: str, workflow: str) -> str | None:
    """Return the workflow with the gates as its last steps; None where it has one, or the new component has none."""
    if not path.exists():
        return workflow
    text = path.read_text(encoding="utf-8")
    return None if "check-plugin" in text or gate not in workflow else f"{text.rstrip()}\n{gate}"
