"""`Writer`: what it is made of, and how it is registered."""

import re

import numpy as np
import pytest

from qeframe.core.errors import DataError, PluginError
from qeframe.core.tasks.reading import Reading, UnitValues
from qeframe.extensions import hooks
from qeframe.extensions.writer import Writer, Written, write
from qeframe.kinds.grid.batch import Grid
from qeframe.kinds.scores.batch import Scores
from tests.qeframe.core.components.made_plugins import empty_but, plugin


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ({"kinds": Grid}, "writer 'w': kinds is type, not a tuple of classes of batches"),
        ({"kinds": ()}, "writer 'w': kinds is tuple, not a tuple of classes of batches"),
        ({"kinds": (Grid, dict)}, "not a tuple of classes of batches"),
        ({"write": "file"}, "not a function of readings"),
    ],
)
def test_what_a_writer_cannot_be(wrong, message):
    given = {"name": "w", "summary": "", "kinds": (Grid,), "write": lambda readings: None, **wrong}
    with pytest.raises(DataError, match=re.escape(message.split(", ")[-1])):
        Writer(**given)


def test_files_cannot_be_changed():
    made = Written(files={"a": b"1"})
    with pytest.raises(TypeError):
        made.files["a"] = b"2"


def test_a_writer_is_found_by_name():
    made = Writer(name="w", summary="", kinds=(Grid,), write=lambda readings: Written(files={"a": b""}))
    assert empty_but(own=plugin(qeframe_writers=[made]), extensions=hooks).get(Writer, "w") == made


def writer(returned):
    return Writer(name="w", summary="", kinds=(Grid,), write=lambda readings: returned)


def reading(kind):
    return Reading(
        name="t", kind=kind, gold=UnitValues(name="gold", ids=np.arange(1), values=np.ones(1)), submissions=()
    )


def test_what_is_right_is_returned():
    made = Written(files={"a/b.txt": b"1", "a/c.txt": b""})
    assert write(writer(made), [reading(Grid)]) is made


def test_a_task_of_another_kind_is_refused():
    message = "task 't' cannot be written as w: it is of Scores; the format holds Grid"
    with pytest.raises(DataError, match=re.escape(message)):
        write(writer(None), [reading(Scores)])


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
def test_a_writer_that_lies(returned, message):
    with pytest.raises(PluginError) as caught:
        write(writer(returned), [])
    assert message in str(caught.value)
    assert str(caught.value).startswith("writer 'w' (given): ")
