"""The command demo."""

import pytest


def test_demo(qeframe_command, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    outcome = qeframe_command("demo")
    assert outcome.status == 0
    assert "Aster-ensemble" in outcome.out
    *_, task, last = outcome.err.splitlines()
    assert "qeframe-demo/task" in task
    assert last == "qeframe: open qeframe-demo/report.html"
    first = (tmp_path / "qeframe-demo" / "evaluation.json").read_bytes()
    again = qeframe_command("run", "qe_sentence", "qeframe-demo/task", "--seed", 2015, "--json", "--quiet")
    assert again.out.encode() == first
    assert qeframe_command("demo", "--out", "other", "--json").out.encode() == first
    gold = (tmp_path / "other" / "task" / "gold.da").read_bytes()
    assert qeframe_command("demo", "--out", "other", "--seed", 1).status == 0
    assert (tmp_path / "other" / "task" / "gold.da").read_bytes() != gold
    (tmp_path / "other" / "task" / "gold.da").write_text("edited")
    refusal = qeframe_command("demo", "--out", "other")
    assert refusal.status == 2
    assert "changed since: 'task/gold.da'" in refusal.err


@pytest.mark.slow
def test_a_demo_of_spans(qeframe_command, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    outcome = qeframe_command("demo", "wmt26_task1", "--out", "d")
    assert outcome.status == 0
    assert "no source confirms these rules: gold, reader, primary" in outcome.out
