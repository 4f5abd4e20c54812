"""The files that a reader writes: what they are, and what is refused."""

import re

import numpy as np
import pytest

from qeframe import DataError, PluginError
from qeframe.core.reader import Reader
from qeframe.data.reader_checks import write
from qeframe.data.reading import Reading, UnitValues, Written
from qeframe.plugin import Grid, Scores


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ({"writes": Grid}, "reader 'w': writes is type <class 'qeframe.kinds.grid.batch.Grid'>, not a tuple"),
        ({"writes": (Grid, dict)}, "not a tuple of classes of batches"),
        ({"write": "file"}, "reader 'w': write is str 'file'; give a function"),
    ],
)
def test_what_a_layout_cannot_write(wrong, message):
    with pytest.raises(DataError, match=re.escape(message)):
        layout(None, **wrong)


def test_files_cannot_be_changed():
    made = Written(files={"a": b"1"})
    with pytest.raises(TypeError):
        made.files["a"] = b"2"


def layout(returned, **changed):
    given = {"kind": Grid, "read": lambda path, best: (), "write": lambda readings: returned}
    return Reader(name="w", summary="", **{**given, **changed})


def reading_of(kind):
    return Reading(
        name="t", kind=kind, gold=UnitValues(name="gold", ids=np.arange(1), values=np.ones(1)), submissions=()
    )


def test_what_is_right_is_returned_and_a_task_of_another_kind_refused():
    made = Written(files={"a/b.txt": b"1", "a/c.txt": b""})
    assert write(layout(made), [reading_of(Grid)]) is made
    message = "task 't' cannot be written as w: it is of Scores; the format holds Grid"
    with pytest.raises(DataError, match=re.escape(message)):
        write(layout(None), [reading_of(Scores)])


@pytest.mark.parametrize(
    ("returned", "message"),
    [
        (None, "write returned None, expected Written"),
        (Written(files={}), "write returned no file, expected one or more"),
        (Written(files={"../a": b""}), "the path '../a', expected paths inside the folder"),
        (Written(files={"/a": b""}), "the path '/a', expected paths inside the folder"),
        (Written(files={"a//b": b""}), "the path 'a//b', expected paths inside the folder"),
        (Written(files={1: b""}), "the path 1, expected paths inside the folder"),
        (Written(files={"a": "text"}), "as the content of a, expected bytes"),
        (Written(files={"a": b"", "a/b": b""}), "a as a file and as the folder of a/b, expected one of them"),
        (Written(files={"a": b""}, dropped=("x",)), "expected values of Dropped"),
    ],
)
def test_a_reader_that_lies_of_its_files(returned, message):
    with pytest.raises(PluginError) as caught:
        write(layout(returned), [])
    assert message in str(caught.value)
    assert str(caught.value).startswith("reader 'w' (given): ")


def test_a_layout_that_is_read_only():
    with pytest.raises(DataError, match="the reader 'w' reads only: it cannot write files"):
        write(layout(None, write=None), [])


def test_other_kinds_that_are_written():
    made = Written(files={"a": b""})
    assert write(layout(made, writes=(Grid, Scores)), [reading_of(Scores)]) is made
