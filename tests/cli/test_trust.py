"""``qeframe trust``: the table, JSON and the files, for one data set and for several."""

import json
from pathlib import Path

import pytest

from tests.schema import check_schema


@pytest.fixture
def two(tmp_path, monkeypatch, qeframe_command):
    monkeypatch.chdir(tmp_path)
    for seed in ("1", "2"):
        qeframe_command("demo", "--out", f"demo{seed}", "--seed", seed, "--quiet")
    words = "qe_sentence demo1/task demo2/task --metric mae --runs 4 --splits 10 --draws 200 --quiet"
    return words.split()


def test_a_table_for_each_path(qeframe_command, two):
    outcome = qeframe_command("trust", *two, "--no-audit", "--out", "trusted")
    assert outcome.status == 0
    assert outcome.out.count("which measures can be trusted") == 2
    names = {"report.html", "trust.json", "trust.md", "trust.tex", "trust.png", "trust.svg"}
    assert names <= {path.name for path in Path("trusted").iterdir()}
    record = json.loads(Path("trusted/trust.json").read_text())
    check_schema(record, "trust")
    assert [data["name"] for data in record["data"]] == ["demo1/task", "demo2/task"]
    assert [[row["metric"] for row in data["measures"]] for data in record["data"]] == [["mae"]] * 2
    again = qeframe_command("trust", *two, "--no-audit", "--json", "--html", "page.html")
    assert again.out == Path("trusted/trust.json").read_text()
    assert "qeframe trust" in Path("page.html").read_text()


def test_metrics_of_the_kind_and_no_audit(qeframe_command, two, monkeypatch):
    monkeypatch.setattr("qeframe.studies.measures.study.other_metrics", lambda *_: ["mae"])
    words = [two[0], two[1], "--quiet", "--metric", "pearson", "--all-metrics", "--no-audit", "--runs", "0", "--json"]
    (data,) = json.loads(qeframe_command("trust", *words, "--draws", "50").out)["data"]
    assert [row["metric"] for row in data["measures"]] == ["pearson", "mae"]
    assert all(row["gamed"] is None and row["default_error"] is None for row in data["measures"])


def test_a_task_set_is_refused_with_a_profile_to_use(qeframe_command, two):
    outcome = qeframe_command("trust", "wmt23_metrics", two[1])
    assert outcome.status == 2
    assert "wmt23_metrics_segment" in outcome.err
