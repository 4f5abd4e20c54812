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
