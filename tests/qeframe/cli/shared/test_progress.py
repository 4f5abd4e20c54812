"""Progress where standard error is no terminal, and word of long work before it begins."""

import time

import numpy as np

import qeframe
from qeframe.cli.shared import progress
from qeframe.core.evaluation import comparable_in_task
from qeframe.core.resampling.parallel import Runner


def test_plain_lines_where_there_is_no_terminal(capsys, monkeypatch):
    monkeypatch.setattr(progress, "_INTERVAL", 0.02)
    for quiet in (False, True):
        with progress.working("drawing", quiet=quiet) as runner:
            runner.map(abs, [-1, -2])
            time.sleep(0.2)
        told = capsys.readouterr().err.splitlines()
        line = "qeframe: drawing, 0 s so far, 2 of 2 blocks of this step, about 0 s left of it"
        assert all(one == line for one in told)
        assert bool(told) is not quiet


def test_the_same_word_of_long_work_is_said_once(capsys):
    with progress.working("drawing") as runner:
        runner.on_notice("long")
        runner.on_notice("long")
    assert capsys.readouterr().err == "qeframe: long\n"


def test_what_is_computed_anew_is_told_before(monkeypatch):
    rng, said = np.random.default_rng(0), []
    gold = rng.normal(size=(5, 4))
    submissions = {name: rng.normal(size=(5, 4)).tolist() for name in "ABC"}
    monkeypatch.setattr(comparable_in_task, "_MANY", 90)
    for metric, unit in (("tau_b", "segment"), ("tau_b", "cell"), ("pairwise_accuracy", "system")):
        test = f"permutation(draws=30, unit={unit})"
        qeframe.compare(metric, gold.tolist(), submissions, test=test, runner=Runner(on_notice=said.append))
    line = (
        "tau_b is recomputed for 3 pairs x 30 exchanges, which may take long; an empty rule 'test' leaves the test out"
    )
    assert said == [line]


def test_the_time_left_is_that_of_the_estimate_or_of_the_step(monkeypatch):
    now = [100.0]
    monkeypatch.setattr(progress.time, "monotonic", lambda: now[0])
    with_estimate, without = progress._Lines("drawing", 500.0), progress._Lines("drawing")
    for lines in (with_estimate, without):
        assert lines.line(100.0) == "drawing, 0 s so far"
        now[0] = 104.0
        lines.watch(1, 5)
        now[0] = 108.0
        lines.watch(2, 5)
        now[0] = 100.0
    done = "drawing, 8 s so far, 2 of 5 blocks of this step"
    assert with_estimate.line(108.0) == f"{done}, about 492 s left"
    assert without.line(108.0) == f"{done}, about 12 s left of it"
    with_estimate.close()
    without.close()


def test_a_new_step_has_its_own_time_left(monkeypatch):
    now = [0.0]
    monkeypatch.setattr(progress.time, "monotonic", lambda: now[0])
    lines = progress._Lines("drawing")
    for total, each in ((3, 100.0), (3, 1.0)):
        for done in range(1, total):
            now[0] += each
            lines.watch(done, total)
    assert lines.line(now[0]).endswith("2 of 3 blocks of this step, about 1 s left of it")
    lines.close()
