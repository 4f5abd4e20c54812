"""The command new-plugin."""

import ast
import sys
import tomllib
from importlib import import_module

import pytest
import yaml

import qeframe
from qeframe.core.metric import Metric
from qeframe.testing import checks_of


@pytest.fixture
def here(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_new_plugin_writes_a_distribution(here, qeframe_command):
    outcome = qeframe_command("new-plugin", "word-order")
    assert outcome.status == 0
    written = [".github/workflows/tests.yml", "pyproject.toml", "README.md", "word_order.py"]
    written += ["tests/test_gaming.py", "tests/test_laws.py"]
    assert outcome.out.splitlines() == [f"word-order/{path}" for path in written]
    assert "pip install -e 'word-order[test]'" in outcome.err
    assert outcome.err.endswith("qeframe lock --plugin word-order --gaming 'word-order/components.json'\n")
    project = tomllib.loads((here / "word-order/pyproject.toml").read_text())
    assert project["project"]["entry-points"]["qeframe.v2"] == {"word_order": "word_order"}
    tests = ast.parse((here / "word-order/tests/test_laws.py").read_text())
    assert sum(len(ast.unparse(node).splitlines()) for node in tests.body) == 5  # two imports, a decorator, two lines


def test_the_workflow_of_a_new_plugin_is_a_gate(here, qeframe_command):
    qeframe_command("new-plugin", "word-order")
    workflow = yaml.safe_load((here / "word-order/.github/workflows/tests.yml").read_text())
    assert [step["run"] for step in workflow["jobs"]["tests"]["steps"] if "run" in step] == [
        'pip install -e ".[test]"',
        "pytest",
        "qeframe check-plugin word-order --fail-on-undeclared",
        "qeframe lock --plugin word-order --gaming --check components.json",
    ]


def test_the_metric_of_a_new_plugin_keeps_its_laws(here, qeframe_command, monkeypatch):
    qeframe_command("new-plugin", "word_order", "--out", here / "there")
    monkeypatch.syspath_prepend(here / "there")
    module = import_module("word_order")
    try:
        metric = qeframe.load(extra={"word_order": module}).get(Metric, "word_order(within=0.2)")
        assert qeframe.score(metric, [1, 2, 3, 4], [1, 2.15, 2.85, 5]) == 0.75
        for check in checks_of(metric, tries=10):
            if check.law.name != "workers":
                check()
    finally:
        del sys.modules["word_order"]


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("Word-Order", "'Word-Order' cannot name a plugin; use lower case"),
        ("9words", "'9words' cannot name a plugin"),
        ("word order", "'word order' cannot name a plugin"),
        ("../word", "'../word' cannot name a plugin"),
        ("word--order", "'word--order' cannot name a plugin"),
        ("class", "'class' cannot name a plugin"),
        ("additive", "'additive' has a meaning in the module to be written; choose another name"),
        ("np", "'np' has a meaning in the module to be written"),
        ("len", "'len' has a meaning in the module to be written"),
        ("numpy", "there is a module 'numpy' already"),
        ("conftest", "there is a module 'conftest' already"),
        ("json", "there is a module 'json' already; choose another name"),
        ("qeframe", "there is a module 'qeframe' already"),
        ("qeframe-ties", "there is a plugin 'qeframe_ties' already"),
        ("pearson", "there is a metric 'pearson' already, of plugin 'qeframe_scoring' of distribution 'qeframe"),
    ],
)
def test_names_that_cannot_be(here, refused, name, message):
    assert message in refused("new-plugin", name)
    assert not list(here.iterdir())


def test_nothing_is_overwritten(here, refused):
    (here / "mine").mkdir()
    (here / "mine" / "thesis.tex").write_text("")
    told = refused("new-plugin", "mine")
    assert told == "mine: is there already, and nothing is overwritten; name another --out, or the folder of a plugin"
    (here / "file").write_text("")
    assert "file: is there already" in refused("new-plugin", "mine", "--out", "file")
    assert "cannot be written" in refused("new-plugin", "mine", "--out", "file/below")


def test_in_the_folder_of_a_plugin_a_component_is_added(here, qeframe_command, monkeypatch):
    qeframe_command("new-plugin", "word-order")
    monkeypatch.chdir(here / "word-order")
    outcome = qeframe_command("new-plugin", "my-reader", "--kind", "reader")
    assert outcome.out.splitlines() == [
        "my_reader.py",
        "tests/test_my_reader_reading.py",
        "pyproject.toml",
        "README.md",
    ]
    assert outcome.err == "\nNext: pip install -e '.[test]', then pytest .\n"
    monkeypatch.chdir(here)
    outcome = qeframe_command("new-plugin", "unit-counts", "--kind", "test", "--out", "word-order")
    assert outcome.out.splitlines()[0] == "word-order/unit_counts.py"
