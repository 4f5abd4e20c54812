"""Labels, numbers and groups of rows against plain Python."""

import narwhals.stable.v2 as nw
import numpy as np
import polars
import pytest
from hypothesis import given
from hypothesis import strategies as st

from qeframe.api.frames.cells import coded, labels_of, numbers_of, once, parts
from qeframe.core.errors import DataError

words = st.lists(st.sampled_from(["b", "a", "c"]), min_size=1, max_size=8)


@given(words)
def test_labels_are_coded_in_the_order_in_which_they_occur(labels):
    found, first, codes = coded(np.array(labels))
    assert found == list(dict.fromkeys(labels))
    assert [found[code] for code in codes] == labels
    assert first.tolist() == [labels.index(label) for label in found]
    rows = 10 + np.arange(len(labels))
    assert {name: members.tolist() for name, members in parts(np.array(labels), rows)} == {
        label: [10 + i for i, other in enumerate(labels) if other == label] for label in found
    }


@given(words)
def test_repeated_gold_is_kept_once(labels):
    units = np.array(["abc".index(label) for label in labels])
    kept = once(units, units * 0.5, "abc", "")
    assert kept.tolist() == [labels.index(label) for label in dict.fromkeys(labels)]


def test_undefined_gold_equals_itself_and_no_number():
    units = np.array([0, 0])
    assert once(units, np.array([np.nan, np.nan]), "a", "").tolist() == [0]
    with pytest.raises(DataError, match="the gold scores of unit a differ"):
        once(units, np.array([1, np.nan]), "a", "")
    with pytest.raises(DataError, match="S has unit a twice"):
        once(units, np.array([1.0, 1.0]), "a", "S")


def test_labels_and_numbers_of_a_frame():
    table = nw.from_native(polars.DataFrame({"t": ["x", "y"], "n": [1, 2], "f": [0.5, None]}))
    assert labels_of(table, "t").tolist() == ["x", "y"]
    assert labels_of(table, "n").dtype.kind == "i"
    assert np.isnan(numbers_of(table, "f")[1])
