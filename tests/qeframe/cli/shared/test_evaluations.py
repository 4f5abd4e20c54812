"""Evaluate the tasks in a path, and show the result."""

import json

import pytest

from qeframe.cli.shared.demo_files import write_demo
from qeframe.cli.shared.evaluations import evaluate_path, show_evaluation


@pytest.fixture
def evaluated(tmp_path):
    profile, folder = write_demo("sentence", tmp_path, 2015)
    settings = ["test=", "interval=", "secondary=[]"]
    return evaluate_path(profile, folder, settings, seed=1, workers=1, quiet=True)


def test_what_is_evaluated(evaluated):
    evaluation, tasks = evaluated
    assert (len(tasks), tasks[0].name, len(evaluation.submissions)) == (1, "task", 8)
    assert evaluation.signature.rules["test"] == ""


def test_json_is_the_file_that_is_written(evaluated, tmp_path, capsys):
    evaluation, tasks = evaluated
    show_evaluation(evaluation, tasks, out=tmp_path / "out", as_json=True, quiet=False)
    shown = capsys.readouterr()
    assert json.loads(shown.out)["profile"] == "qe_sentence"
    assert shown.out == (tmp_path / "out" / "evaluation.json").read_text()
    assert f"files written to {tmp_path / 'out'}" in shown.err


def test_quiet_prints_the_table_alone(evaluated, capsys):
    evaluation, tasks = evaluated
    show_evaluation(evaluation, tasks, out=None, as_json=False, quiet=True, explain=True)
    shown = capsys.readouterr()
    assert "Aster-ensemble" in shown.out
    assert shown.err == ""
