"""Mean errors under weights, against scikit-learn."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.metrics import mean_absolute_error, root_mean_squared_error

import qeframe
from qeframe.core.components.metric import Metric
from qeframe.kinds.scores.batch import Scores
from qeframe.plugin import Values
from qeframe.testing import scores_batches, weights
from qeframe_scoring.mean_errors import mean_rating

REGISTRY = qeframe.load()


@given(scores_batches(), st.data())
def test_weighted_errors_against_scikit_learn(batch: Scores, data: st.DataObject) -> None:
    weight = data.draw(weights(len(batch)))
    for name, peer in (("mae", mean_absolute_error), ("rmse", root_mean_squared_error)):
        expected = peer(batch.gold, batch.predicted, sample_weight=weight)
        found = float(REGISTRY.get(Metric, name).bind(batch)(weight.astype(float)))
        assert found == pytest.approx(expected, abs=1e-12), name


def test_units_without_a_rating_are_left_out():
    batch = Values.pair(ids=np.arange(4), gold=None, predicted=np.array([80.0, np.nan, 60.0, 70.0]), best="high")
    statistic = mean_rating.bind(batch)
    assert statistic(np.ones(4)) == 70.0
    assert statistic(np.array([[2.0, 5.0, 0.0, 0.0], [0.0, 1.0, 0.0, 0.0]])).tolist()[0] == 80.0
    assert np.isnan(statistic(np.array([0.0, 1.0, 0.0, 0.0])))
