"""The commands profiles and plugins."""

import json
from typing import get_args

from qeframe.core.significance import Null


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
    assert "measured: rejects .02 to .06 of true null hypotheses at .05" in qeframe_command("plugins").out
    components = json.loads(qeframe_command("plugins", "--json").out)["components"]
    measured = {c["name"]: c.get("measured") for c in components if c["hook"] == "significance_tests"}
    assert all("true null hypotheses" in rates for rates in measured.values())
    assert "measured" not in next(c for c in components if c["name"] == "pearson")
    null = {c["name"]: c.get("null") for c in components if c["hook"] == "significance_tests"}
    assert set(null.values()) == {value for value in get_args(Null) if value}, "every test states one"
    assert null["jackknife"] == "equal scores"
    assert "null" not in next(c for c in components if c["name"] == "pearson")
