import numpy as np
import pytest

from qeframe.kinds.scores.batch import Scores, Values
from qeframe.testing.laws.metric import score
from qeframe.testing.laws.probes import correlation, giant, mean


def test_the_probes_are_a_mean_and_a_correlation():
    gold, predicted = [1.0, 2.0, 4.0], [0.0, 2.0, 1.0]
    assert score(mean, Values.from_plain(None, predicted)) == 1.0
    assert score(correlation, Scores.from_plain(gold, predicted)) == pytest.approx(np.corrcoef(gold, predicted)[0, 1])
    assert np.isnan(score(correlation, Scores.from_plain(gold, [1.0, 1.0, 1.0])))


def test_a_giant_submission_has_the_gold_of_the_other():
    batch = Scores.from_plain([1.0, 2.0], [3.0, 4.0])
    assert giant(batch).gold.tolist() == [1.0, 2.0]
    assert giant(batch).predicted.min() > 1e13
    assert type(giant(Values.from_plain(None, [1.0]))) is Values
