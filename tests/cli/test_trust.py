"""``qeframe trust``: the table, JSON and the files, for one data set and for several."""

import json
from pathlib import Path

import pytest

import qeframe
from qeframe.cli.commands.trust import others
from qeframe.core.tasks.task import Submission, Task
from qeframe.kinds.scores.batch import Scores


@pytest.fixture
def two(tmp_path, monkeypatch, qeframe_command):
    monkeypatch.chdir(tmp_path)
    for seed in ("1", "2"):
        qeframe_command("demo", "--out", f"demo{seed}", "--seed", seed, "--quiet")
    return ["qe_sentence", "demo1/task", "demo2/task", "--runs", "20", "--splits", "10", "--quiet"]


def test_a_table_for_each_path(qeframe_command, two):
    outcome = qeframe_command("trust", *two, "--metric", "pearson", "--metric", "mae", "--out", "trusted")
    assert outcome.status == 0
    assert outcome.out.count("which measures can be trusted") == 2
    assert {"report.html", "trust.json", "trust.md", "trust.tex"} <= {path.name for path in Path("trusted").iterdir()}
    record = json.loads(Path("trusted/trust.json").read_text())
    assert [[row["metric"] for row in data["measures"]] for data in record["data"]] == [["pearson", "mae"]] * 2
    again = qeframe_command("trust", *two, "--metric", "pearson", "--metric", "mae", "--json")
    assert again.out == Path("trusted/trust.json").read_text()


def test_metrics_of_the_kind_and_no_audit(qeframe_command, two, monkeypatch):
    monkeypatch.setattr("qeframe.cli.commands.trust.others", lambda *_: ["mae"])
    words = [two[0], two[1], "--quiet", "--metric", "pearson", "--all-metrics", "--no-audit", "--runs", "0", "--json"]
    (data,) = json.loads(qeframe_command("trust", *words).out)["data"]
    names = [row["metric"] for row in data["measures"]]
    assert len(names) == 2
    assert names[0] == "pearson"
    assert all(row["gamed"] == {} and row["default_error"] is None for row in data["measures"])


def test_other_metrics_are_those_that_score_the_task():
    registry = qeframe.load()
    batch = Scores.from_plain([0.1, 0.5, 0.3, 0.9], [0.2, 0.4, 0.6, 0.8])
    found = others([Task(name="t", batches={Submission("A"): batch})], ["pearson"], registry)
    assert {"spearman", "mae", "rmse"} <= set(found)
    assert "pearson" not in found
    assert "mcc" not in found
