"""A reader maps a path, and the better end of the gold scale, to readings."""

from functools import partial
from pathlib import Path

import pytest

from qeframe.core.components.reader import ExampleRequest, Reader, SubmissionFormat
from qeframe.core.errors import DataError
from qeframe.kinds.scores.batch import Scores


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


def test_a_generated_task_is_written_as_it_is_read(tmp_path):
    made = partial(Reader, name="r", summary="", kind=Scores, read=print)
    assert made().write_example(tmp_path) is made(example={}).write_example(tmp_path) is None
    assert made(example={"t.txt": "1\n"}).write_example(tmp_path).read_text() == "1\n"
    assert made(example={"t.txt": "1\n"}) == made(example={"t.txt": "1\n"}) != made(example={"t.txt": "2\n"})
    drawn = made(example=lambda request: request.in_folders(lambda rng, pair: {"gold": f"{pair} {rng.random()}"}))
    assert drawn.write_example(tmp_path / "one") == tmp_path / "one" / "gold"
    both = drawn.write_example(tmp_path / "two", ExampleRequest(pairs=2))
    assert sorted(path.name for path in both.iterdir()) == ["en-cs", "en-de"]
    assert (both / "en-cs" / "gold").read_text() == (tmp_path / "one" / "gold").read_text()


def test_baselines_follow_the_first_submissions():
    request = ExampleRequest(submissions=2, baselines=("b", "c"))
    assert request.with_baselines({"best": 3, "good": 2, "poor": 1}, 0) == {"best": 3, "good": 2, "b": 0, "c": 0}
