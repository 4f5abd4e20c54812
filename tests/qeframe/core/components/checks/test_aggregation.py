"""What an aggregation returns: the values that pass; tests/hostile has those that do not."""

import numpy as np

from qeframe.core.components.aggregation import Aggregation
from qeframe.core.components.checks.aggregation import aggregate


def test_the_aggregate_of_every_draw_passes(registry):
    scores = np.arange(12.0).reshape(2, 3, 2)
    mean = registry.get(Aggregation, "macro")
    assert aggregate(mean, scores, np.ones(2), True).tolist() == scores.mean(axis=-1).tolist()
    scores[0] = 0
    assert scores[0].tolist() == [[0, 0]] * 3
