"""YAML: what is written is read again by another program."""

from datetime import datetime

import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st

from qeframe_competitions.yaml_text import yaml_text

KEYS = st.from_regex("[a-z_]{1,8}", fullmatch=True).map(lambda key: f"k_{key}")
SCALARS = st.one_of(
    st.text(st.characters(exclude_categories=("Cs",)), max_size=12),
    st.integers(-(10**9), 10**9),
    st.booleans(),
    st.datetimes(datetime(1970, 1, 1), datetime(2100, 1, 1)).map(lambda time: time.replace(microsecond=0)),
)
VALUES = st.recursive(
    SCALARS,
    lambda inner: st.one_of(
        st.lists(st.one_of(SCALARS, st.dictionaries(KEYS, inner, min_size=1, max_size=3)), min_size=1, max_size=3),
        st.dictionaries(KEYS, inner, min_size=1, max_size=3),
    ),
    max_leaves=8,
)


@settings(max_examples=15)
@given(st.dictionaries(KEYS, VALUES, min_size=1, max_size=4))
def test_round_trip(values):
    assert yaml.safe_load(yaml_text(values)) == values


@pytest.mark.parametrize("text", ["no", "1", "a: b", "# c", "", "\u2028", "\x07", "2026-01-01", '"', "\\", "é", "😀"])
def test_texts_stay_texts(text):
    assert yaml.safe_load(yaml_text({"title": text})) == {"title": text}


def test_layout():
    values = {"version": 2, "open": True, "pages": [{"title": "A", "columns": [1, 2]}, {"title": "B", "columns": [3]}]}
    assert yaml_text(values) == (
        'version: 2\nopen: True\npages:\n  - title: "A"\n    columns:\n      - 1\n      - 2\n'
        '  - title: "B"\n    columns:\n      - 3\n'
    )
