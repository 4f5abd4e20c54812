"""The probe metrics of kinds of numbers, against numpy."""

import numpy as np
import pytest

from qeframe.kinds.registered import kind_of
from qeframe.kinds.scores.batch import Scores, Values
from qeframe.testing.laws.metric import score


def test_the_probes_are_a_mean_and_a_correlation():
    mean, correlation = (kind_of(kind).probe for kind in (Values, Scores))
    gold, predicted = [1.0, 2.0, 4.0], [0.0, 2.0, 1.0]
    assert score(mean, Values.from_plain(None, predicted)) == 1.0
    assert score(correlation, Scores.from_plain(gold, predicted)) == pytest.approx(np.corrcoef(gold, predicted)[0, 1])
    assert np.isnan(score(correlation, Scores.from_plain(gold, [1.0, 1.0, 1.0])))
