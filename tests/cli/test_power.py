"""``qeframe power``: the table, the JSON, the files, and what is refused."""

import json

import pytest


@pytest.fixture
def task(noisy_task):
    return noisy_task(40, {"good": 0.5, "fair": 0.7, "poor": 3.0})


COMMON = ("power", "qe_sentence", "task", "--quiet", "--draws", "50")


def test_table(qeframe_command, task):
    done = qeframe_command(*COMMON)
    assert (done.status, done.err) == (0, "")
    lines = done.out.splitlines()
    assert lines[0].endswith(": how many segments tell submissions apart")
    assert [line.split()[:2] for line in lines[4:6]] == [["good", "fair"], ["good", "poor"]]
    assert lines[-1] == "profile:qe_sentence|metric:pearson|alpha:0.05|power:0.8|draws:50|seed:0"


def test_json(qeframe_command, task):
    first, again, other = (qeframe_command(*COMMON, "--json", "--seed", seed).out for seed in (1, 1, 2))
    assert first == again != other
    record = json.loads(first)
    assert (record["units"], record["target"], record["seed"]) == (40, 0.8, 1)
    curve = record["curves"][0]
    assert len(record["sizes"]) == len(curve["at"]) == len(curve["low"])
    assert [check["size"] for check in curve["in_draws"]] == [10, 20, 40, 80]


def test_pairs_power_and_level(qeframe_command, task):
    pairs = ("--pair", "poor", "fair", "--pair", "poor", "good")
    record = json.loads(qeframe_command(*COMMON, "--json", *pairs, "--power", "0.9", "--alpha", "0.01").out)
    assert [(c["better"], c["worse"]) for c in record["curves"]] == [("fair", "poor"), ("good", "poor")]
    assert (record["target"], record["alpha"]) == (0.9, 0.01)
    adjacent = json.loads(qeframe_command(*COMMON, "--json", "--pairs", "adjacent").out)
    assert [(c["better"], c["worse"]) for c in adjacent["curves"]] == [("good", "fair"), ("fair", "poor")]


def test_files(qeframe_command, task, tmp_path):
    pytest.importorskip("matplotlib")
    done = qeframe_command("power", "qe_sentence", "task", "--draws", "20", "--out", "power")
    assert done.err.splitlines()[-1] == "qeframe: 8 files written to power"
    written = {path.name for path in (tmp_path / "power").iterdir() if not path.name.startswith(".")}
    assert {
        "power.md",
        "power.tex",
        "power_notes.tex",
        "power.tsv",
        "power_curves.tsv",
        "power.json",
        "power.svg",
        "power.png",
    } <= written
    assert json.loads((tmp_path / "power" / "power.json").read_text())["draws"] == 20
