"""Elements of pictures: their escapes, coordinates and ticks."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from markupsafe import Markup

from qeframe.report.html.svg import decimal, element, picture, steps, ticks


def test_texts_and_attributes_are_escaped_and_elements_are_not():
    inner = element("b", "<i>")
    assert inner == "<b>&lt;i&gt;</b>"
    assert element("a", inner, "&", class_='x"y', aria_hidden="true", d=None) == (
        '<a class="x&#34;y" aria-hidden="true"><b>&lt;i&gt;</b>&amp;</a>'
    )
    assert isinstance(inner, Markup)


def test_a_picture_has_a_title_and_a_role():
    assert picture("a < b", width=10, height=2.5) == (
        '<svg viewBox="0 0 10 2.5" role="img"><title>a &lt; b</title></svg>'
    )


@pytest.mark.parametrize(("value", "text"), [(3.0, "3"), (3.14, "3.1"), (-0.5, "-0.5"), (1e6, "1000000")])
def test_coordinates_have_one_decimal(value, text):
    assert decimal(value) == text


@given(st.floats(-1e6, 1e6).flatmap(lambda low: st.tuples(st.just(low), st.floats(1e-6, 1e6))), st.integers(2, 6))
def test_ticks_lie_in_the_range_and_are_few(ends, most):
    low, width = ends
    found = ticks(low, low + width, most)
    assert len(found) <= most
    slack = 1e-6 * width + 1e-9 * abs(low)
    assert all(low - slack <= tick <= low + width + slack for tick in found)


def test_ticks_are_round():
    assert ticks(-0.09, 0.65, 4) == [0.0, 0.2, 0.4, 0.6]
    assert ticks(0.0, 100.0) == [0.0, 50.0, 100.0]


def test_steps_go_from_base_to_base():
    assert steps([0, 5, 20], width=30, height=10, top=10) == "M0 10V10h10V5h10V0h10V10"
