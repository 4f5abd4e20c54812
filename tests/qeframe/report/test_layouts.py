"""Layouts of tables."""

import math

import pytest
from markdown_it import MarkdownIt

from qeframe.report import Cell, Column, Table, as_markdown, as_tsv, leaderboard
from qeframe.report.layouts.number_format import (
    decimals_for,
    format_estimated_count,
    format_interval,
    format_number,
    format_p,
)
from tests.qeframe.report.layouts.escaped_tables import NASTY, table_of

# Tables as Markdown.
SIGNED = (
    r"- qeframe:9.9\|profile:made\_up\|primary:pearson\|test:williams\|correction:holm"
    r"\|ranking:not\_worse\_than\_best\|resample:unit\|seed:7"
    "\n"
)


def test_markdown_in_full(evaluation):
    assert (
        as_markdown(leaderboard(evaluation))
        == """\
# A made-up task

| rank | submission | pearson ↑ | drawn ranks | official winner | 90 % interval | mae ↓ |
| ---: | :--- | ---: | ---: | ---: | ---: | ---: |
| 1 | first | **0.750** | 1–2 | yes | 0.500 to 0.875 | 0.250 |
| 2 | second † | -0.125 | 2–3 | no |  | **0.125** |
| 3 | third | n/a |  |  |  | 0.500 |

- **bold**: best value of its column
- official winner: by the ranking rule not\\_worse\\_than\\_best of the task
- † baseline
- drawn ranks: the smallest central range of ranks that holds 95 % of the bootstrap draws; it is no confidence set: \
where submissions are equal, it need not hold all of their ranks
"""
        + SIGNED
    )


@pytest.mark.parametrize("name", [*NASTY, "&amp;", "![i](u)", "tab\there", "line\nbreak"])
def test_markdown_shows_a_name_as_it_is(name):
    tokens = MarkdownIt("commonmark").enable("table").parse(as_markdown(table_of(name)))
    cells = [t for t in tokens if t.type == "inline"]
    shown = "".join(child.content for child in cells[3].children)
    assert {child.type for child in cells[3].children} <= {"text", "text_special"}
    assert shown == name.replace("\t", " ").replace("\n", " ")
    assert len([t for t in tokens if t.type == "td_open"]) == 2


# The format of numbers.
@pytest.mark.parametrize(
    ("values", "decimals"),
    [
        ([0.5, math.nan], 3), ([9.99, -1], 3), ([99.0], 2), ([-123.4], 1), ([1e6], 1), ([0.05], 4), ([1e-12], 6),
        ([0, math.inf], 3), ([], 3),
    ],
)  # fmt: skip
def test_decimals_follow_the_largest_value(values, decimals):
    assert decimals_for(values) == decimals


def test_numbers_are_printed_without_negative_zero_and_p_never_as_zero():
    assert format_number(-0.0001, 3) == "0.000"
    assert format_number(-0.12, 2) == "-0.12"
    assert format_number(math.nan, 2) == "n/a"
    assert [format_number(math.inf, 2), format_number(-math.inf, 2)] == ["inf", "-inf"]
    assert format_interval(math.nan, 1, 2) == ""
    assert [format_p(0.0), format_p(0.0001), format_p(1), format_p(math.nan)] == [
        "<0.0001", "0.0001", "1.0000", "n/a",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("count", "text"),
    [(2, "2"), (999, "999"), (1234, "1,230"), (11_123_456, "11,100,000"), (math.inf, "no bound"), (math.nan, "n/a")],
)
def test_an_estimated_count_has_three_digits(count, text):
    assert format_estimated_count(count) == text


# A table as a value.
def test_a_table_refuses_columns_of_different_lengths():
    with pytest.raises(ValueError, match="shorter"):
        Table.from_columns("t", [(Column("a"), [Cell("1")]), (Column("b"), [])])


def test_heads_are_cut_with_their_columns(over_tasks):
    board = leaderboard(over_tasks)
    assert board.narrowed([1, 3]).heads == (("pairs", "12,345"), ("systems", "4"))
    assert board.narrowed([1, 2]).heads == ()


def test_tsv_keeps_one_row_a_line():
    assert as_tsv(table_of("a\tb\nc\r\\")).split("\n") == ["submission\tr", "a\\tb\\nc\\r\\\\\t0.500", ""]


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
