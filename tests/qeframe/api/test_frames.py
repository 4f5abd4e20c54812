"""Parts of data frames."""

import math
from importlib.util import find_spec

import narwhals.stable.v2 as nw
import numpy as np
import pandas
import polars
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from qeframe.api.frames.tasks import tasks_from_frame
from qeframe.core.errors import DataError
from qeframe.data.columns import FrameColumns, coded, once, parts
from qeframe.kinds.tidy import Roles, check_once
from qeframe.report.layouts import data_frame as of_records
from qeframe.report.layouts.data_frame import LIBRARIES, frame_of_records, installed_library
from tests.outcome import failure

# Labels, numbers and groups of rows against plain Python.
PLAIN = FrameColumns.of(pandas.DataFrame({"n": [1, 2]}))
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
    assert once(units, units * 0.5, "abc", PLAIN).tolist() == [labels.index(label) for label in dict.fromkeys(labels)]


def test_undefined_gold_equals_itself_and_no_number():
    units = np.array([0, 0])
    assert once(units, np.array([np.nan, np.nan]), "a", PLAIN).tolist() == [0]
    assert "the gold scores of unit a differ" in failure(DataError, once, units, np.array([1, np.nan]), "a", PLAIN)
    assert "S has unit a twice" in failure(DataError, once, units, np.array([1.0, 1.0]), "a", PLAIN, "S")


def test_labels_and_numbers_of_a_frame():
    columns = FrameColumns.of(polars.DataFrame({"t": ["x", "y"], "n": [1, 2], "f": [0.5, None]}))
    assert columns.labels("t").tolist() == ["x", "y"]
    assert columns.labels("n").dtype.kind == "i"
    assert np.isnan(columns.numbers("f")[1])


# The columns that a caller names: what they must be, and units that have several rows.
ROWS = [(s, x, p, float(s), s + 0.5) for s in (1, 2) for x in "XY" for p in ("de", "fr")]
FRAME = pandas.DataFrame(ROWS, columns=["seg", "system", "lp", "gold", "m"])


@pytest.mark.parametrize(
    ("given", "said"),
    [
        (
            {"unit": "seg"},
            "the data frame: unit 1 has 4 rows; keep one, or name the column that tells them apart in system=, task= "
            "(in a profile pair=) or unit=",
        ),
        (
            {"unit": "seg", "task": "lp"},
            "the data frame: unit 1 has 2 rows; keep one, or name the column that tells them apart in system= or unit=",
        ),
        (
            {"unit": ["seg", "system"]},
            "'unit' is ['seg', 'system'], which is not the name of a column; name one column, and that of systems in "
            "system=",
        ),
        ({"gold": None}, "'gold' is None, which is not the name of a column; name one column"),
        ({"unit": "seg", "system": 3}, "'system' is 3, which is not the name of a column; name one column"),
    ],
)
def test_units_with_several_rows_and_what_names_no_column(given, said):
    assert failure(DataError, tasks_from_frame, FRAME, submissions=["m"], **given) == said


def test_the_remedy_works():
    tasks = tasks_from_frame(FRAME, submissions=["m"], unit="seg", system="system", task="lp")
    assert [(task.name, task.units) for task in tasks] == [("de", 2), ("fr", 2)]


def test_a_unit_occurs_once():
    roles = Roles(gold="gold", submissions=("m",))
    check_once(roles, ["a", "b", "c"], np.array([2, 0]), PLAIN, np.arange(2))
    check_once(roles, [], np.array([], dtype=int), PLAIN, np.arange(0))
    assert Roles(gold="gold", unit="u", system="s", groups=("g",)).identifying == ("u", "s", "g")
    long = FRAME.assign(name="bleu")
    with pytest.raises(
        DataError, match=r"unit 1 has 4 rows of submission 'bleu'; keep one, or name the column that tells"
    ):
        tasks_from_frame(long, unit="seg", submission="name", score="m")


# Records as frames of three libraries, there and back.
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
    assert 'polars is not installed; pip install "polars"' in failure(DataError, frame_of_records, KINDS, [], "polars")
