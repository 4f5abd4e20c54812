"""The commands for authors of plugins: new-plugin and check-plugin."""

import ast
import json
import sys
import tomllib
from importlib import import_module

import attrs
import pytest

import qeframe
from qeframe import hookimpl
from qeframe.batches.base import Batch
from qeframe.components.metric import Metric
from qeframe.testing import checks_of
from qeframe.testing.plugin_report import check_plugin


@pytest.fixture
def here(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_new_plugin_writes_a_distribution(here, qeframe_command):
    outcome = qeframe_command("new-plugin", "word-order")
    assert outcome.status == 0
    written = ["pyproject.toml", "README.md", "word_order.py", "tests/test_laws.py"]
    assert outcome.out.splitlines() == [f"word-order/{path}" for path in written]
    assert "pip install -e 'word-order[test]'" in outcome.err
    project = tomllib.loads((here / "word-order/pyproject.toml").read_text())
    assert project["project"]["entry-points"]["qeframe.v2"] == {"word_order": "word_order"}
    tests = ast.parse((here / "word-order/tests/test_laws.py").read_text())
    assert sum(len(ast.unparse(node).splitlines()) for node in tests.body) == 5  # two imports, a decorator, two lines


def test_the_metric_of_a_new_plugin_keeps_its_laws(here, qeframe_command, monkeypatch):
    qeframe_command("new-plugin", "word_order", "--out", here / "there")
    monkeypatch.syspath_prepend(here / "there")
    module = import_module("word_order")
    try:
        registry = qeframe.load(extra={"word_order": module})
        metric = registry.get(Metric, "word_order(within=0.2)")
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
    assert told == "mine: is there already, and nothing is overwritten; name another --out"
    (here / "file").write_text("")
    assert "file: is there already" in refused("new-plugin", "mine", "--out", "file")
    assert "cannot be written" in refused("new-plugin", "mine", "--out", "file/below")


def test_check_plugin_reports_every_law(qeframe_command):
    outcome = qeframe_command("check-plugin", "qeframe_ties")
    assert outcome.status == 0
    assert "plugin 'qeframe_ties' of distribution 'qeframe" in outcome.out
    assert "every law is kept" in outcome.out
    assert "checking wmt14" in outcome.err
    quiet = qeframe_command("check-plugin", "qeframe_ties", "--json", "--quiet")
    assert quiet.err == ""
    report = json.loads(quiet.out)
    assert report["broken"] == 0
    neutral = [f["component"] for f in report["findings"] if f["law"] == "tie_neutral"]
    assert neutral == ["custom", "wmt14"] or neutral == ["wmt14"]


def test_check_plugin_of_a_name_that_nobody_has(refused):
    assert refused("check-plugin", "qeframe_tie").startswith(
        "no plugin or distribution is named 'qeframe_tie'; did you"
    )


def test_check_plugin_of_a_plugin_without_laws(qeframe_command):
    outcome = qeframe_command("check-plugin", "qeframe_wmt")
    assert (outcome.status, outcome.out) == (0, "'qeframe_wmt' brings no component that has laws\n")


class Boaster:
    """A plugin whose metric claims too much."""

    @hookimpl
    def qeframe_metrics(self):
        honest = qeframe.load().get(Metric, "mae")
        return [attrs.evolve(honest, name="boast", claims=["constant_proof", "padding_proof"])]


def test_a_broken_claim_is_found_with_its_example():
    report = check_plugin("boaster", qeframe.load(extra={"boaster": Boaster()}), tries=30)
    broken = {finding.law: finding for finding in report.broken}
    assert set(broken) == {"constant_proof", "padding_proof"}
    found = broken["constant_proof"]
    assert found.result == "broken"
    assert found.what.startswith("a constant is as good as ")
    assert found.counterexample[0].startswith("gold = [")
    assert found.exploit
    assert broken["padding_proof"].result == "no such law"
    results = {finding.law: finding.result for finding in report.findings}
    assert results["monotone"].startswith("not claimed, no counterexample in ")
    assert results["order"] == "kept"


class OwnKind:
    """A plugin with a kind of batch that nobody knows how to draw."""

    @hookimpl
    def qeframe_metrics(self):
        class Drawings(Batch):
            pass

        return [Metric(name="likeness", summary="", kind=Drawings, bind=lambda batch: None)]


def test_a_kind_of_batch_that_is_not_known_is_told():
    (found,) = check_plugin("own", qeframe.load(extra={"own": OwnKind()})).findings
    assert (found.component, found.result, found.broken) == ("likeness", "not tried", False)
    assert found.what == "there is no material for batches of Drawings; give the checks one of your own"


def test_lock_and_check(here, qeframe_command, refused):
    outcome = qeframe_command("lock", "numbers.json", "--plugin", "qeframe_ties")
    assert (outcome.status, outcome.out) == (0, "numbers.json: 8 components\n")
    checked = qeframe_command("lock", "--check", "numbers.json", "--plugin", "qeframe_ties")
    assert (checked.status, checked.out) == (0, "no recorded components changed\n")
    text = (here / "numbers.json").read_text()
    old = f'"tie policy wmt12": {{"version": "qeframe {qeframe.__version__}", "digest": "#'
    assert old in text
    line = next(line for line in text.splitlines() if "tie policy wmt12" in line)
    (here / "numbers.json").write_text(text.replace(line, line.replace('"<=": "-1"', '"<=": "0"')))
    changed = qeframe_command("lock", "--check", "numbers.json", "--plugin", "qeframe_ties")
    assert changed.status == 1
    assert changed.out == (
        f"changed: tie policy wmt12: on <= 0 became -1 (recorded of qeframe {qeframe.__version__})\n"
        "    human = '<'\n    metric = '='\n1 recorded component changed\n"
    )
    found = json.loads(qeframe_command("lock", "--check", "numbers.json", "--plugin", "qeframe_ties", "--json").out)
    assert [(change["component"], change["kind"]) for change in found] == [("tie policy wmt12", "changed")]
    assert "cannot be read" in refused("lock", "--check", "nowhere.json")
    assert "cannot be written" in refused("lock", here / "nowhere" / "numbers.json")
    assert "no plugin or distribution is named 'x'" in refused("lock", "--plugin", "x")
