"""WMT20 DARR correlations as published, WMT23 accuracies as recomputed independently, through the command line."""

import json

import pytest

from qeframe.cli import main

OFFICIAL = {("chrF", "cs-en"): 0.0863, ("TER", "cs-en"): -0.0401, ("chrF", "km-en"): 0.2671, ("TER", "km-en"): 0.1252}
ACC_EQ = {
    "XCOMET-Ensemble": 0.604, "MetricX-23": 0.603, "COMET": 0.574, "GEMBA-MQM": 0.572, "BLEU": 0.520, "chrF": 0.519,
}  # fmt: skip


@pytest.fixture
def result(capsys):
    """Run a profile on a folder and return its evaluation.json."""

    def run(profile, place, *settings):
        options = [part for setting in settings for part in ("--set", setting)]
        main(["run", profile, str(place), *options, "--json", "--quiet"])
        return json.loads(capsys.readouterr().out)

    return run


def test_wmt20_darr(result, shared_data):
    found = result("wmt20_metrics_segment", shared_data("wmt20-metrics"), "test=", "interval=")
    values = {
        (s["name"], task): round(score["value"], 4)
        for s in found["submissions"]
        for task, score in s["scores"]["kendall(ties=darr)"]["tasks"].items()
    }
    assert values == OFFICIAL
    assert {name: counts["decided"] for name, counts in found["tasks"].items()} == {"cs-en": 14018, "km-en": 3706}


def test_wmt23_acc_eq(result, shared_data):
    found = result("wmt23_metrics_segment", shared_data("wmt23-metrics"), "test=", "interval=")
    assert len(found["submissions"]) == 32
    values = {s["name"]: round(s["scores"]["acc_eq"]["value"], 3) for s in found["submissions"]}
    assert {name: values[name] for name in ACC_EQ} == ACC_EQ
    assert found["tasks"] == {"en-de": {"segments": 460, "systems": 12, "system_pairs": 66}}
    assert sum(entry["count"] for entry in found["dropped"] if entry["what"] == "segment") == 97


def test_wmt23_pairwise_accuracy(result, shared_data):
    found = result("wmt23_metrics_system", shared_data("wmt23-metrics"), "test=", "interval=")
    scores = {s["name"]: s["scores"]["pairwise_accuracy"]["value"] for s in found["submissions"]}
    assert len(scores) == 32
    pairs = 12 * 11 / 2
    assert all(value * pairs == pytest.approx(round(value * pairs)) for value in scores.values())
    assert scores["GEMBA-MQM"] == 1
    assert round(scores["COMET"], 3) == 0.970
