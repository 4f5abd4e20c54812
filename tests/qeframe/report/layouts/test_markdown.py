"""Tables as Markdown."""

import pytest
from markdown_it import MarkdownIt

from qeframe.report import as_markdown, leaderboard
from tests.qeframe.report.layouts.escaped_tables import NASTY, table_of

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
where all submissions are equal, all ranges hold in 3 of 1,000 data sets
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
