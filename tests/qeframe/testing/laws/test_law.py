import numpy as np
import pytest
from hypothesis import strategies as st

from qeframe.core.components.component import Component
from qeframe.testing.laws.law import BreachError, Law, agree, search

ONE = Component(name="one", summary="")


def law(holds, **more):
    return Law(
        name="small", states="", examples=lambda component, kind: st.tuples(st.integers(0, 99)), holds=holds, **more
    )


def at_most_five(component, kind, number):
    if number > 5:
        raise BreachError(f"{number} is large", number=number)


def test_the_smallest_example_is_found():
    found = search(law(at_most_five, exploit="Count on."), ONE, None, tries=50).found
    assert (found.what, found.values, found.exploit) == ("6 is large", {"number": 6}, "Count on.")


def test_a_law_that_is_kept_has_as_many_tries():
    assert search(law(lambda component, kind, number: None), ONE, None, tries=50).tries == 50


def test_an_error_of_the_component_has_a_place_and_no_exploit():
    def failing(component, kind, number):
        raise ValueError("no")

    found = search(law(failing, exploit="Count on."), ONE, None, tries=5).found
    assert found.what.startswith("ValueError: no (in failing, line ")
    assert found.exploit == ""


def test_agreement_is_up_to_rounding():
    agree([1.0, np.nan], [1.0 + 1e-12, np.nan], "the score")
    with pytest.raises(AssertionError, match=r"the score: shape \(1,\) instead of \(2,\)"):
        agree([1.0], [1.0, 2.0], "the score")
    with pytest.raises(AssertionError, match=r"the score: \[1\.0\] instead of \[2\.0\]"):
        agree([1.0], [2.0], "the score")
