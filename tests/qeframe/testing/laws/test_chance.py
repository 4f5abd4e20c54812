import numpy as np
import pytest

import qeframe
from qeframe.core.components.metric import Metric
from qeframe.kinds.scores.batch import Scores
from qeframe.testing import expected_oriented_score, honest_chance, kind_of
from qeframe.testing.laws.claim import oriented

MAE = qeframe.load().get(Metric, "mae")
BATCH = Scores.from_plain([0.0, 1.0, 5.0], [0.0, 1.0, 2.0])


def test_low_is_turned_round():
    assert oriented(MAE, BATCH) == -1.0


def test_chance_is_the_mean_over_all_ways_to_give_the_answers():
    pairs = np.abs(np.subtract.outer(BATCH.gold, BATCH.gold)).mean()
    assert honest_chance(MAE, kind_of(Scores), BATCH) == pytest.approx(-pairs)
    answers = np.abs(np.subtract.outer(BATCH.gold, BATCH.predicted)).mean()
    assert expected_oriented_score(MAE, kind_of(Scores), BATCH, BATCH.predicted) == pytest.approx(-answers)


def test_undefined_scores_do_not_count():
    constant = Scores.from_plain([1.0, 2.0], [3.0, 3.0])
    pearson = qeframe.load().get(Metric, "pearson")
    assert np.isnan(expected_oriented_score(pearson, kind_of(Scores), constant, constant.predicted))
