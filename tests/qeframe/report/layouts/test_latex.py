"""Tables as LaTeX."""

import itertools
import re
import subprocess

import attrs
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from qeframe import evaluate
from qeframe.report import Cell, Column, Table, as_latex, leaderboard
from qeframe.report.layouts.latex import FOOTNOTE, SMALL, breakable, escape, text_width
from tests.qeframe.report.layouts.escaped_tables import NASTY, table_of


def test_latex_in_full():
    assert (
        as_latex(table_of("a_b", "-1 & [2]"))
        == r"""% needs \usepackage{booktabs}
\begin{table*}[t]
\centering\small\setlength{\tabcolsep}{4pt}
\caption{T\_1}\label{tab:t-1}
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
\end{table*}
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


def test_a_table_that_is_too_wide_is_cut_into_blocks_that_repeat_the_names():
    text = as_latex(numbers_table(rows=3, columns=20))
    assert text.count(r"\begin{table*}") == 1
    assert text.count(r"\begin{tabular}") == text.count("name 0 &") > 1
    for column in range(20):
        assert text.count(f"column {column} ") == 1


def test_a_table_that_is_too_high_is_continued_under_the_same_number():
    text = as_latex(numbers_table(rows=120, columns=2))
    floats = text.count(r"\begin{table*}")
    assert floats > 1
    assert text.count(r"\addtocounter{table}{-1}") == text.count("(continued)") == floats - 1
    for row in range(120):
        assert text.count(f"name {row} &") == 1


def test_small_type_where_it_saves_a_block():
    sizes = {size: as_latex(numbers_table(rows=2, columns=size)) for size in range(1, 12)}
    assert r"\small" in sizes[1]
    assert any(r"\centering\footnotesize" in text for text in sizes.values())


def test_long_names_are_folded_after_punctuation():
    text = as_latex(table_of("a-university-of-technology/with_a_long_name/constrained-v2", "b"))
    assert r"\parbox[t]{" in text
    assert r"university-\allowbreak{}of-\allowbreak{}technology/\allowbreak{}with\_" in text


def test_many_environments_are_printed_in_turns():
    text = as_latex(numbers_table(rows=1500, columns=2))
    assert text.count(r"\clearpage") == (text.count(r"\begin{table*}") - 1) // 12 > 0


def test_notes_that_do_not_fit_are_set_as_text():
    table = numbers_table(rows=2, columns=2)
    assert as_latex(attrs.evolve(table, notes=("n",))).rstrip().endswith(r"\end{table*}")
    after = as_latex(attrs.evolve(table, notes=("many words " * 20,) * 13)).partition(r"\end{table*}")[2]
    assert after.count("many words many") > 0
    assert after.startswith("\n\\begin{table*}[t]\n\\begin{minipage}"), "an environment of their own"
    after = as_latex(attrs.evolve(table, notes=("many words " * 20,) * 40)).partition(r"\end{table*}")[2]
    assert after.count("many words many") > 0
    assert r"\begin{table*}" not in after, "notes of more than a page are text"


def test_a_table_has_a_label():
    assert r"\caption{T\_1}\label{tab:leaderboard}" in as_latex(table_of("a"), label="leaderboard")
    assert as_latex(numbers_table(rows=120, columns=2)).count(r"\label{tab:numbers}") == 1


@pytest.mark.parametrize(("name", "codes"), [("系统", "U+7CFB, U+7EDF"), ("Матeza", "U+041C, U+0430, U+0442")])
def test_letters_beyond_latin_name_the_engine(name, codes):
    assert f"% not for pdfLaTeX: it has {codes}; use LuaLaTeX or XeLaTeX" in as_latex(table_of(name))
    assert "pdfLaTeX" not in as_latex(table_of("Ärger-ő ≤ •"))


@settings(max_examples=50)
@given(rows=st.integers(0, 70), columns=st.integers(0, 30), width=st.sampled_from([40.0, 219.0, 345.0, 480.0]))
def test_every_cell_is_there_once_in_some_block(rows, columns, width):
    text = as_latex(numbers_table(rows=rows, columns=columns), width=width)
    expected = sorted(f"{row}.{column:03d}" for row, column in itertools.product(range(rows), range(columns)))
    assert sorted(re.findall(r"\b\d+\.\d{3}\b", text)) == expected


def numbers_table(*, rows, columns):
    """Return a table of names and numbers; the number in row 3 and column 5 is 3.005."""
    return Table(
        title="Numbers",
        columns=(Column("submission", "left", key=True), *(Column(f"column {i}") for i in range(columns))),
        rows=tuple(
            (Cell(f"name {row}"), *(Cell(f"{row}.{column:03d}", strong=row == 1) for column in range(columns)))
            for row in range(rows)
        ),
    )


@pytest.mark.needs_program("pdflatex")
def test_latex_compiles(evaluation, tmp_path):
    assert_fits(as_latex(table_of(*NASTY)) + as_latex(leaderboard(evaluation)), tmp_path)


@pytest.mark.needs_program("pdflatex")
def test_cut_and_continued_tables_fit_on_their_pages(tmp_path):
    words = ["Mmmm-WWWW-%%%%", "UPPER_CASE_NAME", "0.123±0.045", "lower case words", "x", "a/b" * 30, "a" * 50]
    rng = np.random.default_rng(0)
    tables = [
        Table(
            title="A title of some words",
            columns=tuple(Column(str(word), key=i < keys) for i, word in enumerate(rng.choice(words, columns))),
            rows=tuple(
                tuple(Cell(str(word), strong=bool(rng.random() < 0.3)) for word in rng.choice(words, columns))
                for _ in range(rng.integers(0, 60))
            ),
            notes=tuple(map(str, rng.choice(words, 5))),
        )
        for keys, columns in [(1, 3), (1, 9), (2, 7), (3, 5), (0, 6)]
    ]
    assert_fits("\\clearpage\n".join(map(as_latex, tables)), tmp_path)


@pytest.mark.slow
@pytest.mark.needs_program("pdflatex")
@pytest.mark.parametrize(
    ("profile", "folder", "environments"),
    [("wmt14_qe_task1_2", "wmt14-qe-task1.2", 1), ("wmt23_metrics_segment", "wmt23-metrics-pairs", 4)],
)
def test_tables_of_shared_tasks_fit_on_the_pages_of_an_article(profile, folder, environments, shared_data, tmp_path):
    result = evaluate(profile, shared_data(folder), settings=["test="])
    text = as_latex(leaderboard(result))
    assert text.count(r"\begin{table*}") == environments
    assert_fits(text, tmp_path)


ENGINES = [pytest.param(engine, marks=pytest.mark.needs_program(engine)) for engine in ("pdflatex", "lualatex")]


@pytest.mark.slow
@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("columns", ["onecolumn", "twocolumn"])
def test_one_file_fits_in_one_column_and_in_two(evaluation, engine, columns, tmp_path):
    long = attrs.evolve(leaderboard(evaluation), notes=("a note of many words " * 12,) * 13)
    tables = [leaderboard(evaluation), long, numbers_table(rows=80, columns=9), table_of(*NASTY)]
    body = "\n".join(map(as_latex, tables)) + r" See table~\ref{tab:numbers}."
    assert_fits(body, tmp_path, engine=engine, options=columns)


@pytest.mark.slow
@pytest.mark.needs_program("lualatex")
def test_letters_beyond_latin_compile_with_the_engine_that_is_named(tmp_path):
    assert_fits(as_latex(table_of("系统", "Матeza")), tmp_path, engine="lualatex")


def assert_fits(body, folder, *, engine="pdflatex", options="onecolumn"):
    """Compile a text: no error, and no box that is too wide by more than 1 pt."""
    head = f"\\documentclass[{options}]{{article}}\n\\usepackage{{booktabs}}\n"
    source = f"{head}\\begin{{document}}\n{body}\\end{{document}}\n"
    (folder / "t.tex").write_text(source, encoding="utf-8")
    run = subprocess.run(
        [engine, "-interaction=nonstopmode", "-halt-on-error", "t.tex"],
        cwd=folder, capture_output=True, text=True, errors="replace", check=False,
    )  # fmt: skip
    assert run.returncode == 0, run.stdout[-2000:]
    wide = [float(points) for points in re.findall(r"Overfull \\hbox \(([0-9.]+)pt", run.stdout)]
    assert all(points <= 1 for points in wide), wide
    assert "Overfull \\vbox" not in run.stdout
    assert "too large" not in run.stdout


@pytest.mark.parametrize("text", ["", "short", "many short words in one line, which break at spaces", "a-b_c & 50%"])
def test_short_words_are_not_broken(text):
    assert breakable(text) == escape(text)


@pytest.mark.parametrize("text", ["x" * 40, "a-b/c" * 9, "profile:x|primary:pearson|test:williams", "w " + "_" * 60])
def test_long_words_keep_their_letters(text):
    broken = breakable(text)
    assert broken.count(r"\allowbreak{}") > escape(text).count(r"\allowbreak{}")
    assert broken.replace(r"\allowbreak{}", "") == escape(text).replace(r"\allowbreak{}", "")


def test_where_long_words_break():
    assert breakable("one-two three", longest=6) == r"one-\allowbreak{}two three"
    assert breakable("a" * 40) == r"\allowbreak{}".join(["a" * 12, "a" * 12, "a" * 12, "a" * 4])


@pytest.mark.parametrize(("text", "escaped"), [("≤ 100", r"$\leq$ 100"), ("§ ¶", r"\S{} \P{}"), ("a--b", "a-{}-b")])
def test_signs(text, escaped):
    assert escape(text) == escaped


@pytest.mark.parametrize(
    ("text", "least", "most"),
    [("", 0, 0), ("0.595", 2.28, 2.4), ("MetricX", 3.8, 4.3), ("iiii", 1.1, 1.3), ("日本", 2, 2)],
)
def test_widths_are_a_little_above_those_of_the_type(text, least, most):
    assert least <= text_width(text) <= most


def test_room_that_type_takes():
    assert text_width("0.595", strong=True) > 1.15 * text_width("0.595")
    assert FOOTNOTE.em < SMALL.em
    assert FOOTNOTE.line < SMALL.line
    assert SMALL.lines("", 100) == SMALL.lines("short", 100) == 1
    assert SMALL.lines("many words " * 50, 100) > 20
