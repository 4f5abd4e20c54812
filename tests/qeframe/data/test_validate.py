"""A submission checked alone: parts, units and texts, with a reader of lines ``PART ID NUMBER``."""

from pathlib import Path

import numpy as np
import pytest

from qeframe.data.validate import validate_submission
from qeframe.plugin import DataError, Scores
from qeframe.plugin.readers import (
    Reader,
    SubmissionFormat,
    Submitted,
    UnitValues,
    parse_ids,
    parse_numbers,
    read_text_lines,
    split_columns,
)
from tests.outcome import failure


def parts_of(path):
    file = read_text_lines(path)
    parts, ids, numbers = split_columns(file, ("PART", "ID", "NUMBER"), separator="\t")
    units, values = parse_ids(ids, file), parse_numbers(numbers, file)
    made = []
    for part in dict.fromkeys(parts):
        rows = np.array([i for i, name in enumerate(parts) if name == part])
        side = UnitValues(name=path.stem, ids=units[rows], values=values[rows], path=str(path), lines=rows + 1)
        made.append(Submitted(part=part, answers=side))
    return made


def reader(**form):
    return Reader(
        name="own",
        summary="",
        kind=Scores,
        read=lambda path, best: (),
        submission=SubmissionFormat(**{"read": parts_of, "first": 1, **form}),
    )


A = "en-cs\t1\t.5\nen-cs\t2\t.25\n"
BOTH = A + "en-de\t1\t.1\n"


@pytest.fixture
def checked(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)

    def check(text, like=None, **form):
        Path("a.tsv").write_text(text)
        if like is not None:
            Path("in").write_text(like)
        return validate_submission(reader(**form), Path("a.tsv"), None if like is None else Path("in"))

    return check


def test_without_an_input(checked):
    (first, second) = checked(BOTH)
    assert [part.part for part in (first, second)] == ["en-cs", "en-de"]
    assert first.answers.values.tolist() == [0.5, 0.25]


@pytest.mark.parametrize(
    ("text", "like"),
    [
        (A, "eins\nzwei\n"),
        (A, "en-cs\t2\t9\nen-cs\t1\t9\n"),
        (BOTH, "en-de\t1\t0\n" + A),
        (A, "\t1\t0\n\t2\t0\n"),
        ("\t1\t0\n\t2\t0\n", A),
    ],
)
def test_inputs_that_fit(checked, text, like):
    assert checked(text, like)


@pytest.mark.parametrize(
    ("text", "like", "message"),
    [
        (A + A, None, "a.tsv:3: segment 1 of a occurs twice, first seen on line 1"),
        ("en-cs\t1\tx\n", None, "a.tsv:1: 'x' is not a number"),
        (A, "eins\nzwei\ndrei\n", "a.tsv: segment 3 of in:3 is missing: 2 of 3 segments are there"),
        (A, "eins\n", "a.tsv:2: segment 2 is not in in"),
        (BOTH, "eins\nzwei\n", "in: a source text has one language pair, the submission has 2"),
        (A, "en-cs\t1\t0\nen-cs\t2\tx\n", "in:2: 'x' is not a number"),
        (A, "en-de\t1\t0\nen-de\t2\t0\n", "a.tsv:1: language pair 'en-cs' is not in in; the input has en-de"),
        (A, BOTH, "a.tsv: language pair 'en-de' of in is missing; add its answers"),
        (A, BOTH + "en-fr\t1\t1\n", "a.tsv: language pair 'en-de' of in is missing (and 1 more)"),
    ],
)
def test_what_is_refused(checked, text, like, message):
    assert failure(DataError, checked, text, like).startswith(message)


def test_units_that_are_no_lines(checked):
    with pytest.raises(DataError, match="the units of 'own' are not lines of a text; give a file in the format"):
        checked(A, "eins\nzwei\n", first=None)


def test_systems_share_a_text(checked):
    assert len(checked("A\t1\t0\nB\t1\t0\n", "eins\n", parts="system")) == 2
    with pytest.raises(DataError, match="segment 2 of in:2 is missing"):
        checked("A\t1\t0\nA\t2\t0\nB\t1\t0\n", "eins\nzwei\n", parts="system")


def test_the_check_of_the_format_is_not_called_for_a_text(checked):
    def refuse(expected, given):
        raise DataError(f"{given.answers.name} against {expected.answers.name}")

    checked(A, "eins\nzwei\n", check=refuse)
    assert "a against in" in failure(DataError, checked, A, A, check=refuse)


def test_an_input_with_a_format_of_its_own(checked):
    def read_input(path):
        units = UnitValues(name="in", ids=np.array([1, 2]), values=np.zeros(2), path=str(path))
        return [Submitted(part="en-cs", answers=units)]

    assert checked(A, "{}", read_input=read_input)


def test_a_reader_that_cannot():
    own = Reader(name="own", summary="", kind=Scores, read=lambda path, best: ())
    with pytest.raises(DataError, match="the reader 'own' cannot read a submission without the gold"):
        validate_submission(own, Path("a"))
