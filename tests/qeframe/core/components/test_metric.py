"""Metrics and tie policies check what they declare; scores of single units and groups."""

import attrs
import numpy as np
import pytest

from qeframe.core.components.metric import CLAIMS, Metric, TiePolicy, group_scores, segment_scores
from qeframe.core.errors import DataError
from qeframe.kinds.scores.batch import Scores
from tests.qeframe.core.components.made_plugins import failure, share_equal


def test_a_tie_policy_needs_nine_cells():
    assert "3 x 3" in failure(DataError, TiePolicy, name="x", summary="", table=((1, 0), (0, 1)))


def test_a_claim_without_a_law_is_refused():
    line = failure(DataError, attrs.evolve, share_equal(), claims=("honest",))
    assert line == f"there is no law for the claim 'honest'; the claims are {', '.join(CLAIMS)}"


@pytest.mark.parametrize(
    "bounds", [(0.0, 0.0), (1.0, 0.0), (np.nan, 1.0), (0.0,), (0.0, 1.0, 2.0), "01", ("a", "b"), None]
)
def test_bounds_are_two_numbers_of_which_the_first_is_smaller(bounds):
    line = failure(DataError, attrs.evolve, share_equal(), bounds=bounds)
    assert line.startswith("metric 'share_equal': bounds are ")
    assert line.endswith("; give two numbers, the smaller one first")


@pytest.mark.parametrize("key", ["formula", "symbols"])
def test_a_formula_and_its_symbols_are_texts(key):
    line = failure(DataError, attrs.evolve, share_equal(), **{key: 1})
    assert line == f"metric 'share_equal': {key} is int 1, not a text"
    assert getattr(attrs.evolve(share_equal(), **{key: "x"}), key) == "x"


def test_a_single_word_is_one_claim():
    assert attrs.evolve(share_equal(), claims="monotone").claims == {"monotone"}


def test_scores_of_single_units_and_of_groups(registry):
    batch = Scores.from_plain([1.0, 2.0, 3.0, 4.0], [1.0, 0.0, 3.0, 3.0])
    assert segment_scores(share_equal(), batch).tolist() == [1, 0, 1, 0]
    assert group_scores(share_equal(), batch, ["b", "a", "b", "a"]).tolist() == [1, 0]
    assert group_scores(registry.get(Metric, "mae"), batch, ["b", "a", "b", "a"]).tolist() == [0, 1.5]


def test_scores_of_single_units_of_a_metric_without_rows(registry):
    batch = Scores.from_plain([1.0, 2.0, 3.0], [1.0, 0.0, 3.0])
    alone = segment_scores(registry.get(Metric, "spearman"), batch)
    assert np.isnan(alone).all()
    assert segment_scores(registry.get(Metric, "spearman"), batch.take(np.array([], dtype=np.int64))).shape == (0,)
