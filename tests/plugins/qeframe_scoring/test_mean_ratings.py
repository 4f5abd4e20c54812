"""The mean of the ratings that there are."""

import numpy as np

from qeframe.plugin import Values
from qeframe_scoring.mean_ratings import mean_rating


def test_units_without_a_rating_are_left_out():
    batch = Values.pair(ids=np.arange(4), gold=None, predicted=np.array([80.0, np.nan, 60.0, 70.0]), best="high")
    statistic = mean_rating.bind(batch)
    assert statistic(np.ones(4)) == 70.0
    assert statistic(np.array([[2.0, 5.0, 0.0, 0.0], [0.0, 1.0, 0.0, 0.0]])).tolist()[0] == 80.0
    assert np.isnan(statistic(np.array([0.0, 1.0, 0.0, 0.0])))
