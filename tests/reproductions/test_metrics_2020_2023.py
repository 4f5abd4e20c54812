"""WMT20 DARR correlations as published, WMT23 accuracies as recomputed independently, through the command line."""

import pytest

OFFICIAL = {("chrF", "cs-en"): 0.0863, ("TER", "cs-en"): -0.0401, ("chrF", "km-en"): 0.2671, ("TER", "km-en"): 0.1252}
ACC_EQ = {
    "XCOMET-Ensemble": 0.604, "MetricX-23": 0.603, "COMET": 0.574, "GEMBA-MQM": 0.572, "BLEU": 0.520, "chrF": 0.519,
}  # fmt: skip


def test_wmt20_darr(evaluated, shared_data):
    values, found = evaluated("wmt20_metrics_segment", shared_data("wmt20-metrics"))
    values = {
        (name, task): round(value, 4)
        for (name, metric, task), value in values.items()
        if metric == "kendall(ties=darr)" and task
    }
    assert values == OFFICIAL
    assert {name: counts["decided"] for name, counts in found["tasks"].items()} == {"cs-en": 14018, "km-en": 3706}


def test_wmt23_acc_eq(evaluated, shared_data):
    values, found = evaluated("wmt23_metrics_segment", shared_data("wmt23-metrics"))
    assert len(found["submissions"]) == 32
    assert {name: round(values[name, "acc_eq", ""], 3) for name in ACC_EQ} == ACC_EQ
    assert found["tasks"] == {"en-de": {"segments": 460, "systems": 12, "system_pairs": 66}}
    assert sum(entry["count"] for entry in found["dropped"] if entry["what"] == "segment") == 97


def test_wmt23_pairwise_accuracy(evaluated, shared_data):
    values, _ = evaluated("wmt23_metrics_system", shared_data("wmt23-metrics"))
    scores = {name: value for (name, metric, task), value in values.items() if metric == "pairwise_accuracy" and task}
    assert len(scores) == 32
    pairs = 12 * 11 / 2
    assert all(value * pairs == pytest.approx(round(value * pairs)) for value in scores.values())
    assert scores["GEMBA-MQM"] == 1
    assert round(scores["COMET"], 3) == 0.970
