"""Whole runs on generated tasks: each profile in the ways in which a shared task is used."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

import qeframe
from qeframe.plugin.readers import ExampleRequest, Reader

PROFILES = ("judgebench", "rewardbench")


def started(*words: object) -> str:
    """Run qeframe, which must succeed, and return what it prints."""
    done = subprocess.run(
        [sys.executable, "-m", "qeframe", *map(str, words)], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.fixture(params=PROFILES)
def task(request, tmp_path, monkeypatch) -> tuple[str, Path]:
    monkeypatch.chdir(tmp_path)
    rules = qeframe.choose_profile(request.param)
    reader = qeframe.load().get(Reader, rules.reader)
    return request.param, reader.write_example(Path("task"), ExampleRequest(units=60, baselines=("baseline",)))


def test_the_baseline_is_last(task):
    evaluation = qeframe.evaluate(*task, settings=["test=", "interval="])
    assert evaluation.submissions[-1].name == "baseline"


def test_all_outputs_agree(task):
    started("run", *task, "--out", "out", "--quiet")
    saved = json.loads(Path("out/evaluation.json").read_text())
    printed = json.loads(started("run", *task, "--json", "--quiet"))
    assert printed["submissions"] == saved["submissions"]
    before = Path("out/report.html").read_bytes()
    started("report", "out", "--quiet")
    assert Path("out/report.html").read_bytes() == before
    assert started("diff", "out", "out", "--json")


@pytest.mark.parametrize("words", [["--explain"], ["--detectable"], ["--influence", "3"], ["--with-attacks"]])
def test_other_ways(task, words):
    assert json.loads(started("run", *task, "--json", "--quiet", *words))["submissions"]


def test_the_profiles_are_listed_with_their_rules(task):
    assert "preferences_jsonl" in started("profiles", task[0])
