"""`Writer`: what it is made of, and how it is registered."""

import re

import pytest

from qeframe.core.errors import DataError
from qeframe.extensions import hooks
from qeframe.extensions.writer import Writer, Written
from qeframe.kinds.grid.batch import Grid
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
