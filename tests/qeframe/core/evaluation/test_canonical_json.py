"""Canonical JSON: sorted keys, undefined numbers as null, frozen values as tables."""

import json
import math

import numpy as np
from attrs import frozen
from hypothesis import given, settings
from hypothesis import strategies as st

from qeframe.core.evaluation.canonical_json import canonical_json, plain_values


@frozen
class _Pair:
    b: float
    _a: tuple[int, ...]


def test_frozen_values_arrays_and_sets_become_plain() -> None:
    assert plain_values(_Pair(math.inf, (1, 2))) == {"b": None, "a": [1, 2]}
    assert plain_values(np.array([[1.5, math.nan]])) == [[1.5, None]]
    assert plain_values({"x": frozenset({2, 1}), 3: True}) == {"x": [1, 2], "3": True}


def test_keys_are_sorted_and_text_ends_with_a_line_end() -> None:
    assert canonical_json({"b": 1, "a": "\u00e9"}) == '{\n  "a": "\u00e9",\n  "b": 1\n}\n'


NUMBERS = st.integers() | st.floats() | st.booleans() | st.none()
VALUES = st.recursive(
    NUMBERS | st.text(), lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4)
)


@settings(max_examples=40)
@given(VALUES)
def test_the_text_is_that_of_the_standard_library(value) -> None:
    plain = plain_values(value)
    assert canonical_json(value) == json.dumps(plain, sort_keys=True, indent=2, ensure_ascii=False) + "\n"
