"""The weights of parts: stated, counted by language pairs, divided level by level."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from qeframe.core.errors import DataError
from qeframe.task_sets.weights import divided_weights, stated_weights


def test_weights_of_wmt23():
    """The pooled accuracy weighs as much as there are language pairs."""
    weights = stated_weights(["pairs", *[1.0] * 6], [2, *[1] * 6])
    assert weights.tolist() == [0.25, *[0.125] * 6]


def test_weights_that_sum_to_0():
    with pytest.raises(DataError, match="sum to 0"):
        stated_weights([0.0, 0.0], [1, 1])


def test_the_weight_is_divided_level_by_level():
    labels = [{"pair": "a", "metric": "x"}, {"pair": "a", "metric": "y"}, {"pair": "b", "metric": "x"}]
    assert divided_weights(labels, ["pair", "metric"]).tolist() == [0.25, 0.25, 0.5]
    assert divided_weights(labels, ["metric", "pair"]).tolist() == [0.25, 0.5, 0.25]
    assert divided_weights(labels, ["pair", "unknown"]).tolist() == [0.25, 0.25, 0.5]


def slow(labels, levels):
    """The share of one part, multiplied from its own path."""
    shares = []
    for own in labels:
        share, alike = 1.0, labels
        for level in levels:
            share /= len({other.get(level, "") for other in alike})
            alike = [other for other in alike if other.get(level, "") == own.get(level, "")]
        shares.append(share / len(alike))
    return shares


@given(st.lists(st.fixed_dictionaries({"a": st.sampled_from("xy"), "b": st.sampled_from("xyz")}), min_size=1))
def test_division_is_the_product_along_the_path(labels):
    weights = divided_weights(labels, ["a", "b"])
    assert np.allclose(weights, slow(labels, ["a", "b"]))
    assert weights.sum() == pytest.approx(1.0)
