"""Accuracies: against the rule pair by pair, on cases by hand, and with wrong parameters."""

import numpy as np
import pytest
from hypothesis import given

import qeframe
from qeframe.core.errors import DataError
from qeframe.kinds.preferences.kind import preferences_batches
from qeframe.plugin import Preferences
from qeframe_preferences import judgebench_accuracy, preference_accuracy
from tests.plugins.qeframe_preferences import slow


def scored(metric, batch):
    return float(metric.bind(batch)(np.ones(len(batch))))


@given(preferences_batches())
def test_accuracies_are_those_of_the_rules(batch):
    assert scored(judgebench_accuracy, batch) == pytest.approx(slow.judgebench(batch), abs=1e-12)
    for ties in (0.0, 0.5, 1.0):
        assert scored(preference_accuracy(ties=ties), batch) == pytest.approx(slow.accuracy(batch, ties), abs=1e-12)


@given(preferences_batches())
def test_the_score_is_the_mean_of_the_pairs(batch):
    for metric in (judgebench_accuracy, preference_accuracy(ties=0.5)):
        assert scored(metric, batch) == pytest.approx(metric.per_unit(batch).mean(), abs=1e-12)


@pytest.mark.parametrize(
    ("gold", "decisions", "right"),
    [
        ("A", ["A", "A"], 1),
        ("A", ["A", "tie"], 1),
        ("A", ["A", None], 1),
        ("A", ["A", "B"], 0),
        ("A", ["tie", "tie"], 0),
        ("A", ["tie", None], 0),
        ("A", ["B", "B"], 0),
        ("B", ["B"], 1),
        ("tie", ["tie", "A"], 1),
        ("tie", ["A", "B"], 0),
    ],
)
def test_the_rule_of_judgebench(gold, decisions, right):
    assert scored(judgebench_accuracy, Preferences.from_plain([gold], [decisions])) == right


def test_scores_of_reward_models():
    batch = Preferences.from_plain(["A"] * 4, ["A", "A", "tie", "B"])
    assert qeframe.score("preference_accuracy", batch, None) == 0.5
    assert qeframe.score("preference_accuracy(ties=0.5)", batch, None) == 0.625


def test_nothing_is_undefined():
    assert np.isnan(scored(judgebench_accuracy, Preferences.from_plain([], [])))


@pytest.mark.parametrize("metric", ["preference_accuracy", "section_accuracy"])
@pytest.mark.parametrize("ties", [-0.1, 1.5])
def test_a_credit_is_a_share(metric, ties):
    with pytest.raises(DataError, match=f"{metric}: ties = .* must be from 0 to 1"):
        qeframe.score(f"{metric}(ties={ties})", ["A"], ["A"])
