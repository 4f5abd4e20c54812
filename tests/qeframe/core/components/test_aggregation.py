"""An aggregation states how its parts are weighed; by default all alike, over tasks."""

import numpy as np

from qeframe.core.components.aggregation import Aggregation


def test_an_aggregation_is_over_tasks_with_equal_weights_by_default():
    first = Aggregation(name="first", summary="", aggregate=lambda scores, weights, higher: scores[..., 0])
    assert (first.by, first.pools, first.exclude, first.weighting, first.interval) == ("", False, (), "equal", "joint")
    assert first.linear
    assert first.higher_is_better is None
    assert first.aggregate(np.array([[1.0, 2.0], [3.0, 4.0]]), np.ones(2), True).tolist() == [1, 3]
