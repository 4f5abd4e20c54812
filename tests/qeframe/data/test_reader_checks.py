"""What a reader returns: the readings that pass; tests/hostile has those that do not."""

from pathlib import Path

import numpy as np
import pytest

from qeframe.core.components.reader import Reader
from qeframe.core.errors import DataError, PluginError
from qeframe.core.tasks.reading import Reading, Submitted, UnitValues
from qeframe.core.tasks.task import Dropped, Input
from qeframe.data.reader_checks import read, read_submission
from qeframe.kinds.scores.batch import Scores


def test_readings_pass():
    side = UnitValues(name="gold", ids=np.arange(2), values=np.ones(2), lines=np.array([1, 2]))
    reading = Reading(name="t", kind=Scores, gold=side, submissions=(side,), groups={"document": ["a", "b"]})
    own = Reader(name="own", summary="", kind=Scores, read=lambda path, best: (reading,))
    assert read(own, Path("x"), "low") == [reading]


def _side(**changed):
    return UnitValues(**{"name": "a", "ids": np.arange(2), "values": np.ones(2), "lines": np.array([1, 2]), **changed})


OWN = Reader(name="own", summary="", kind=Scores, read=lambda path, best: ())


def test_a_submission_passes():
    parts = (Submitted(answers=_side()),)
    assert read_submission(OWN, Path("x"), lambda path: parts) == list(parts)


@pytest.mark.parametrize(
    ("made", "message"),
    [
        ((), "submission returned tuple"),
        (None, "submission returned None"),
        ("text", "submission returned str"),
        ([_side()], "a list with UnitValues"),
        ([Submitted(answers=None)], "None as a side"),
        ([Submitted(answers=_side(values=np.ones(3)))], "values of 'a' of ''"),
        ([Submitted(answers=_side(lines=np.ones(3)))], "3 lines of 'a'"),
    ],
)
def test_a_submission_that_is_none(made, message):
    with pytest.raises(PluginError, match=message):
        read_submission(OWN, Path("x"), lambda path: made)


def test_a_folder_of_the_path(tmp_path):
    """A task that is named by the folder has the name of the path, and files are relative to the path."""
    (tmp_path / "en-de" / "word").mkdir(parents=True)
    names = ("word", "he-en")
    note, file = Dropped("word", "unit", 1, "why"), Input("gold.txt", "0" * 64)
    made = [
        Reading(name=name, kind=Scores, gold=_side(), submissions=(), dropped=(note,), inputs=(file,)) for name in names
    ]
    reader = Reader(name="own", summary="", kind=Scores, folder="word", read=lambda path, best: made)
    found = read(reader, tmp_path / "en-de", "low")
    assert [each.name for each in found] == ["en-de", "he-en"]
    assert [each.inputs[0].path for each in found] == ["word/gold.txt"] * 2
    assert [each.dropped[0].task for each in found] == ["en-de", "word"]
    with pytest.raises(DataError, match="there is no folder 'word'"):
        read(reader, tmp_path, "low")
