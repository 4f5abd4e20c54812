"""The bias for one of two equally good answers, against plain Python and by hand."""

import math
import statistics

import attrs
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import qeframe
from qeframe.plugin import Preferences
from qeframe_preferences.equality import preference_bias


def batch_of(scores):
    scores = np.array(scores, dtype=float).reshape(-1, 2)
    batch = Preferences.from_plain([0] * len(scores), np.sign(scores[:, 0] - scores[:, 1]).astype(int).tolist())
    return attrs.evolve(batch, predicted=np.concatenate([batch.predicted[:, :2], scores], axis=1))


GRID = st.lists(st.tuples(st.integers(-3, 3), st.integers(-3, 3)), min_size=1, max_size=20)


@given(GRID, st.booleans())
def test_against_plain_python(scores, signed):
    batch = batch_of(scores)
    shares = (sum(a > b for a, b in scores) - sum(a < b for a, b in scores)) / len(scores)
    spread = statistics.pstdev([score for pair in scores for score in pair])
    means = statistics.fmean(a - b for a, b in scores) / spread if spread else math.nan
    for of, expected in (("decisions", shares), ("scores", means)):
        expected = expected if signed else abs(expected)
        assert qeframe.score(preference_bias(of=of, signed=signed), batch, None) == pytest.approx(
            expected, nan_ok=True, abs=1e-12
        )


def test_a_constant_has_no_bias_in_decisions_and_none_in_scores():
    batch = batch_of([[2, 2], [2, 2]])
    assert qeframe.score(preference_bias(), batch, None) == 0
    assert math.isnan(qeframe.score(preference_bias(of="scores"), batch, None))


def test_the_sides_are_exchanged_with_the_sign():
    batch, other = batch_of([[1, 0], [3, 1], [0, 1]]), batch_of([[0, 1], [1, 3], [1, 0]])
    metric = preference_bias(of="scores", signed=True)
    assert qeframe.score(metric, batch, None) == -qeframe.score(metric, other, None) > 0


def test_details_tell_the_shares():
    details = preference_bias().details(batch_of([[1, 0], [3, 1], [0, 1], [1, 1]]))
    assert {name: details[name] for name in ("pairs", "prefers A", "prefers B", "tied")} == {
        "pairs": 4,
        "prefers A": 0.5,
        "prefers B": 0.25,
        "tied": 0.25,
    }
