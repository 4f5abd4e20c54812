"""What is said before long work."""

import pytest

import qeframe
from qeframe.execution.announced import announcement, duration, rules_with_draws
from qeframe.execution.estimates import Estimate, Step


@pytest.mark.parametrize(
    ("seconds", "words"),
    [(0.04, "0.0 s"), (1.23, "1.2 s"), (45.6, "46 s"), (150, "2 min"), (2e4, "5.6 h"), (1e6, "12 days")],
)
def test_durations_in_words(seconds, words):
    assert duration(seconds) == words


def test_work_that_is_expected_to_be_short_is_not_probed(monkeypatch):
    monkeypatch.setattr("qeframe.execution.announced.estimate", lambda *_: pytest.fail("it is probed"))
    assert announcement(lambda **_: None, [], []) is None


def test_long_work_is_announced_and_what_fails_is_left_to_the_work(monkeypatch):
    monkeypatch.setattr("qeframe.execution.announced.expected_seconds", lambda *_: 31.0)
    monkeypatch.setattr("qeframe.execution.announced.processors", lambda: 1)
    estimated = Estimate((Step("draws", 10, 2, 92.0),), 7.9, 321.0, True)
    monkeypatch.setattr("qeframe.execution.announced.estimate", lambda *_: estimated)
    said = announcement(lambda **_: None, [], [], more=lambda _: 100.0)
    assert said.text == "this takes about 100 s, up to 3 min where p is near alpha, and 321 MB"
    assert said.seconds == pytest.approx(99.9)
    monkeypatch.setattr("qeframe.execution.announced.estimate", lambda *_: 1 / 0)
    assert announcement(lambda **_: None, [], []) is None


def test_rules_with_draws():
    profile = qeframe.choose_profile("qe_sentence", ["test=permutation(draws=3000)", "interval=", "correction=holm"])
    assert rules_with_draws(profile) == ["test=permutation(draws=3000)"]
