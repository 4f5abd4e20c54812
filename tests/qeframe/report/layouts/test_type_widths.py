"""Widths of texts in Computer Modern."""

import pytest

from qeframe.report.layouts.type_widths import FOOTNOTE, SMALL, text_width


@pytest.mark.parametrize(
    ("text", "least", "most"),
    [("", 0, 0), ("0.595", 2.28, 2.4), ("MetricX", 3.8, 4.3), ("iiii", 1.1, 1.3), ("日本", 2, 2)],
)
def test_widths_are_a_little_above_those_of_the_type(text, least, most):
    assert least <= text_width(text) <= most


def test_bold_type_is_wider():
    assert text_width("0.595", strong=True) > 1.15 * text_width("0.595")


def test_small_type_takes_less_room():
    assert FOOTNOTE.em < SMALL.em
    assert FOOTNOTE.line < SMALL.line


def test_lines_of_a_paragraph():
    assert SMALL.lines("", 100) == SMALL.lines("short", 100) == 1
    assert SMALL.lines("many words " * 50, 100) > 20
