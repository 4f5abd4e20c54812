"""Pairs of spans that overlap, found for all segments at once, and those that a best matching may need."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from qeframe.kinds.spans import Spans
from qeframe_tagging.spans import overlaps
from qeframe_tagging.spans.overlaps import Credit, find_overlaps, rises, times, without_dominated
from tests.plugins.qeframe_tagging.spans.test_matching import drawn


@pytest.mark.parametrize("at_once", [1, 2**20])
@given(seed=st.integers(0, 10_000))
def test_every_overlap_is_found_once(at_once, seed):
    gold, predicted = drawn(np.random.default_rng(seed), 4, 5, 10)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(overlaps, "_CANDIDATES_AT_ONCE", at_once)
        found = find_overlaps(Spans.from_plain(gold, predicted), Credit())
    expected, first = [], [0, 0]
    for segment, (truth, said) in enumerate(zip(gold, predicted, strict=True)):
        for i, p in enumerate(said):
            for j, g in enumerate(truth):
                common = min(g[1], p[1]) - max(g[0], p[0])
                if common > 0:
                    expected.append(
                        (segment, first[0] + j, first[1] + i, common / (p[1] - p[0]), common / (g[1] - g[0]))
                    )
        first = [first[0] + len(truth), first[1] + len(said)]
    columns = (found.segment, found.gold, found.predicted, found.precision, found.recall)
    assert list(zip(*(column.tolist() for column in columns), strict=True)) == expected


def test_pairs_that_earn_nothing_are_left_out():
    batch = Spans.from_plain([[(0, 4, "minor")]], [[(0, 4, "major"), (0, 3, "minor")]])
    assert len(find_overlaps(batch, Credit(severity_penalty=1.0))) == 1
    assert len(find_overlaps(batch, Credit("exact"))) == 1
    assert len(find_overlaps(batch, Credit())) == 2


def test_a_span_that_another_one_exceeds_is_not_needed():
    batch = Spans.from_plain([[(0, 10, 0)]], [[(0, 4, 0), (0, 5, 0), (8, 20, 0), (9, 10, 0)]])
    pairs = find_overlaps(batch, Credit())
    assert without_dominated(pairs).tolist() == [1]
    assert times(pairs.gold).tolist() == [4, 4, 4, 4]


def test_values_rise_within_their_groups():
    assert rises(np.array([0, 0, 0, 1, 1]), np.array([0.2, 0.2, 0.5, 0.1, 0.3])).tolist() == [
        True,
        False,
        True,
        True,
        True,
    ]
    assert rises(np.empty(0, np.int64), np.empty(0)).tolist() == []
