"""The doors for authors: their names are those of the core, each is in one door, and nothing is defined there."""

import ast
import subprocess
import sys
from importlib import import_module
from pathlib import Path
from types import ModuleType

import pytest

import qeframe
import qeframe.plugin
from qeframe.core.errors import FormerSpellingWarning
from qeframe.plugin.former import DOORS

MODULES = {"": qeframe.plugin, **{name: import_module(f"qeframe.plugin.{name}") for name in DOORS}}

MEANS = ("__future__", "typing", "qeframe.lazy_names")
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
    assert defined <= (set() if door else {ast.FunctionDef})  # the first door finds former names


def test_every_door_is_there_each_name_has_one_and_the_first_stays_small():
    names = [name for module in MODULES.values() for name in module.__all__]
    assert len(names) == len(set(names))
    assert len(qeframe.plugin.__all__) <= 45
    folder = Path(qeframe.plugin.__file__).parent
    assert {path.stem for path in folder.glob("*.py")} == {"__init__", "former", *DOORS}
    assert all(f"`qeframe.plugin.{door}`" in qeframe.plugin.__doc__ for door in DOORS)


def test_the_first_door_imports_its_names_on_first_use():
    code = (
        "import sys\nbefore = set(sys.modules)\nimport qeframe.plugin.commands\n"
        "assert not {'numpy', 'rich', 'pluggy', 'cattrs'} & set(sys.modules) - before\n"
        "from qeframe.plugin import *\nMetric\n"
    )
    subprocess.run([sys.executable, "-c", code], check=True)
    assert set(qeframe.plugin.__all__) < set(dir(qeframe.plugin))
    assert qeframe.plugin.Metric is import_module("qeframe.core.components.metric").Metric


FORMER = """
from qeframe.plugin import Attack, Metric, Parametric, Scores, additive, counted, hookimpl, mean_of_sums, register_kind
import numpy as np

def rows(batch):
    return np.stack([np.ones(len(batch)), batch.gold == batch.predicted], axis=1)

bind = additive(columns=("units", "equal"), extract=rows, score=mean_of_sums)
equal = Metric(name="equal", summary="Share of equal values", kind=Scores, bind=bind)

def zeros(batch, rng):
    return batch.with_predicted(np.zeros(len(batch)))

zero = Attack(name="zero", summary="0 everywhere", kind=Scores, manner="blind", knowledge="nothing", answer=zeros)

@hookimpl
def qeframe_metrics():
    return [equal]

@hookimpl
def qeframe_attacks():
    return [zero]
"""


def test_a_plugin_that_imports_all_from_the_first_door_works_with_a_warning_for_each_name():
    plugin = ModuleType("former_plugin")
    with pytest.warns(FormerSpellingWarning) as warned:
        exec(FORMER, vars(plugin))
    messages = {str(warning.message) for warning in warned}
    doors = {"Attack": "audit", "counted": "calls", "register_kind": "kinds"}
    assert len(messages) == len(doors)
    for name, door in doors.items():
        assert any(f"'qeframe.plugin.{door}.{name}'" in message for message in messages)
    registry = qeframe.load(extra={"former_plugin": plugin})
    assert qeframe.score("equal", [1, 2], [1, 3], registry=registry) == 0.5
    assert registry.get(plugin.Attack, "zero").manner == "blind"


def test_a_name_that_has_another_door_now_is_found_with_a_warning():
    with pytest.warns(FormerSpellingWarning, match=r"'qeframe.plugin.Attack' is now .* 'qeframe.plugin.audit.Attack'"):
        attack = qeframe.plugin.Attack
    assert attack is import_module("qeframe.plugin.audit").Attack
    for name in ("nothing", "_private", "__path_of_nothing__"):
        with pytest.raises(AttributeError, match=f"module 'qeframe.plugin' has no attribute '{name}'"):
            getattr(qeframe.plugin, name)
