"""Tables on a terminal and as plain text."""

import io
import re

import attrs
import pytest

from qeframe.report import Cell, Column, Table, as_latex, as_markdown, as_text, leaderboard, print_table
from tests.qeframe.report.layouts.escaped_tables import table_of


class Screen(io.StringIO):
    """A stream that says it is a terminal."""

    encoding = "utf-8"

    def isatty(self):
        return True


@pytest.fixture
def on_screen(monkeypatch):
    """Print a table on a terminal of some width; return what it shows, with and without escape sequences."""
    for name in ("NO_COLOR", "COLUMNS", "FORCE_COLOR", "TTY_COMPATIBLE", "TTY_INTERACTIVE"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("TERM", "xterm-256color")

    def show(table, width):
        screen = Screen()
        print_table(table, file=screen, width=width)
        raw = screen.getvalue()
        return raw, re.sub(r"\x1b\[[0-9;]*m", "", raw)

    return show


def test_text_is_aligned_and_stars_the_best():
    assert as_text(table_of("x", "漢字")) == (
        "T_1\n\nsubmission      r\n----------  ------\nx           0.500*\n漢字        0.500\n\n* best\nx|y:1\n"
    )


def test_piped_output_is_plain_and_as_wide_as_it_needs(evaluation, monkeypatch):
    monkeypatch.delenv("FORCE_COLOR", raising=False)
    pipe = io.StringIO()
    print_table(leaderboard(evaluation), file=pipe, width=20)
    assert pipe.getvalue() == as_text(leaderboard(evaluation))
    assert "\x1b" not in pipe.getvalue()


def test_standard_output_is_the_default(capsys, monkeypatch):
    monkeypatch.delenv("FORCE_COLOR", raising=False)
    print_table(table_of("x"))
    assert capsys.readouterr().out == as_text(table_of("x"))


def test_old_terminals_get_signs_that_they_have(evaluation):
    raw = io.BytesIO()
    stream = io.TextIOWrapper(raw, encoding="ascii")
    print_table(leaderboard(evaluation), file=stream)
    stream.flush()
    shown = raw.getvalue().decode("ascii")
    assert "pearson (high)" in shown
    assert "1-2" in shown
    assert "?" not in shown


def test_control_characters_do_not_reach_the_terminal(on_screen):
    raw, shown = on_screen(table_of("\x1b[31mred\nnext"), 80)
    assert "\x1b[31m" not in raw
    assert "\\x1b[31mred next" in shown


def test_brackets_are_not_markup(on_screen):
    name = "[bold]x[/bold] :smile:"
    raw, shown = on_screen(attrs.evolve(table_of(name), title=f"title {name}", notes=(f"note {name} 12",)), 80)
    assert all(text in shown for text in (f" {name} ", f"title {name}\n", f"note {name} 12\n"))
    assert f"note {name} 12" in raw


def test_best_value_is_bold_on_a_terminal(on_screen):
    raw, _ = on_screen(table_of("x", "y"), 80)
    assert raw.count("\x1b[1m0.500") == 1


@pytest.mark.parametrize("width", [80, 120])
def test_wide_tables_are_cut_into_blocks_that_fit_without_breaking_numbers(on_screen, width):
    titles = [f"metric_{i}" for i in range(25)]
    columns = (Column("rank", key=True), Column("submission", "left", key=True), *map(Column, titles))
    rows = tuple((Cell(str(r)), Cell("n" * 50), *(Cell(f"{r}.{i:04d} to 9") for i in range(25))) for r in (1, 2))
    _, shown = on_screen(Table(title="T", columns=columns, rows=rows), width)
    assert max(map(len, shown.splitlines())) <= width
    words = shown.split()
    assert all(words.count(title) == 1 for title in titles)
    assert all(shown.count(cell.text) == 1 for row in rows for cell in row[2:])
    assert words.count("submission") == words.count("rank") > 1
    assert shown.count("n") >= 100


def test_a_table_that_fits_stays_in_one_piece(on_screen, evaluation):
    _, shown = on_screen(leaderboard(evaluation), 90)
    assert shown.split().count("submission") == 1
    assert re.search(r"1 +first +0\.750 +1–2 +yes +0\.500 to 0\.875 +0\.250", shown)


HEADED = Table(
    title="T",
    columns=(Column("submission", "left", key=True), Column("en-de"), Column("all")),
    rows=((Cell("a"), Cell("0.500±0.020", strong=True), Cell("≀1")),),
    heads=(("pairs", "12,345", ""),),
)


def test_further_heads_stand_below_the_titles():
    assert as_text(HEADED).splitlines()[2:6] == [
        "submission        en-de   all",
        "pairs            12,345",
        "----------  ------------  ---",
        "a           0.500±0.020*   ≀1",
    ]
    assert as_markdown(HEADED).splitlines()[2:6] == [
        "| submission | en-de | all |",
        "| :--- | ---: | ---: |",
        "| pairs | 12,345 |  |",
        "| a | **0.500±0.020** | ≀1 |",
    ]
    lines = as_latex(HEADED).splitlines()
    assert lines[lines.index(r"\midrule") - 1] == r"pairs & 12,345 &  \\"
    assert r"a & \textbf{0.500$\pm$0.020} & $\wr$1 \\" in lines


def test_further_heads_on_a_terminal(on_screen):
    shown = on_screen(HEADED, 80)[1].splitlines()
    assert [line.split() for line in shown[2:4]] == [["submission", "en-de", "all"], ["pairs", "12,345"]]
    assert on_screen(HEADED, 30)[1].count("pairs") == 1


def test_long_names_are_folded_after_punctuation(on_screen):
    columns = (Column("submission", "left", key=True), *(Column(f"column {i}") for i in range(9)))
    name = "a-university-of-technology-with-a-long-name-constrained-v2"
    rows = ((Cell(name), *(Cell("0.123 to 0.456") for _ in range(9))),)
    _, shown = on_screen(Table(title="T", columns=columns, rows=rows), 80)
    assert max(map(len, shown.splitlines())) <= 80
    parts = [line.split()[0] for line in shown.splitlines() if re.match(r"a-uni|[a-z-]+-[av]?", line)]
    assert parts
    assert set("".join(parts).split(name)) == {""}
    assert all(part.endswith(("-", "v2")) for part in parts)
