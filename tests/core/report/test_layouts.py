"""The layouts of a table: each shows every name as it is."""

import io
import re
import subprocess

import attrs
import pytest
from markdown_it import MarkdownIt

from qeframe.report import Cell, Column, Table, as_latex, as_markdown, as_text, as_tsv, leaderboard, print_table

SIGNED = (
    r"- qeframe:9.9\|profile:made\_up\|primary:pearson\|test:williams\|correction:holm"
    r"\|ranking:not\_worse\_than\_best\|resample:unit\|seed:7"
    "\n"
)
NASTY = [
    "a|b",
    "w_m_t",
    "R&D",
    "50%",
    "back\\slash",
    "[bold]x[/bold]",
    "*star*",
    "`code`",
    "$x$",
    "<b>",
    "{x}",
    "#1",
    "~^",
]


def table_of(*names):
    rows = tuple((Cell(name), Cell("0.500", strong=i == 0)) for i, name in enumerate(names))
    columns = (Column("submission", "left", key=True), Column("r"))
    return Table(title="T_1", columns=columns, rows=rows, notes=("x|y:1",), strong_means="best")


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


def test_markdown_in_full(evaluation):
    assert (
        as_markdown(leaderboard(evaluation))
        == """\
# A made-up task

| rank |  | submission | pearson ↑ | 90 % interval | ranks | mae ↓ |
| ---: | :---: | :--- | ---: | ---: | ---: | ---: |
| 1 | • | first | **0.750** | 0.500 to 0.875 | 1–2 | 0.250 |
| 2 |  | second † | -0.125 |  | 2–3 | **0.125** |
| 3 |  | third | n/a |  |  | 0.500 |

- **bold**: best value of its column
- • winner under the ranking rule not\\_worse\\_than\\_best
- † baseline
- ranks: the smallest central range of ranks that holds 95 % of the bootstrap draws
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


def test_latex_in_full():
    assert (
        as_latex(table_of("a_b", "-1 & [2]"))
        == r"""% needs \usepackage{booktabs}
\begin{table}[t]
\centering\small\setlength{\tabcolsep}{4pt}
\caption{T\_1}
\begin{tabular}{lr}
\toprule
submission & r \\
\midrule
a\_b & \textbf{0.500} \\
$-$1 \& {[}2{]} & 0.500 \\
\bottomrule
\end{tabular}
\par\smallskip
\begin{minipage}{\linewidth}\footnotesize\raggedright
\textbf{bold}: best\par
x\textbar\allowbreak{}y:1\par
\end{minipage}
\end{table}
"""
    )


@pytest.mark.parametrize(
    ("name", "escaped"),
    [
        ("50% & #1_{x}$", r"50\% \& \#1\_\{x\}\$"),
        ("a\\b", r"a\textbackslash{}b"),
        ("~^", r"\textasciitilde{}\textasciicircum{}"),
        ("<a|b>", r"\textless{}a\textbar\allowbreak{}b\textgreater{}"),
        ("x---y", "x-{}-{}-y"),
        ("1–3", r"1\textendash{}3"),
        ("-0.087 to -0.01", r"$-$0.087 to $-$0.01"),
        ("wmt-2014", "wmt-2014"),
        ("two\nlines", "two lines"),
    ],
)
def test_latex_escapes(name, escaped):
    assert f"\n{escaped} & \\textbf{{0.500}} \\\\\n" in as_latex(table_of(name))


@pytest.mark.needs_program("pdflatex")
def test_latex_compiles(evaluation, tmp_path):
    body = as_latex(table_of(*NASTY)) + as_latex(leaderboard(evaluation))
    source = f"\\documentclass{{article}}\n\\usepackage{{booktabs}}\n\\begin{{document}}\n{body}\\end{{document}}\n"
    (tmp_path / "t.tex").write_text(source, encoding="utf-8")
    run = subprocess.run(
        ["pdflatex", "-interaction=nonstopmode", "-halt-on-error", "t.tex"],
        cwd=tmp_path, capture_output=True, text=True, errors="replace", check=False,
    )  # fmt: skip
    assert run.returncode == 0, run.stdout[-2000:]
    assert "Overfull" not in run.stdout


def test_tsv_keeps_one_row_a_line():
    lines = as_tsv(table_of("a\tb\nc\r\\")).split("\n")
    assert lines == ["submission\tr", "a\\tb\\nc\\r\\\\\t0.500", ""]


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
    _, shown = on_screen(leaderboard(evaluation), 80)
    assert shown.split().count("submission") == 1
    assert re.search(r"1 +• +first +0\.750 +0\.500 to 0\.875 +1–2 +0\.250", shown)


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
    cut = on_screen(HEADED, 30)[1]
    assert cut.count("pairs") == 1
