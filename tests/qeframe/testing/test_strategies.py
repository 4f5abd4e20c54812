"""The strategies draw what their arguments ask for."""

import numpy as np
import pytest
from hypothesis import given, settings

from qeframe.kinds.registered import registered_kinds
from qeframe.testing import grids_batches, scores_batches, weights
from qeframe.testing.laws.law import drawn_from
from qeframe.testing.strategies import exchanges


@given(weights(4, most=2))
def test_weights(drawn):
    assert drawn.shape == (4,)
    assert 0 < drawn.max() <= 2
    assert drawn.min() >= 0


@given(exchanges(3, draws=5))
def test_exchanges(drawn):
    assert drawn.shape == (5, 3)
    assert set(np.unique(drawn)) <= {0, 1}


@settings(max_examples=15)
@given(scores_batches(min_units=3, max_units=4, ties=False, constant=False))
def test_scores_without_ties(batch):
    assert 3 <= len(batch) <= 4
    assert len(set(batch.gold)) == len(batch) == len(set(batch.predicted))


@settings(max_examples=45)
@given(grids_batches(systems=(2, 3), complete=True))
def test_complete_grids(batch):
    assert not np.isnan(batch.gold).any()
    assert 2 <= batch.systems <= 3


@pytest.mark.parametrize("kind", registered_kinds(), ids=lambda kind: kind.batch.__name__)
def test_submissions_of_a_kind_have_the_same_units(kind):
    @settings(max_examples=10)
    @given(drawn_from(kind, complete=True, submissions=3))
    def same_units(batches):
        assert len(batches) == 3
        assert all(isinstance(each, kind.batch) and np.array_equal(each.ids, batches[0].ids) for each in batches)

    same_units()
