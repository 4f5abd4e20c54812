"""Records as frames of three libraries, there and back."""

import math
from importlib.util import find_spec

import narwhals.stable.v2 as nw
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from qeframe.api.frames import records as of_records
from qeframe.api.frames.records import LIBRARIES, frame_of_records, installed_library
from qeframe.core.errors import DataError

KINDS = {"name": str, "value": float, "rank": int, "known": bool}
finite = st.floats(allow_nan=True, allow_infinity=True)
record = st.tuples(st.text(st.characters(exclude_categories=["Cs"])), finite, st.integers(-9, 9), st.booleans())


def rows_of(frame):
    """Return the rows of a frame as plain values, missing ones as None."""
    table = nw.from_native(frame)
    columns = []
    for column in table.iter_columns():
        pairs = zip(column.to_list(), column.is_null().to_list(), strict=True)
        columns.append([None if missing else value for value, missing in pairs])
    return table.columns, list(zip(*columns, strict=True))


@pytest.mark.parametrize("library", LIBRARIES)
@settings(max_examples=25)
@given(records=st.lists(record, max_size=5))
def test_there_and_back(library, records):
    frame = frame_of_records(KINDS, records, library)
    assert type(frame).__module__.partition(".")[0] == library
    names, rows = rows_of(frame)
    assert names == list(KINDS)
    assert rows == [tuple(None if isinstance(v, float) and math.isnan(v) else v for v in row) for row in records]


@pytest.mark.parametrize("library", LIBRARIES)
def test_types_do_not_depend_on_the_values(library):
    for records in ([], [("A", math.nan, 1, True)], [("A", 0.5, 1, False)]):
        schema = nw.from_native(frame_of_records(KINDS, records, library)).schema
        assert list(schema.dtypes()) == [nw.String, nw.Float64, nw.Int64, nw.Boolean]


@pytest.mark.parametrize("library", LIBRARIES)
def test_missing_whole_numbers(library):
    frame = frame_of_records({"rank": int}, [(1,), (None,)], library)
    assert rows_of(frame)[1] == [(1,), (None,)]
    assert nw.from_native(frame).schema["rank"] == (nw.Float64 if library == "pandas" else nw.Int64)


def test_the_default_is_the_first_library_that_is_installed(monkeypatch):
    installed = set(LIBRARIES)
    monkeypatch.setattr(of_records, "find_spec", lambda name: find_spec("math") if name in installed else None)
    for library in LIBRARIES:
        assert installed_library() == library
        assert type(frame_of_records(KINDS, [])).__module__.startswith(library)
        installed.discard(library)
    with pytest.raises(DataError, match='no library of data frames is installed; pip install "pandas"'):
        frame_of_records(KINDS, [])


def test_a_library_that_is_unknown_or_absent(monkeypatch):
    with pytest.raises(DataError, match=r"there is no data frame of 'panda'; did you mean 'pandas'\?"):
        frame_of_records(KINDS, [], "panda")

    def absent(_columns, _schema, backend):
        raise ImportError(backend)

    monkeypatch.setattr(nw, "from_dict", absent)
    with pytest.raises(DataError, match='polars is not installed; pip install "polars"'):
        frame_of_records(KINDS, [], "polars")
