"""The command check-plugin."""

import json
import sys

import attrs
import pytest

import qeframe
from qeframe import hookimpl
from qeframe.plugin import Batch, Metric
from qeframe.testing.plugin_report import check_plugin
from tests.qeframe.core.components.made_plugins import plugin


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


@pytest.mark.slow
def test_gates_of_check_plugin(qeframe_command, refused):
    outcome = qeframe_command("check-plugin", "qeframe_gtm", "--fail-on-undeclared", "--tries", 2, "--json", "--quiet")
    assert outcome.status == 0
    gates = {f["component"]: f["result"] for f in json.loads(outcome.out)["findings"] if f["law"] == "gaming"}
    assert gates == dict.fromkeys(["gtm_f", "gtm_precision", "gtm_recall"], "kept")
    registry = qeframe.load()
    recall = registry.get(Metric, "gtm_recall")
    weaker = {**recall.known_weaknesses, "blind": 0.5}
    silent = plugin(qeframe_metrics=[attrs.evolve(recall, name="silent_recall", known_weaknesses=weaker)])
    report = check_plugin("silent", qeframe.load(extra={"silent": silent}), tries=2, undeclared=True)
    (gate,) = [finding for finding in report.findings if finding.law == "gaming"]
    assert gate.result == "broken"
    assert "the attack whole_vocabulary has the index 0.8" in gate.what
    required = qeframe_command("check-plugin", "qeframe_gtm", "--require", "blind_proof", "--tries", 2, "--quiet")
    assert required.status == 1
    assert "Metric 'gtm_recall' of plugin 'qeframe_gtm' of distribution" in required.out
    assert "does not claim 'blind_proof', which is required: add 'blind_proof' to its claims: no" in required.out
    assert "could make the claim 'monotone', which is required" in refused(
        "check-plugin", "qeframe_aggregations", "--require", "monotone", "--tries", 2, "--quiet"
    )
    assert "no law for the claim 'safe'" in refused("check-plugin", "qeframe_ties", "--require", "safe")


class Empty:
    """A plugin that brings nothing."""


def test_a_plugin_that_brings_nothing_has_no_findings():
    assert check_plugin("empty", qeframe.load(extra={"empty": Empty()})).findings == ()


class Boaster:
    """A plugin whose metric claims too much."""

    @hookimpl
    def qeframe_metrics(self):
        honest = qeframe.load().get(Metric, "mae")
        return [attrs.evolve(honest, name="boast", claims=["constant_proof", "padding_proof"])]


@pytest.mark.newest  # few examples do not find every broken claim
def test_a_broken_claim_is_found_with_its_example():
    report = check_plugin("boaster", qeframe.load(extra={"boaster": Boaster()}), tries=12)
    broken = {finding.law: finding for finding in report.broken}
    assert set(broken) == {"constant_proof", "padding_proof"}
    found = broken["constant_proof"]
    assert found.result == "broken"
    assert found.what.startswith("a constant answer scores ")
    assert found.counterexample[0].startswith("gold = [")
    assert found.exploit
    assert broken["padding_proof"].result == "no such law"
    results = {finding.law: finding.result for finding in report.findings}
    assert results["monotone"].startswith("not claimed, no counterexample in ")
    assert results["order"] == "kept"


def test_a_required_claim_that_is_absent_breaks_no_law(qeframe_command):
    words = ("check-plugin", "qeframe_gtm", "--require", "abstention_proof", "--tries", 1, "--quiet")
    outcome = qeframe_command(*words)
    assert outcome.status == 1
    told = (
        "does not claim 'abstention_proof', which is required: add 'abstention_proof' to its claims: no counterexample"
    )
    assert f"{told} was found\n" in outcome.out
    assert "breaks the law" not in outcome.out
    assert outcome.out.endswith("\nclaims that are required and not made: 3\n")


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
    assert found.what == "no plugin brings the kind of batches of Drawings; bring one by the hook qeframe_kinds"


TABLE = """
import click
from qeframe.plugin.commands import Command

COMMANDS = [
    Command(name="count-words", summary="Count the words.", path="words_of_mine:count"),
    Command(name="count-signs", summary="Count the signs.", path="words_of_mine:absent"),
]


@click.command()
def count():
    "Count all words."
"""


def test_the_commands_of_a_plugin_are_checked(tmp_path, monkeypatch, qeframe_command):
    information = tmp_path / "words_of_mine-1.0.dist-info"
    information.mkdir()
    information.joinpath("METADATA").write_text("Name: words-of-mine\nVersion: 1.0\n")
    information.joinpath("entry_points.txt").write_text("[qeframe.commands]\nwords_of_mine = words_of_mine\n")
    tmp_path.joinpath("words_of_mine.py").write_text(TABLE)
    monkeypatch.syspath_prepend(tmp_path)
    outcome = qeframe_command("check-plugin", "words-of-mine")
    assert outcome.status == 1
    broken = "breaks the law 'summary': the table has the first sentence of the help\n"
    assert (
        f"Command 'count-words' of plugin 'words_of_mine' of distribution 'words-of-mine 1.0' {broken}" in outcome.out
    )
    assert "the help begins with 'Count all words.', not 'Count the words.'" in outcome.out
    assert "breaks the law 'imported': the place in the table is a command of click\n" in outcome.out
    tmp_path.joinpath("words_of_mine.py").write_text("COMMANDS = 3")
    monkeypatch.delitem(sys.modules, "words_of_mine")
    outcome = qeframe_command("check-plugin", "words_of_mine", "--quiet")
    assert "breaks the law 'table': the table of commands can be imported" in outcome.out
    monkeypatch.delitem(sys.modules, "words_of_mine")
