"""Tests and corrections are values; without a statement a test has both sides and no bound on p."""

import numpy as np

from qeframe.core.components.comparable import Pairwise
from qeframe.core.components.significance import Correction, SignificanceTest


def test_a_test_has_both_sides_and_no_bound_by_default():
    test = SignificanceTest(name="coin", summary="", needs="bind", run=lambda comparable, sided: Pairwise(p=np.ones(1)))
    assert (test.sides, test.interval, test.least_p) == ({"one", "two"}, None, 0)


def test_sides_may_be_any_collection():
    test = SignificanceTest(name="coin", summary="", needs="bind", run=lambda *_: None, sides=["one"])
    assert test.sides == frozenset({"one"})
    assert hash(test) == hash(test)


def test_a_correction_adjusts_p():
    assert Correction(name="double", summary="", adjust=lambda p: 2 * p).adjust(np.array([0.25])) == 0.5
