"""Header lines: their number, and what they hold."""

from pathlib import Path

import pytest

from qeframe.core.errors import DataError
from qeframe.data.text_lines import TextFile
from qeframe_wmt.formats.layouts import check_header, check_header_count


def check(*lines):
    check_header(TextFile(Path("a"), lines, ""), 2, names=("LP", "SCORE"), reader="some_reader")


@pytest.mark.parametrize("header", [("1", "2"), ("-", "n/a"), ("1 GB", "600 M parameters")])
def test_two_header_lines(header):
    check(*header, "en-de\t1")


@pytest.mark.parametrize(
    ("lines", "message"),
    [
        (("1", "2"), "a:2: no line has columns by tabs; put a tab between LP SCORE"),
        (
            ("1", "en-de\t1"),
            "a:2: 1 header line of one column instead of 2; "
            "repair the header, or set header_lines=1 in the reader some_reader",
        ),
        (("1", " ", "en-de\t1"), "a:2: an empty header line; write 0 for an unknown number"),
        (
            ("1", "two words", "en-de\t1"),
            "a:2: 'two words' is not a header line: it has no number; "
            "give bytes on disk, number of parameters, size of the ensemble; 0 for an unknown number",
        ),
    ],
)
def test_broken_headers(lines, message):
    with pytest.raises(DataError) as caught:
        check(*lines)
    assert str(caught.value) == message


def test_the_number_of_header_lines():
    check_header_count(0, usual="3")
    with pytest.raises(DataError, match=r"^header_lines = -1 must not be negative; give 3$"):
        check_header_count(-1, usual="3")
