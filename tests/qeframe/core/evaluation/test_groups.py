"""Groups of units: labels by name, and scores of groups combined."""

import numpy as np
import pytest

from qeframe.core.components.aggregation import Aggregation
from qeframe.core.components.loading.loader import load
from qeframe.core.components.metric import Metric
from qeframe.core.errors import DataError
from qeframe.core.evaluation.groups import bind_within, combine_groups, labels_of
from qeframe.kinds.scores.batch import Scores


def test_labels_of_a_grouping():
    assert labels_of({"document": ("a", "b")}, "document", "segment") == ("a", "b")
    with pytest.raises(DataError, match="no grouping 'x' of the units; choose one of: segment, document"):
        labels_of({"document": ("a", "b")}, "x", "segment")


def test_groups_are_scored_and_combined():
    registry = load()
    metric, macro = registry.get(Metric, "mae"), registry.get(Aggregation, "macro")
    batch = Scores.from_plain([0.0, 0, 0, 0], [1, 3, 5, 5])
    members = (np.array([0, 1]), np.array([2, 3]))

    def combine(scores, weights):
        return combine_groups(macro, False, scores, weights)

    assert bind_within(metric.bind, members, combine, batch)(np.ones(4)) == pytest.approx(3.5)
