import numpy as np
import pytest
from hypothesis import given

import qeframe
from qeframe.kinds.preferences.kind import preferences_batches
from qeframe.plugin import Preferences
from qeframe_preferences import position_bias, swap_consistency
from tests.plugins.qeframe_preferences import slow


def scored(metric, batch):
    return float(metric.bind(batch)(np.ones(len(batch))))


@given(preferences_batches())
def test_they_are_those_of_the_rules(batch):
    assert scored(swap_consistency, batch) == pytest.approx(slow.consistency(batch), abs=1e-12, nan_ok=True)
    assert scored(position_bias, batch) == pytest.approx(slow.position(batch), abs=1e-12, nan_ok=True)


@pytest.mark.parametrize(
    ("decisions", "consistency", "bias"),
    [
        (["A", "A"], 1, 0),
        (["A", "B"], 0, 1),
        (["B", "A"], 0, 1),
        (["tie", "tie"], 1, 0),
        (["A", "tie"], 0, 0.5),
        ([None, None], 0, 0),
        (["A"], np.nan, np.nan),
    ],
)
def test_one_pair(decisions, consistency, bias):
    batch = Preferences.from_plain(["A"], [decisions])
    assert scored(swap_consistency, batch) == pytest.approx(consistency, nan_ok=True)
    assert scored(position_bias, batch) == pytest.approx(bias, nan_ok=True)


def test_the_answer_that_is_shown_first_may_be_b():
    batch = Preferences.from_plain(["A"] * 3, [["A", "B"]] * 3, shown_first=[1, -1, 0])
    assert scored(position_bias, batch) == 0
    assert position_bias.details(batch) == {"pairs": 2, "for the first answer": 2, "for the second answer": 2}


def test_details_count_what_was_not_decided():
    details = swap_consistency.details(Preferences.from_plain(["A", "B", "B"], [["A", None], ["B", "A"], ["B", "-"]]))
    assert details == {"pairs in both orders": 2, "decisions not made": 1}


def test_the_gold_does_not_matter():
    answers = [["A", "B"], ["B", "B"]]
    for metric in ("swap_consistency", "position_bias"):
        scores = {
            qeframe.score(metric, Preferences.from_plain(gold, answers), None) for gold in (["A", "A"], ["B", "tie"])
        }
        assert len(scores) == 1
