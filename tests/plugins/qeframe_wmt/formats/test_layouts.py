"""The layouts that the first lines of a file have, and header lines: their number, and what they hold."""

from pathlib import Path

import pytest

from qeframe.core.errors import DataError
from qeframe.data.text_lines import TextFile
from qeframe_wmt.formats.layouts import (
    TAG_LINES,
    Layout,
    check_header,
    check_header_count,
    columns_after_header,
    layout_of,
    refuse_other_layout,
)
from tests.plugins.qeframe_wmt.readings import refused


def file(*lines):
    return TextFile(Path("a"), lines, "")


@pytest.mark.parametrize(
    ("lines", "reader"),
    [
        (("OK BAD", "GOOD"), "tag_lines"),
        (("", "bad"), "tag_lines"),
        (("doc_id\tstart_indices",), "spans_2025"),
        (("1.1\t0\tw OK OK OK",), "word_columns_2014"),
        (("M\t0\t0\tw\tOK",), "word_columns_2015"),
        (("1", "2", "3", "en-de\tm\tMT\t0\t0\tw\tOK"), "word_columns_2020(header_lines=3)"),
        (("1", "en-de\tm\t0\ttext\t-1\t-1\tno-error"), "spans_2023(header_lines=1)"),
        (("en-de\tm\t0\t-.5e-3",), "qe_sentence(header_lines=0)"),
    ],
)
def test_layouts(lines, reader):
    assert layout_of(file(*lines)).reader == reader


@pytest.mark.parametrize("line", ["", "0.5", "any text", "a\tb", "en-de\tm\t0\tx"])
def test_no_known_layout(line):
    assert layout_of(file(line)) is None


def test_another_layout_is_refused():
    wanted = columns_after_header(("LP", "SCORE"), 1, "some_reader")
    assert wanted == Layout("2 columns by tabs (LP SCORE) after 1 header line", "some_reader(header_lines=1)")
    ways = "write it in the latter layout, or use reader=tag_lines"
    message = f"a: looks like plain tag lines, not like {wanted.description}; {ways}"
    assert refused(refuse_other_layout, file("OK"), wanted) == message
    with pytest.raises(DataError, match=f"; give the gold as {TAG_LINES.description}$"):
        refuse_other_layout(file("M\t0\t0\tw\tOK"), TAG_LINES, gold=True)


def test_a_number_of_header_lines_may_be_checked_elsewhere():
    refuse_other_layout(file("en-de\tm\t0\t.5"), Layout("scores", "qe_sentence"), any_header=True)
    with pytest.raises(DataError, match=r"set header_lines=0 in the reader qe_sentence$"):
        refuse_other_layout(file("en-de\tm\t0\t.5"), Layout("scores", "qe_sentence"))


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
    assert refused(check, *lines) == message


def test_the_number_of_header_lines():
    check_header_count(0, usual="3")
    with pytest.raises(DataError, match=r"^header_lines = -1 must not be negative; give 3$"):
        check_header_count(-1, usual="3")
