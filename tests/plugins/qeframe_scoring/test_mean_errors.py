"""Mean errors under weights, against scikit-learn."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.metrics import mean_absolute_error, root_mean_squared_error

import qeframe
from qeframe.core.components.metric import Metric
from qeframe.kinds.scores.batch import Scores
from qeframe.testing import scores_batches, weights

REGISTRY = qeframe.load()


@given(scores_batches(), st.data())
def test_weighted_errors_against_scikit_learn(batch: Scores, data: st.DataObject) -> None:
    weight = data.draw(weights(len(batch)))
    for name, peer in (("mae", mean_absolute_error), ("rmse", root_mean_squared_error)):
        expected = peer(batch.gold, batch.predicted, sample_weight=weight)
        found = float(REGISTRY.get(Metric, name).bind(batch)(weight.astype(float)))
        assert found == pytest.approx(expected, abs=1e-12), name
