"""Layouts of tables."""

import math

import pytest
from markdown_it import MarkdownIt

from qeframe.report import Cell, Column, Table, as_markdown, leaderboard
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

| rank |  | submission | pearson ↑ | drawn ranks | 90 % interval | mae ↓ |
| ---: | :---: | :--- | ---: | ---: | ---: | ---: |
| 1 | • | first | **0.750** | 1–2 | 0.500 to 0.875 | 0.250 |
| 2 |  | second † | -0.125 | 2–3 |  | **0.125** |
| 3 |  | third | n/a |  |  | 0.500 |

- **bold**: best value of its column
- • winner under the ranking rule not\\_worse\\_than\\_best
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
        ([0.5, math.nan], 3),
        ([9.99, -1], 3),
        ([99.0], 2),
        ([-123.4], 1),
        ([1e6], 1),
        ([0.05], 4),
        ([1e-12], 6),
        ([0, math.inf], 3),
        ([], 3),
    ],
)
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
