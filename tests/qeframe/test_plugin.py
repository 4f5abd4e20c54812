"""The doors for authors: their names are those of the core, each is in one door, and nothing is defined there."""

import ast
import pkgutil
import subprocess
import sys
from importlib import import_module
from pathlib import Path

import pytest

import qeframe
import qeframe.plugin

DOORS = sorted(module.name for module in pkgutil.iter_modules(qeframe.plugin.__path__))
MODULES = {"": qeframe.plugin, **{name: import_module(f"qeframe.plugin.{name}") for name in DOORS}}

MEANS = ("qeframe.lazy_names",)
"""What a door imports to import its own names on first use."""


def imports(module) -> dict[str, tuple[str, str]]:
    return {
        alias.asname or alias.name: (str(node.module), alias.name)
        for node in statements(module)
        if isinstance(node, ast.ImportFrom)
        for alias in node.names
        if node.module not in MEANS or alias.name in module.__all__
    }


def statements(module) -> list[ast.stmt]:
    """Return the statements of a module, with those for type checkers of names that are imported on first use."""
    body = ast.parse(Path(module.__file__).read_text(encoding="utf-8")).body
    return [inner for node in body for inner in (node.body if isinstance(node, ast.If) else [node])]


@pytest.mark.parametrize("door", MODULES)
def test_every_name_is_that_of_the_core(door):
    for name, (module, original) in imports(MODULES[door]).items():
        assert getattr(MODULES[door], name) is getattr(import_module(module), original), name


@pytest.mark.parametrize("door", MODULES)
def test_all_imports_are_public_and_nothing_is_defined(door):
    assert sorted(MODULES[door].__all__) == sorted(set(imports(MODULES[door])))
    defined = {type(node) for node in statements(MODULES[door])} - {ast.Expr, ast.ImportFrom, ast.Assign}
    assert defined <= (set() if door else {ast.FunctionDef})  # the first door lists its names


def test_every_door_is_there_each_name_has_one_and_the_first_stays_small():
    names = [name for module in MODULES.values() for name in module.__all__]
    assert len(names) == len(set(names))
    assert len(qeframe.plugin.__all__) <= 40
    assert len(names) - len(qeframe.plugin.__all__) <= 189
    assert all(f"`qeframe.plugin.{door}`" in qeframe.plugin.__doc__ for door in DOORS)


def test_the_first_door_imports_its_names_on_first_use():
    code = (
        "import sys\nbefore = set(sys.modules)\nimport qeframe.plugin.commands\n"
        "assert not {'numpy', 'rich', 'pluggy', 'cattrs'} & set(sys.modules) - before\n"
        "from qeframe.plugin import *\nMetric\n"
    )
    subprocess.run([sys.executable, "-c", code], check=True)
    assert set(qeframe.plugin.__all__) < set(dir(qeframe.plugin))
    assert qeframe.plugin.Metric is import_module("qeframe.core.metric").Metric


@pytest.mark.parametrize("name", ["nothing", "_private", "__path_of_nothing__", "Attack"])
def test_a_name_that_the_first_door_lacks_is_an_error(name):
    with pytest.raises(AttributeError, match=f"module 'qeframe.plugin' has no attribute '{name}'"):
        getattr(qeframe.plugin, name)
