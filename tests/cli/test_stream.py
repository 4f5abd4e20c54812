"""The command stream."""

import json

import pytest

from qeframe.streaming import stream as module


def test_a_leaderboard_and_comparisons(qeframe_command, files):
    outcome = qeframe_command("stream", "gold.txt", "a.txt", "b.txt", "--metric", "mae", "--metric", "pearson")
    assert outcome.status == 0
    assert "mae ↓" in outcome.out
    assert "pearson ↑" in outcome.out
    assert "gold: comparisons" in outcome.out
    assert "test: bootstrap" in outcome.out
    assert outcome.err == ""


def test_values_are_those_of_score(qeframe_command, files):
    scores = json.loads(qeframe_command("score", "pearson", "gold.txt", "a.txt", "b.txt", "--json").out)["scores"]
    given = ("stream", "gold.txt", "a.txt", "b.txt", "--metric", "pearson", "--json")
    found = json.loads(qeframe_command(*given).out)
    for submission in found["submissions"]:
        assert submission["scores"]["pearson"]["value"] == pytest.approx(scores[submission["name"]], abs=1e-12)
    assert found == json.loads(qeframe_command(*given, "--workers", 2).out)


def test_a_single_submission_and_no_draws(qeframe_command, files):
    outcome = qeframe_command("stream", "gold.txt", "a.txt", "--metric", "mae", "--test", "", "--interval", "")
    assert outcome.status == 0
    assert "comparisons" not in outcome.out
    assert "interval" not in outcome.out


def test_refusals_are_one_line(refused, files, tmp_path):
    (tmp_path / "short.txt").write_text("1\n2\n")
    assert "the file ends after 2 units" in refused("stream", "gold.txt", "short.txt", "--metric", "mae")
    assert "need about 1 MiB of memory" in refused("stream", "gold.txt", "a.txt", "--metric", "spearman")
    assert "cannot be computed in chunks" in refused(
        "stream", "gold.txt", "a.txt", "b.txt", "--metric", "mae", "--test", "jackknife"
    )
    assert "there is no such file" in refused("stream", "none.txt", "a.txt", "--metric", "mae")
    assert "the submission is given twice" in refused("stream", "gold.txt", "a.txt", "a.txt", "--metric", "mae")


def test_long_work_is_told_before_it_starts(qeframe_command, files, monkeypatch):
    monkeypatch.setattr(module, "_TOLD_FROM", 0.0)
    outcome = qeframe_command("stream", "gold.txt", "a.txt", "--metric", "mae")
    assert outcome.err.startswith("qeframe: about 6 units and 1 submission, 1000 draws: about 1 s on this machine")
    assert qeframe_command("stream", "gold.txt", "a.txt", "--metric", "mae", "--quiet").err == ""


def test_unknown_metrics_and_files_given_twice_are_named_as_given(refused, files):
    said = refused("stream", "gold.txt", "a.txt", "--metric", "pearsn")
    assert said.startswith("unknown metric 'pearsn'; did you mean 'pearson'")
    twice = refused("stream", "gold.txt", "x/a.gz", "x/a.gz", "--metric", "pearson")
    assert twice == "x/a.gz: the submission is given twice; give it once"


def test_shards_and_their_merge(qeframe_command, refused, files):
    given = ("stream", "gold.txt", "a.txt", "b.txt", "--metric", "mae", "--test", "bootstrap(draws=30)")
    assert qeframe_command(*given, "--index", "index").err == "qeframe: index written to index\n"
    for number in (1, 2):
        shard = ("--index", "index", "--shard", f"{number}/2", "--out", f"s{number}")
        assert qeframe_command(*given, *shard).err == f"qeframe: shard {number}/2 written to s{number}\n"
    assert qeframe_command("merge", "s1", "s2", "--json").out == qeframe_command(*given, "--json").out
    assert "gold: comparisons" in qeframe_command("merge", "s1", "s2").out
    assert "a shard needs --index FILE, --shard I/N and --out FOLDER" in qeframe_command(*given, "--shard", "1/2").err
    assert "has no folder" in qeframe_command("merge", "s1", "s2", "--out", "x").err
    assert refused("merge", "s1") == "shard 2/2 is missing; run it with --shard, or add its folder"
