import itertools

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from qeframe.core.resampling.rounding import without_rounding
from qeframe.report.layouts.number_format import decimals_for

NEAR = st.one_of(
    st.sampled_from([0.0, 1.0, -1.0, 0.5, 1e-17, 3e9, np.nan, np.inf, -np.inf]), st.floats(-2, 2, allow_nan=False)
)


@given(st.lists(st.tuples(NEAR, st.integers(-4, 4)), max_size=8))
def test_scores_that_differ_by_rounding_become_equal(drawn: list[tuple[float, int]]) -> None:
    scores = np.array([value + 3e-13 * steps * max(1.0, abs(value)) for value, steps in drawn])
    expected = scores.copy()  # slow oracle: join neighbors down the sorted scores
    order = sorted((i for i in range(len(scores)) if not np.isnan(scores[i])), key=lambda i: -scores[i])
    for above, below in itertools.pairwise(order):
        if np.isfinite(scores[[above, below]]).all() and scores[above] - scores[below] <= 1e-12 * max(
            1.0, abs(scores[above]), abs(scores[below])
        ):
            expected[below] = expected[above]
    found = without_rounding(scores)
    assert np.array_equal(found, expected, equal_nan=True)
    assert np.array_equal(without_rounding(found), found, equal_nan=True)
    assert np.array_equal(without_rounding(np.stack([scores, scores])), np.stack([found, found]), equal_nan=True)


@given(st.floats(-1e12, 1e12), st.floats(-1e12, 1e12))
def test_scores_that_tables_can_tell_apart_stay_apart(first: float, second: float) -> None:
    decimals = decimals_for([first, second])
    unit = 10.0**-decimals if max(abs(first), abs(second)) < 1e7 else 1e-3 * max(abs(first), abs(second))
    equal = np.ptp(without_rounding(np.array([first, second]))) == 0
    assert not (equal and abs(first - second) > unit / 1e5)
