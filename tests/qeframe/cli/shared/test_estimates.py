import json

import pytest

import qeframe
from qeframe.cli.shared import estimates
from qeframe.cli.shared.demo_files import write_demo
from qeframe.cli.shared.estimates import announce, dry_run
from qeframe.execution.estimates import Estimate, Probe, Step

DRAWN = ["test=permutation(draws=3000)", "interval=bootstrap(draws=200)"]


@pytest.fixture
def prepared(tmp_path):
    name, folder = write_demo("sentence", tmp_path, 2015)
    profile = qeframe.choose_profile(name, DRAWN)
    tasks = qeframe.read_tasks(profile, folder)

    def evaluate(*, runner):
        return qeframe.evaluate(profile, tasks, runner=runner)

    return profile, tasks, evaluate


def test_a_short_run_is_not_probed(prepared, capsys):
    profile, tasks, _ = prepared
    assert announce(profile, tasks, None, 1) is None
    assert capsys.readouterr().err == ""


@pytest.mark.parametrize(("complete", "words"), [(True, "about 100 s"), (False, "more than 100 s")])
def test_a_long_run_says_so_before_it_starts(prepared, capsys, monkeypatch, complete, words):
    monkeypatch.setattr("qeframe.execution.announced.processors", lambda: 1)
    found = Estimate((Step("draws", 10, 2, 92.0),), 7.9, 321.0, complete)
    monkeypatch.setattr("qeframe.execution.announced.expected_seconds", lambda *_: 31.0)
    monkeypatch.setattr("qeframe.execution.announced.estimate", lambda *_: found)
    profile, tasks, evaluate = prepared
    assert announce(profile, tasks, evaluate, 1) == (pytest.approx(99.9) if complete else None)
    line = f"qeframe: this takes {words} and 321 MB; 'qeframe run --dry-run' says how to make it shorter\n"
    assert capsys.readouterr().err == line


def test_a_probe_that_finds_a_short_run_says_nothing(prepared, capsys, monkeypatch):
    monkeypatch.setattr("qeframe.execution.announced.expected_seconds", lambda *_: 31.0)
    assert announce(*prepared, 1) is None
    assert capsys.readouterr().err == ""


def test_a_dry_run_counts_what_would_be_computed(prepared, capsys):
    profile, tasks, evaluate = prepared
    shown = {"workers": 1, "shards": 1}
    dry_run(profile, tasks, evaluate, probe=Probe(), as_json=True, **shown)
    found = json.loads(capsys.readouterr().out)
    assert found["rules"] == ["test=permutation(draws=3000)", "interval=bootstrap(draws=200)"]
    assert found["steps"]["exchanges"]["draws"] == 3000
    assert found["steps"]["draws"]["draws"] % 200 == 0 < found["steps"]["draws"]["draws"]
    assert found["seconds"] > 0
    dry_run(profile, tasks, evaluate, probe=Probe(), as_json=False, **shown)
    text = capsys.readouterr().out
    assert text.startswith("qe_sentence: 1 task, 8 submissions, ")
    assert "  rule test=permutation(draws=3000)\n" in text
    assert "  exchanges " in text
    assert "  in all            about " in text


def test_what_makes_a_run_shorter(prepared, capsys, monkeypatch):
    monkeypatch.setattr(estimates, "processors", lambda: 4)
    monkeypatch.setattr("time.process_time", lambda: 1.0)
    found = Estimate((Step("draws", 1000, 100, 100.0),), 3.0, float("nan"))
    monkeypatch.setattr("qeframe.execution.estimates.estimate", lambda *_: found)
    profile, tasks, _ = prepared
    dry_run(profile, tasks, None, probe=Probe(), workers=1, shards=1, as_json=False)
    assert capsys.readouterr().out.splitlines()[-4:] == [
        "  in all            about    2 min",
        "  shorter: --workers 4, about 29 s at best",
        "  shorter: a tenth of the draws by --set, about 14 s; p and intervals are less exact",
        "  shorter: 4 machines with --shard I/4, about 29 s each",
    ]
    dry_run(profile, tasks, None, probe=Probe(), workers=4, shards=3, as_json=False)
    assert "for each of 3 shards" in capsys.readouterr().out
