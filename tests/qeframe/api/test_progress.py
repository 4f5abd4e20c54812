"""Progress in Python: a bar or plain lines."""

import time

import numpy as np
import pytest

import qeframe
from qeframe.api import progress
from qeframe.core import swaps
from qeframe.core.runner import SILENT, STEP, WATCHER, Runner, Watcher, step
from qeframe.kinds.scores.batch import Scores

RULES = qeframe.Profile(reader="none", primary="pearson", interval="", test="permutation(draws=40)")


@pytest.fixture
def values():
    rng = np.random.default_rng(0)
    gold = rng.normal(size=30)
    return gold.tolist(), {name: (gold + rng.normal(size=30)).tolist() for name in "ABC"}


def _score(gold, submissions):
    return qeframe.score("pearson", gold, submissions["A"], interval="bootstrap(draws=40)")


def _compare(gold, submissions):
    return qeframe.compare("pearson", gold, submissions, test="permutation(draws=40)")


def _evaluate(gold, submissions):
    batches = {qeframe.Submission(name): Scores.from_plain(gold, each) for name, each in submissions.items()}
    return qeframe.evaluate(RULES, qeframe.Task(name="t", batches=batches))


def _audit(gold, _):
    return qeframe.audit("mae", gold, attacks=["constant_mean"], claims=False)


CALLS = [_score, _compare, _evaluate, _audit]


@pytest.mark.parametrize("call", CALLS)
def test_the_result_is_the_same_and_blocks_are_told(values, call):
    told = []
    plain = call(*values)
    token = WATCHER.set(Watcher(on_progress=lambda done, total: told.append((done, total))))
    try:
        watched = call(*values)
    finally:
        WATCHER.reset(token)
    assert repr(watched) == repr(plain)
    assert told
    assert all(done <= total for done, total in told)


@pytest.mark.parametrize("terminal", [False, True])
def test_a_bar_on_a_terminal_and_lines_elsewhere(monkeypatch, capsys, terminal):
    monkeypatch.setattr(progress, "_INTERVAL", 0.02)
    monkeypatch.setattr(progress, "_DELAY", -1.0)
    monkeypatch.setattr("sys.stderr.isatty", lambda: terminal)
    with qeframe.progress("my study"):
        Runner().map(abs, [-1, -2])
        time.sleep(0.1)
    assert ("qeframe: my study, 2 of 2 blocks, 0 s so far" in capsys.readouterr().err) is not terminal
    assert Runner() == SILENT


def test_the_context_ends_with_an_error():
    with pytest.raises(qeframe.DataError), qeframe.progress():
        qeframe.score("pearson", [1, 2], [1])
    assert Runner() == SILENT


def test_what_is_computed_anew_is_told_before(monkeypatch):
    rng, said = np.random.default_rng(0), []
    gold = rng.normal(size=(8, 4))
    submissions = {name: rng.normal(size=(8, 4)).tolist() for name in "ABC"}
    monkeypatch.setattr(swaps, "_MANY", 90)
    for metric, unit in (("tau_b", "segment"), ("tau_b", "cell"), ("pairwise_accuracy", "system")):
        test = f"permutation(draws=30, unit={unit})"
        qeframe.compare(metric, gold.tolist(), submissions, test=test, runner=Runner(on_notice=said.append))
    line = (
        "tau_b is recomputed for 3 pairs x 30 exchanges, which may take long; an empty rule 'test' leaves the test out"
    )
    assert said == [line]


def test_a_line_has_the_step_what_is_done_and_the_time_so_far(monkeypatch):
    now = [100.0]
    monkeypatch.setattr(progress.time, "monotonic", lambda: now[0])
    lines = progress.Lines("drawing")
    assert lines.line(100.0) == "drawing, 0 s so far"
    with step("intervals of kendall_tau_b, 3 of 8"):
        lines.watch(2, 5)
    assert lines.line(108.0) == "drawing: intervals of kendall_tau_b, 3 of 8, 2 of 5 blocks, 8 s so far"
    lines.watch(1, 5)
    assert lines.line(109.0) == "drawing, 1 of 5 blocks, 9 s so far"
    lines.close()


def test_the_steps_of_an_evaluation_are_named_and_numbered(values):
    gold, submissions = values
    batches = {qeframe.Submission(name): Scores.from_plain(gold, each) for name, each in submissions.items()}
    tasks = [qeframe.Task(name=name, batches=batches) for name in ("x", "y")]
    rules = qeframe.Profile(
        reader="none", primary="pearson", secondary=["kendall_tau_b"], interval="bootstrap(draws=40)"
    )
    told = []
    qeframe.evaluate(rules, tasks, runner=Runner(on_progress=lambda *_: told.append(STEP.get())))
    named = list(dict.fromkeys(filter(None, told)))
    assert named[:2] == [": intervals of pearson, 1 of 4", ": intervals of kendall_tau_b, 2 of 4"]
    assert named[-1] == ": tests of y, 2 of 2"
    assert STEP.get() == ""
