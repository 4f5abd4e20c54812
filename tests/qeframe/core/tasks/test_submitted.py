"""Whether a submission answers the expected units."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from qeframe.core.errors import DataError
from qeframe.core.tasks.reading import UnitValues
from qeframe.core.tasks.submitted import check_units


def units(ids, path="a.tsv", names=None):
    ids = np.array(ids, np.int64)
    named = {} if names is None else dict(zip(ids.tolist(), names, strict=True))
    return UnitValues(name="a", ids=ids, values=ids, path=path, lines=np.arange(1, len(ids) + 1), names=named)


def test_the_order_does_not_matter():
    check_units(units([2, 0, 1]), units([0, 1, 2]))


@pytest.mark.parametrize(
    ("ids", "message"),
    [
        ([0, 5, 1, 2, 7], "a.tsv:2: segment 5 is not in in.txt (and 1 more)"),
        ([0, 2], "a.tsv: segment 1 of in.txt:2 is missing: 2 of 3 segments are there; answer every segment"),
        ([], "a.tsv: segment 0 of in.txt:1 is missing (and 2 more): 0 of 3 segments"),
    ],
)
def test_other_units(ids, message):
    with pytest.raises(DataError) as caught:
        check_units(units(ids), units([0, 1, 2], "in.txt"))
    assert str(caught.value).startswith(message)


def test_named_units_are_compared_by_name():
    check_units(units([0, 1], names=["d/2", "d/1"]), units([0, 1], names=["d/1", "d/2"]))
    with pytest.raises(DataError, match=r"segment d/3 is not in in\.txt"):
        check_units(units([0, 1], names=["d/3", "d/1"]), units([0, 1], "in.txt", names=["d/1", "d/2"]))
    check_units(units([4], names=["7"]), units([7]))


ids_of = st.lists(st.integers(0, 6), unique=True)


@given(ids_of, ids_of, st.booleans())
def test_only_equal_sets_pass(theirs, ours, named):
    sides = [units(ids, names=[f"n{i}" for i in ids] if named else None) for ids in (theirs, ours)]
    if set(theirs) == set(ours):
        check_units(*sides)
    else:
        with pytest.raises(DataError):
            check_units(*sides)
