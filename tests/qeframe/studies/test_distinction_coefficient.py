"""The system distinction coefficient of Logacheva et al. (2016)."""

import math

import numpy as np
import pytest

from qeframe.core.errors import DataError
from qeframe.studies.distinction_coefficient import distinction_coefficient

P = np.array([[1, 0.9, 0.001, 0.0001], [0.9, 1, 0.02, 0.001], [0.001, 0.02, 1, 0.004], [0.0001, 0.001, 0.004, 1]])


def same(a, b):
    return a == b or (math.isnan(a) and math.isnan(b))


def test_golden_cases(golden):
    cases = [case for case in golden if case["function"] == "distinction"]
    assert len(cases) == 2
    for case in cases:
        found = distinction_coefficient(case["input"]["scores"], case["input"]["p"])
        for key, value in case["expected"]["value"].items():
            assert same(getattr(found, key), float(value)), key


def test_alpha_is_divided_by_the_pairs_that_are_looked_at():
    found = distinction_coefficient([4, 3, 2, 1], P)
    assert found.d == pytest.approx(4 / 6)
    assert (found.d_top, found.d_bottom) == (0.0, 1.0)


def test_order_of_submissions_is_irrelevant():
    order = [2, 0, 3, 1]
    assert distinction_coefficient(np.array([4, 3, 2, 1])[order], P[np.ix_(order, order)]) == distinction_coefficient(
        [4, 3, 2, 1], P
    )


def test_submissions_without_a_score_and_pairs_that_were_not_tested_do_not_count():
    scores, p = np.append([4.0, 3.0, 2.0, 1.0], np.nan), np.pad(P, (0, 1), constant_values=np.nan)
    assert distinction_coefficient(scores, p) == distinction_coefficient([4, 3, 2, 1], P)
    first, second = [0, 1], [1, 0]
    untested = P.copy()
    untested[first, second] = np.nan
    found = distinction_coefficient([4, 3, 2, 1], untested)
    assert found.d == pytest.approx(4 / 5)
    assert math.isnan(found.d_top)
    assert math.isnan(distinction_coefficient([np.nan, np.nan], [[1.0, np.nan], [np.nan, 1.0]]).d)


def test_odd_number_puts_the_middle_into_the_worse_half():
    found = distinction_coefficient([3, 2, 1], [[1, 0.9, 0.001], [0.9, 1, 0.02], [0.001, 0.02, 1]])
    assert math.isnan(found.d_top)
    assert found.d_bottom == 1.0


def test_one_submission_has_no_pair():
    assert math.isnan(distinction_coefficient([1.0], [[1.0]]).d)


def test_shapes_must_fit():
    with pytest.raises(DataError, match="2 scores need p-values of shape"):
        distinction_coefficient([1, 2], [[1.0]])
