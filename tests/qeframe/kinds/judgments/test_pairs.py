"""Pairs of systems from rankings and from assessments, against loops over the definition."""

from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from qeframe.core.errors import DataError
from qeframe.kinds.judgments.batch import relations
from qeframe.kinds.judgments.pairs import pairs_from_ranks, pairs_from_scores, pairs_of_rankings


@settings(max_examples=25)
@given(arrays(np.int64, st.tuples(st.integers(0, 4), st.integers(1, 5)), elements=st.sampled_from([-1, 1, 2, 3])))
def test_many_rankings_are_single_rankings_one_by_one(ranks):
    systems = np.tile(np.arange(ranks.shape[1]), (len(ranks), 1))
    pairs = pairs_of_rankings(ranks, systems)
    expected = [
        (row, int(a), int(b), int(relations(relation)[0]))
        for row, values in enumerate(ranks.tolist())
        for a, b, relation in pairs_from_ranks({str(i): rank for i, rank in enumerate(values)})
    ]
    found = zip(pairs.source.tolist(), pairs.left.tolist(), pairs.right.tolist(), pairs.human.tolist(), strict=True)
    assert sorted(found) == sorted(expected)


def test_systems_that_are_left_out_are_in_no_pair():
    pairs = pairs_of_rankings([[1, 2, 3]], [[4, -1, 7]])
    assert (pairs.left.tolist(), pairs.right.tolist(), pairs.human.tolist()) == ([4], [7], [1])


@given(arrays(np.float64, (3, 4), elements=st.sampled_from([0.0, 10.0, 25.0, 50.0, np.nan])), st.booleans())
def test_assessments_that_differ_enough(scores, strict):
    pairs = pairs_from_scores(scores, strict=strict)
    expected = {
        (row, a, b, 1 if values[a] > values[b] else -1)
        for row, values in enumerate(scores.tolist())
        for a, b in combinations(range(4), 2)
        if abs(values[a] - values[b]) > 25 or (not strict and abs(values[a] - values[b]) == 25)
    }
    found = zip(pairs.source.tolist(), pairs.left.tolist(), pairs.right.tolist(), pairs.human.tolist(), strict=True)
    assert set(found) == expected


def test_threshold_0_has_no_ties():
    assert len(pairs_from_scores([[1.0, 1.0, 2.0]], threshold=0).human) == 2


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: pairs_of_rankings([[1, 2]], [[1]]), "length mismatch: ranks of shape"),
        (lambda: pairs_of_rankings([[0, 2]], [[1, 2]]), "a rank is below 1; ranks count from 1"),
        (lambda: pairs_from_scores([1.0, 2.0]), "assessments must be segments x systems, not of 1 dimensions"),
        (lambda: pairs_from_ranks({"A": 0}), "0 is no rank of 'A'; ranks count from 1"),
    ],
)
def test_what_is_refused(make, message):
    with pytest.raises(DataError) as caught:
        make()
    assert str(caught.value).startswith(message)
