"""Tables as tab-separated values."""

import pytest

from qeframe.report import as_tsv
from tests.qeframe.report.layouts.escaped_tables import table_of


def test_tsv_keeps_one_row_a_line():
    lines = as_tsv(table_of("a\tb\nc\r\\")).split("\n")
    assert lines == ["submission\tr", "a\\tb\\nc\\r\\\\\t0.500", ""]


@pytest.mark.parametrize(
    ("name", "cell"),
    [
        ("\x1b[31mred\x1b[0m", "\\x1b[31mred\\x1b[0m"),
        ("a\x00b\x7f\x85", "a\\x00b\\x7f\\x85"),
        ("right\u202eleft", "right\\u202eleft"),
        ("a\u2028b\x0bc", "a\\u2028b\\x0bc"),
        ("wide\u3000and\xa0kept", "wide\u3000and\xa0kept"),
        ("naïve 東京", "naïve 東京"),
    ],
)
def test_what_is_not_printed_is_made_visible(name, cell):
    assert as_tsv(table_of(name)).split("\n")[1] == f"{cell}\t0.500"


@pytest.mark.parametrize("first", ["=", "+", "-", "@", "＝", "＋", "－", "＠"])
def test_a_text_that_a_spreadsheet_would_run_has_an_apostrophe(first):
    assert as_tsv(table_of(f"{first}SUM(A1)")).split("\n")[1] == f"'{first}SUM(A1)\t0.500"


@pytest.mark.parametrize(("name", "cell"), [("\t=1", "'\\t=1"), ("\r=1", "'\\r=1"), ("\n=1", "'\\n=1"), ("'a", "''a")])
def test_a_tab_the_end_of_a_line_and_an_apostrophe_have_one_too(name, cell):
    assert as_tsv(table_of(name)).split("\n")[1] == f"{cell}\t0.500"


@pytest.mark.parametrize("number", ["-0.5", "+1", "-1e-07", "-inf", "-3.", "-.5", "1", "", "n/a"])
def test_a_number_stays(number):
    assert as_tsv(table_of(number)).split("\n")[1] == f"{number}\t0.500"


@pytest.mark.parametrize("text", ["-1+cmd", "-1 2", "-１", "--1", "-1_0", "-"])
def test_what_only_begins_as_a_number_is_a_text(text):
    assert as_tsv(table_of(text)).split("\n")[1] == f"'{text}\t0.500"
