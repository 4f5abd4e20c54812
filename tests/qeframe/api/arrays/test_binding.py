"""Submissions that are given as arrays are bound to a metric, if they answer the same units."""

import numpy as np
import pytest

from qeframe.api.arrays.binding import bind_submissions, check_groups
from qeframe.core.components.metric import Metric
from qeframe.core.errors import DataError
from qeframe.kinds.scores.batch import Scores

GOLD = np.array([0.1, 0.4, 0.3, 0.9])


def test_scores_are_those_of_the_metric_alone(registry):
    mae = registry.get(Metric, "mae")
    answers = {"A": GOLD + 0.5, "B": Scores.from_plain(GOLD, GOLD)}
    assert bind_submissions(mae, GOLD, answers).oriented == pytest.approx([-0.5, 0.0])


@pytest.mark.parametrize(
    ("answers", "said"),
    [
        ({"A": GOLD}, "1 submission cannot be compared; give at least two"),
        ({"A": GOLD, "B": Scores.from_plain(GOLD[:2], GOLD[:2])}, "'B' has 2 units, 'A' has 4; all submissions answer"),
        ({"A": GOLD, "B": GOLD[:2]}, "submission 'B': "),
    ],
)
def test_what_cannot_be_compared(registry, answers, said):
    with pytest.raises(DataError) as caught:
        bind_submissions(registry.get(Metric, "mae"), GOLD, answers)
    assert said in str(caught.value)


def test_groups_are_those_of_the_units():
    check_groups(["a", "a", "b"], 3)
    for groups, said in ((["a"], "'groups' has 1 label for 3 units"), (["a"] * 3, "'groups' has a single group")):
        with pytest.raises(DataError, match=said):
            check_groups(groups, 3)
