"""The format of numbers."""

import math

import pytest

from qeframe.report.layouts.number_format import (
    decimals_for,
    format_estimated_count,
    format_interval,
    format_number,
    format_p,
)


@pytest.mark.parametrize(
    ("values", "decimals"),
    [
        ([0.5, math.nan], 3),
        ([9.99, -1], 3),
        ([99.0], 2),
        ([-123.4], 1),
        ([1e6], 1),
        ([0.05], 4),
        ([1e-12], 6),
        ([0, math.inf], 3),
        ([], 3),
    ],
)
def test_decimals_follow_the_largest_value(values, decimals):
    assert decimals_for(values) == decimals


def test_numbers_are_printed_without_negative_zero_and_p_never_as_zero():
    assert format_number(-0.0001, 3) == "0.000"
    assert format_number(-0.12, 2) == "-0.12"
    assert format_number(math.nan, 2) == "n/a"
    assert [format_number(math.inf, 2), format_number(-math.inf, 2)] == ["inf", "-inf"]
    assert format_interval(math.nan, 1, 2) == ""
    assert [format_p(0.0), format_p(0.0001), format_p(1), format_p(math.nan)] == [
        "<0.0001", "0.0001", "1.0000", "n/a",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("count", "text"),
    [(2, "2"), (999, "999"), (1234, "1,230"), (11_123_456, "11,100,000"), (math.inf, "no bound"), (math.nan, "n/a")],
)
def test_an_estimated_count_has_three_digits(count, text):
    assert format_estimated_count(count) == text
