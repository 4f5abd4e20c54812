"""The command score."""

import json

import pytest


def test_score(qeframe_command, files):
    outcome = qeframe_command("score", "spearman", "gold.txt", "a.txt", "b.txt")
    assert outcome.out == "a  0.942857\nb  0.657143\n"
    scores = json.loads(qeframe_command("score", "spearman", "gold.txt", "a.txt", "b.txt", "--json").out)
    assert scores["scores"]["a"] == pytest.approx(33 / 35)


def test_scores_on_lines(qeframe_command, files):
    lines = qeframe_command("score", "mae", "gold.txt", "a.txt", "b.txt", "--jsonl").out.splitlines()
    scores = json.loads(qeframe_command("score", "mae", "gold.txt", "a.txt", "b.txt", "--json").out)["scores"]
    assert {json.loads(line)["submission"]: json.loads(line)["score"] for line in lines} == scores
    lines = qeframe_command("score", "mae", "gold.txt", "a.txt", "--each", "unit", "--jsonl").out.splitlines()
    units = json.loads(qeframe_command("score", "mae", "gold.txt", "a.txt", "--each", "unit", "--json").out)["scores"]
    assert {json.loads(line)["unit"]: json.loads(line)["score"] for line in lines} == units["a"]


def test_score_joins_ids_as_integers(qeframe_command, files):
    outcome = qeframe_command("score", "spearman", "gold_ids.txt", "ids.txt")
    assert outcome.out == "ids  0.942857\n"


def test_score_with_parameters_and_direction(qeframe_command, files):
    low = qeframe_command("score", "delta_avg(ties=input, signed=raw)", "gold.txt", "a.txt").out
    high = qeframe_command("score", "delta_avg", "gold.txt", "a.txt", "--best", "high").out
    assert float(low.split()[1]) < 0 < float(high.split()[1])


def test_names_that_would_harm_a_terminal(qeframe_command, task_folder):
    (task_folder / "submissions" / "good.txt").rename(task_folder / "submissions" / "\x1b[31mred.txt")
    shown = qeframe_command("score", "pearson", "task/gold.txt", "task/submissions/\x1b[31mred.txt").out
    assert shown.startswith("\\x1b[31mred  0.")
