"""The estimate before a long run: whatever becomes of it, the run is the same."""

import itertools

import numpy as np
import pytest

from qeframe.execution import estimates
from tests.fuzz.verdicts import outcome_of


@pytest.fixture
def run(write_task, monkeypatch):
    """Write a task of two language pairs; return a function that runs it, with an estimate unless it is quiet."""
    monkeypatch.setattr("qeframe.execution.announced.expected_seconds", lambda *_: 1e9)
    rng = np.random.default_rng(5)
    for pair in ("en-de", "en-cs"):
        gold = rng.normal(size=20)
        answers = {f"s{n}": np.round(gold + rng.normal(size=20), 3) for n in range(4)}
        write_task(f"t/{pair}", np.round(gold, 3), answers)
    return lambda *options: outcome_of(["run", "qe_sentence", "t", "--json", *options])


def test_a_probe_that_ends_early_is_no_failure(run, monkeypatch):
    whole = run("--quiet")
    assert (whole.status, whole.err) == (0, "")
    incomplete = 0
    for limit in (0, 1, 99):  # the probe ends at its first step, at its second, not at all
        ticks = itertools.count()
        monkeypatch.setattr(estimates, "_used", lambda ticks=ticks: float(next(ticks)))
        monkeypatch.setattr("qeframe.execution.announced._PATIENCE", limit)
        probed = run()
        assert (probed.status, probed.out) == (0, whole.out), probed.err
        incomplete += "more than" in probed.err
    assert incomplete == 2


@pytest.mark.parametrize("error", [TypeError("odd"), OSError("full"), MemoryError(), SystemExit(3)])
def test_an_estimate_that_fails_is_not_shown(run, monkeypatch, error):
    whole = run()

    def fail(*_arguments):
        raise error

    monkeypatch.setattr(estimates.Probe, "_drawn", fail)
    monkeypatch.setattr(estimates.Probe, "_other", fail)
    assert run() == whole


def test_the_limit_is_processor_time(run, monkeypatch):
    seconds = itertools.count(step=1000)
    monkeypatch.setattr(estimates, "_now", lambda: float(next(seconds)))
    assert "more than" not in run().err
