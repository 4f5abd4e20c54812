"""The tables of what submissions gain: a table for each metric and task, clear gains emphasized."""

from qeframe.gaming.gains import Gain, Gains
from qeframe.gaming.tables.gains import gain_tables
from qeframe.report.layouts.terminal import as_text


def gain(submission, attack, value, task="en-de"):
    return Gain(
        metric="acc",
        task=task,
        submission=submission,
        attack=attack,
        setting="rate=.5",
        score=0.5,
        attacked=0.5 + value,
        gain=value,
        error=0.01,
        index=2 * value,
        rank=2,
        attacked_rank=1,
    )


def test_a_table_for_each_metric_and_task():
    made = [gain("A", "add", 0.05), gain("A", "mix", 0.001), gain("B", "add", -0.02), gain("B", "mix", 0.0)]
    gains = Gains(gold={"sets": {"en-de": "10 segments"}, "seed": 3}, gains=(*made, gain("A", "add", 0.03, "he-en")))
    first, second = map(as_text, gain_tables(gains))
    rows = [line.split() for line in first.splitlines()]
    assert rows[0] == ["acc", "on", "en-de"]
    assert [
        "A",
        "0.500",
        "2",
        "0.050*",
        "0.010",
        "0.100",
        "rate=.5",
        "1",
        "0.001",
        "0.010",
        "0.002",
        "rate=.5",
        "1",
    ] in rows
    assert [
        "B",
        "0.500",
        "2",
        "-0.020",
        "0.010",
        "-0.040",
        "rate=.5",
        "1",
        "0.000",
        "0.010",
        "0.000",
        "rate=.5",
        "1",
    ] in rows
    assert "seed 3" in first
    assert "en-de: 10 segments" in first
    assert "acc on he-en" in second
