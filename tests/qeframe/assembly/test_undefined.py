"""What is undefined is said: scores, draws, classes, and numbers that differ by rounding alone."""

import numpy as np
import pytest

import qeframe
from qeframe import Submission, Task
from qeframe.core.comparison import undefined_details
from qeframe.core.errors import ResultWarning
from qeframe.plugin import Scores
from qeframe.report.tables.leaderboard import leaderboard


def rare(others):
    """Return a gold and answers that are constant but for a few units."""
    gold, answers = np.arange(12.0), np.zeros(12)
    answers[:others] = np.arange(1, others + 1)
    return gold, answers


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize(("others", "kept"), [(1, False), (3, True)])
def test_draws_that_are_undefined_are_counted_and_many_leave_no_interval(others, kept):
    gold, answers = rare(others)
    batches = {Submission("a"): Scores.from_plain(gold, answers), Submission("b"): Scores.from_plain(gold, -gold)}
    settings = ["interval=bootstrap(draws=500)", "test="]
    found = qeframe.evaluate("qe_sentence", Task(name="t", batches=batches), settings=settings)
    (result,) = (s.scores["pearson"] for s in found.submissions if s.name == "a")
    undefined = result.details["undefined_draws"]
    assert (undefined <= 25) == kept
    assert np.isnan([result.low, result.high]).all() == (not kept)
    words = f"pearson is undefined in some draws, which do not count for its intervals: a {undefined} draw"
    assert any(text.startswith(words) for text in found.warnings)
    if not kept:
        assert result.details["no_interval"] == f"the score is undefined in {undefined} of 500 draws"
        why = f"for a: the score is undefined in {undefined} of 500 draws"
        assert any(text.startswith("no interval of pearson") and why in text for text in found.warnings)
        assert any("undefined in" in note for note in leaderboard(found).notes)
    alone = qeframe.score("pearson", gold, answers, interval="bootstrap(draws=500)")
    assert np.isnan(alone.low) == (not kept)


def test_more_than_one_in_twenty_undefined_draws_leave_no_interval():
    assert undefined_details(0.5, 25, 500) == {"undefined_draws": 25}
    assert "no_interval" in undefined_details(0.5, 26, 500)


@pytest.mark.parametrize("metric", ["pearson", "spearman", "kendall_tau_b"])
def test_numbers_that_differ_by_rounding_alone_are_constant(metric):
    gold, level = np.arange(10.0), np.full(10, 0.3)
    level[3] = 0.1 + 0.2
    assert np.isnan(qeframe.score(metric, gold, level))
    assert np.isnan(qeframe.score(metric, level, gold))
    assert np.isnan(qeframe.score(metric, gold, 1e-200 * level))
    level[3] += 1e-11
    assert not np.isnan(qeframe.score(metric, gold, level))


def test_mcc_on_a_gold_of_one_class_is_0_by_convention_and_says_so():
    gold = [["OK", "OK", "OK"], ["OK", "OK"]]
    with pytest.warns(ResultWarning, match="the gold has no tag BAD: scores of such a class are 0, and so is MCC, by"):
        qeframe.score("mcc", gold, [["OK", "OK", "BAD"], ["OK", "OK"]], interval="jackknife")
