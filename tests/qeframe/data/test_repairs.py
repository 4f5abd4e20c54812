"""All mistakes in the lines of a file are found, each with its line and no other."""

from functools import partial

import pytest
from hypothesis import given
from hypothesis import strategies as st

from qeframe import DataError, choose_profile
from qeframe.core.resolve import resolve
from qeframe.data.repairs import MOST_MISTAKES, all_in_file
from qeframe.data.validate import validate_submission

UNITS = 30
BROKEN = {
    "comma": lambda row: row.replace(".", ","),
    "blanks": lambda row: row.replace("\t", " "),
    "nan": lambda row: row.rpartition("\t")[0] + "\tNaN",
    "word": lambda row: row.rpartition("\t")[0] + "\tabc",
    "id": lambda row: row.replace("\t", "\tx", 2).replace("\tx", "\t", 1),
    "empty": lambda row: "",
    "method": lambda row: row.replace("\tm\t", "\tn\t"),
    "too many columns": lambda row: row + "\t1",
}
"""By what is wrong in a row, what makes it wrong."""


@pytest.fixture(scope="module")
def reader(registry):
    return resolve(choose_profile("wmt22_qe_sentence_da", (), registry), registry).reader


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return tmp_path_factory.mktemp("mistakes")


def mistakes_of(reader, folder, rows, head=("1", "2", "1")):
    """Return what is found in a file of these rows, and the first mistake, or None."""
    file = folder / "a.txt"
    file.write_text("\n".join([*head, *rows]) + "\n")
    try:
        validate_submission(reader, file)
    except DataError as error:
        return all_in_file(file, error, partial(validate_submission, reader, file))
    return None


def good_rows():
    return [f"en-de\tm\t{unit}\t{unit / 7:.4f}" for unit in range(UNITS)]


@given(st.dictionaries(st.integers(1, UNITS - 1), st.sampled_from(sorted(BROKEN)), max_size=6))
def test_every_mistake_is_found_and_nothing_else(reader, folder, planted):
    rows = good_rows()
    for row, kind in planted.items():
        rows[row] = BROKEN[kind](rows[row])
    found = mistakes_of(reader, folder, rows)
    if not planted:
        assert found is None
        return
    lines = {row + 4 for row in planted}
    assert {each.line for each in found.mistakes} <= lines
    assert sum(1 + each.more for each in found.mistakes) == len(lines)
    assert found.altered == lines
    assert found.content is not None


def test_a_line_that_is_there_twice_is_removed(reader, folder):
    rows = good_rows()
    found = mistakes_of(reader, folder, [*rows[:9], rows[4], *rows[9:]])
    assert [each.line for each in found.mistakes] == [13]
    assert found.shortened
    assert found.content.decode().split("\n")[3:-1] == rows


@pytest.mark.parametrize("kind", ["comma", "blanks", "nan", "id"])
def test_lines_with_the_same_mistake_are_one(reader, folder, kind):
    rows = good_rows()
    rows[5:] = map(BROKEN[kind], rows[5:])
    (mistake,) = mistakes_of(reader, folder, rows).mistakes
    assert (mistake.line, mistake.more, mistake.all_known) == (9, UNITS - 6, True)


def test_a_header_that_lacks_does_not_hide_the_rest(reader, folder):
    rows = good_rows()
    rows[7] = BROKEN["nan"](rows[7])
    found = mistakes_of(reader, folder, rows, head=())
    assert [(each.line, each.error.what[:3]) for each in found.mistakes] == [(1, "0 h"), (8, "NaN")]


def test_there_is_a_bound(reader, folder):
    rows = [f"{row}\t" + "x\t" * (number % 13) for number, row in enumerate(good_rows())]
    assert len(mistakes_of(reader, folder, rows).mistakes) <= MOST_MISTAKES


def test_files_that_are_no_lines_of_text_have_their_first_mistake(reader, folder):
    for content in (b"\x1f\x8b\x00", b"1\n2\n1\n\xff\xfe\n", b""):
        file = folder / "b.txt"
        file.write_bytes(content)
        with pytest.raises(DataError) as raised:
            validate_submission(reader, file)
        found = all_in_file(file, raised.value, partial(validate_submission, reader, file))
        assert found.content is None
        assert [each.error.what for each in found.mistakes[:1]] in ([], [raised.value.what])
