"""The commands profiles and plugins."""

import json
from typing import get_args

import pytest

from qeframe.core.significance import Null
from tests.outcome import outcome_of


def test_profiles(qeframe_command):
    assert "wmt14_qe_task1_2" in qeframe_command("profiles").out
    shown = qeframe_command("profiles", "wmt14_qe_task1_2").out
    (primary,) = [line for line in shown.splitlines() if line.startswith("primary ")]
    assert primary.split()[1:3] == ["pearson", "read"]
    rules = json.loads(qeframe_command("profiles", "wmt14_qe_task1_2", "--json").out)["rules"]
    assert rules["test"]["value"] == "williams"
    assert rules["within"]["certainty"] == "chosen"


def test_a_profile_of_a_blocked_plugin_is_told_so(refused, monkeypatch):
    monkeypatch.setenv("QEFRAME_BLOCK", "qeframe_wmt")
    assert refused("profiles", "qe_word") == (
        "unknown profile 'qe_word'; 'qeframe profiles' lists them (blocked: qeframe_wmt)"
    )


def test_profiles_diff(qeframe_command):
    compared = json.loads(qeframe_command("profiles", "--diff", "wmt14_qe_task1_2", "wmt22_qe_sentence", "--json").out)
    assert compared["primary"] == {"wmt14_qe_task1_2": "pearson", "wmt22_qe_sentence": "spearman"}
    assert "within" not in compared
    text = qeframe_command("profiles", "--diff", "wmt14_qe_task1_2", "wmt22_qe_sentence").out
    assert any(line.split()[:2] == ["primary", "pearson"] for line in text.splitlines())


def test_plugins(qeframe_command):
    listed = qeframe_command("plugins").out
    assert "plugin 'qeframe_scoring' of distribution 'qeframe" in listed
    assert "delta_avg(best=declared, ties=average, signed=good, replicate=none)" in listed
    components = json.loads(qeframe_command("plugins", "--json").out)["components"]
    assert {"hook": "metrics", "name": "pearson"}.items() <= next(
        c for c in components if c["name"] == "pearson"
    ).items()


def test_measured_rates_stand_in_the_list(qeframe_command):
    assert "measured: false-positive rate .02 to .06 at .05" in qeframe_command("plugins").out
    components = json.loads(qeframe_command("plugins", "--json").out)["components"]
    measured = {c["name"]: c.get("measured") for c in components if c["hook"] == "significance_tests"}
    assert all("false-positive rate" in rates for rates in measured.values())
    assert "measured" not in next(c for c in components if c["name"] == "pearson")
    null = {c["name"]: c.get("null") for c in components if c["hook"] == "significance_tests"}
    assert set(null.values()) == {value for value in get_args(Null) if value}, "every test states one"
    assert null["jackknife"] == "equal scores"
    assert "null" not in next(c for c in components if c["name"] == "pearson")


def test_one_metric_says_what_it_resists(capsys):
    outcome = outcome_of(capsys, "plugins", "mae")
    assert outcome.status == 0
    assert outcome.out.splitlines() == [
        "",
        "metrics",
        "  mae(replicate=none)  Mean absolute error; rewards answers near the median (qeframe_scoring)",
        "                       claims: monotone",
        "                       can be gamed: at most 0.3 by blind answers, at most 0.14 by cosmetic changes",
    ]
    (record,) = json.loads(outcome_of(capsys, "plugins", "mae", "--json").out)["components"]
    assert (record["claims"], record["hook"]) == ("monotone", "metrics")


@pytest.mark.parametrize(
    ("arguments", "hooks"),
    [
        (["--kind", "TiePolicy"], {"tie_policies"}),
        (["qeframe_rankings"], {"ranking_rules"}),
        (["qeframe_tagging", "--kind", "Metric"], {"metrics"}),
        (["wmt22_qe_sentence"], {"profiles"}),
    ],
)
def test_the_list_is_filtered(capsys, arguments, hooks):
    records = json.loads(outcome_of(capsys, "plugins", "--json", *arguments).out)["components"]
    assert {record["hook"] for record in records} == hooks
