"""Numbers that users give: what is accepted, and what the message names."""

from datetime import datetime
from decimal import Decimal
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from qeframe.core.errors import DataError
from qeframe.data.numbers import LARGEST, check_same_length, finite_numbers, numbers_of_lines


@pytest.mark.parametrize(
    "values", [[1, 2.5], (1, 2.5), np.array([1, 2.5], dtype=np.float32), [Decimal(1), Fraction(5, 2)]]
)
def test_any_sequence_of_numbers_becomes_float64(values):
    array = finite_numbers(values, "gold", least=2)
    assert array.dtype == np.float64
    assert array.tolist() == [1.0, 2.5]


def test_the_largest_magnitude_has_finite_sums_of_squares():
    assert np.isfinite(np.sum(finite_numbers([LARGEST, -LARGEST], "gold", least=0) ** 2))


@pytest.mark.parametrize(
    ("values", "message"),
    [
        (["x", 1], "gold values must be numbers, one per unit; give a list or an array of numbers"),
        (["1", "2"], "gold values must be numbers"),
        (np.array([1, "2"], dtype=object), "gold values must be numbers"),
        ([1, 2j], "gold values must be numbers"),
        (np.array([1, 2], dtype="datetime64[s]"), "gold values must be numbers"),
        ([datetime(2026, 1, 1), 1], "gold values must be numbers"),
        ([1, 10**400], "a whole number of gold is too large to compute with; magnitudes up to 1e+100 are accepted"),
        ([[1, 2]], "gold values must have one dimension, not 2"),
        ([1], "too few values: 1 gold; at least 2 are needed"),
        ([1, None], "missing value (NaN) at position 1 of gold; every unit needs a finite number"),
        ([1, -np.inf, np.nan], "infinite value at position 1 of gold"),
        ([1, 2e100], "2e+100 at position 1 of gold is too large to compute with; magnitudes up to 1e+100 are accepted"),
    ],
)
def test_the_first_unusable_value_is_named(values, message):
    with pytest.raises(DataError) as caught:
        finite_numbers(values, "gold", least=2)
    assert str(caught.value).startswith(message)


def test_lengths():
    check_same_length(3, 3)
    with pytest.raises(DataError, match="length mismatch: 3 gold tags and 2 predicted ones; give both sides"):
        check_same_length(3, 2, unit="tags")


@given(st.lists(st.from_regex(r"-?([0-9]{0,9}(\.[0-9]{0,9})?|[0-9.eE+-]{1,6})", fullmatch=True), max_size=5))
@example(["123456789012345", "-.000000000000001", "-0", "5.", "99999999999999.9"])
@example(["95142426273599.37"])  # 16 digits, of which the ratio is rounded twice
@example(["1.2.3", "1"])
@example(["1..2"])
@example(["."])
@example(["1e101"])
def test_numbers_of_lines_are_those_of_float(lines):
    numbers = numbers_of_lines("".join(f"{line}\n" for line in lines).encode())
    try:
        expected = [float(line) for line in lines]
    except ValueError:
        assert numbers is None
        return
    if lines and max(map(abs, expected)) <= LARGEST:
        assert list(map(repr, numbers.tolist())) == list(map(repr, expected))
    else:
        assert numbers is None or len(numbers) == 0
