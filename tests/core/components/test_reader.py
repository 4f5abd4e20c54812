"""A reader maps a path, and the better end of the gold scale, to readings."""

from pathlib import Path

import pytest

from qeframe.batches.scores import Scores
from qeframe.components.reader import Reader, SubmissionFormat
from qeframe.errors import DataError


def test_a_reader_is_given_a_path_and_the_better_end(tmp_path):
    seen: list[tuple[Path, str]] = []
    reader = Reader(name="nothing", summary="", kind=Scores, read=lambda path, best: seen.append((path, best)) or ())
    assert reader.read(tmp_path, "low") == ()
    assert seen == [(tmp_path, "low")]


def test_a_submission_format_is_one():
    with pytest.raises(DataError, match="not a SubmissionFormat"):
        Reader(name="r", summary="", kind=Scores, read=lambda path, best: (), submission=lambda path: ())
    form = SubmissionFormat(read=lambda path: ())
    assert (form.first, form.parts, form.check, form.read_input) == (None, "language pair", None, None)
