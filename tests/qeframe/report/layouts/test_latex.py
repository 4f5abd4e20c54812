"""Tables as LaTeX."""

import itertools
import re
import subprocess

import attrs
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from qeframe import evaluate
from qeframe.report import Cell, Column, Table, as_latex, latex_notes, leaderboard, parts_table
from qeframe.report.layouts.latex import breakable, escape
from tests.qeframe.report.layouts.escaped_tables import NASTY, table_of


def test_latex_in_full():
    table = attrs.evolve(table_of("a_b", "-1 & [2]"), borders=(0,))
    assert (
        as_latex(table)
        == r"""% needs \usepackage{booktabs,graphicx}
\begin{table*}[t]
\centering\small\setlength{\tabcolsep}{4pt}
\caption{T\_1}\label{tab:t-1}
\resizebox{\ifdim\width>\linewidth\linewidth\else\width\fi}{!}{%
\begin{tabular}{lr}
\toprule
submission & r \\
\midrule
a\_b & \textbf{0.500} \\
\midrule
$-$1 \& {[}2{]} & 0.500 \\
\bottomrule
\end{tabular}
}
\end{table*}
"""
    )
    assert (
        latex_notes(table)
        == r"""{\footnotesize\raggedright
\textbf{bold}: best\par
x\textbar\allowbreak{}y:1\par
}
"""
    )
    assert latex_notes(attrs.evolve(table, notes=(), strong_means="")) == ""


def rows_of(text):
    """Check the structure of a text in LaTeX, and return the cells of every row: one for each column."""
    opened, rows, columns = [], [], 0
    assert text.count("{") - text.count(r"\{") == text.count("}") - text.count(r"\}")
    for line in text.splitlines():
        for which, name in re.findall(r"\\(begin|end)\{([a-z*]+)\}", line):
            assert which == "begin" or opened.pop() == name
            opened += [name] if which == "begin" else []
        if begun := re.match(r"\\begin\{tabular\}\{([lrc]+)\}$", line):
            columns = len(begun[1])
        if line.endswith(r" \\"):
            rows.append(re.split(r"(?<!\\) ?& ?", line.removesuffix(r" \\")))
            assert opened[-1] == "tabular"
            assert len(rows[-1]) == columns
    assert opened == []
    return rows


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


@pytest.mark.parametrize("columns", [1, 6, 12])
def test_up_to_twelve_columns_are_one_table(columns):
    text = as_latex(numbers_table(rows=20, columns=columns - 1))
    assert text.count(r"\begin{tabular}") == text.count(r"\resizebox") == text.count(r"\begin{table*}") == 1
    assert rows_of(text)[0] == ["submission", *(f"column {column}" for column in range(columns - 1))]


def test_a_table_whose_type_would_be_too_small_is_turned():
    environments = {
        n: re.findall(r"\\begin\{(\w+\*)\}", as_latex(numbers_table(rows=2, columns=n))) for n in (8, 15, 50)
    }
    assert environments == {8: ["table*"], 15: ["sidewaystable*"], 50: ["sidewaystable*"] * 4}
    assert "booktabs,graphicx,rotating}" in as_latex(numbers_table(rows=2, columns=15))
    assert r"\begin{table*}" in as_latex(numbers_table(rows=2, columns=15), width=640.0)


def test_a_table_that_is_too_high_is_continued_under_the_same_number():
    text = as_latex(numbers_table(rows=120, columns=2))
    floats = text.count(r"\begin{table*}")
    assert floats == 3
    assert text.count(r"\addtocounter{table}{-1}") == text.count("(continued)") == floats - 1
    assert [row[0] for row in rows_of(text) if row[0] != "submission"] == [f"name {row}" for row in range(120)]
    assert text.count(r"\label{tab:numbers}") == 1
    # pages of turned blocks have fewer lines, each block by its own width
    pages = as_latex(numbers_table(rows=120, columns=50)).split(r"\begin{sidewaystable*}")[1:]
    assert len(pages) == 13
    assert max(page.count(r" \\") for page in pages) < 60


def test_a_head_longer_than_its_cells_is_broken_at_spaces():
    columns = [Column("name"), Column("system Pearson's r ↑"), Column("Kendall's tau [ties=wmt14] ↑")]
    table = Table(
        title="t",
        columns=tuple(columns),
        heads=(("pairs", "en-de, he-en", ""),),
        rows=((Cell("a"), Cell("0.5"), Cell("0.3 to 0.4 to 0.5 to 0.6 to 0.7")),),
    )
    assert rows_of(as_latex(table))[:2] == [
        ["name", r"\shortstack[r]{system\\Pearson's r $\uparrow$}", r"Kendall's tau {[}ties=wmt14{]} $\uparrow$"],
        ["pairs", r"\shortstack[r]{en-de,\\he-en}", ""],
    ]
    without_rows = as_latex(attrs.evolve(table, rows=()))
    assert r"\shortstack[r]{system\\Pearson's r $\uparrow$} & \shortstack[r]{Kendall's tau\\{[}ties=" in without_rows


def test_long_cells_are_paragraphs_and_take_the_lines_of_a_page():
    long = table_of("a-university-of-technology/with_a_long_name/constrained-v2", "b")
    assert r"\parbox[t]{184pt}{\raggedright a-\allowbreak{}university-" in as_latex(long)
    rows = [table_of("x" * 400).rows[0]] * 9
    assert as_latex(attrs.evolve(long, rows=tuple(rows))).count(r"\begin{table*}") == 3


def test_many_environments_are_printed_in_turns():
    text = as_latex(numbers_table(rows=1500, columns=2))
    assert text.count(r"\clearpage") == (text.count(r"\begin{table*}") - 1) // 12 > 0


def test_a_rule_ends_every_cluster_but_the_last_of_a_page():
    table = attrs.evolve(numbers_table(rows=60, columns=1), borders=(3, 44, 50))
    lines = as_latex(table).splitlines()
    ends = [at for at, line in enumerate(lines) if line == r"\midrule" and not lines[at - 1].startswith("submission")]
    assert [lines[at - 1].partition(" &")[0] for at in ends] == ["name 3", "name 50"]


def test_the_clusters_of_a_leaderboard_end_in_rules(evaluation_of, scored):
    clusters = {"a": 1, "b": 1, "c": 2, "d": 3}
    rows = [scored(name, at, {"pearson": 1 / at}, cluster=clusters[name]) for at, name in enumerate(clusters, 1)]
    assert leaderboard(evaluation_of(rows)).borders == (1, 2)
    mixed = [attrs.evolve(row, cluster=cluster) for row, cluster in zip(rows, (1, 2, 1, 2), strict=True)]
    assert leaderboard(evaluation_of(mixed)).borders == ()


def test_caption_and_label_can_be_chosen():
    text = as_latex(table_of("a"), caption="Results & ranks", label="Main results")
    assert r"\caption{Results \& ranks}\label{tab:main-results}" in text


@pytest.mark.parametrize(("name", "codes"), [("系统", "U+7CFB, U+7EDF"), ("Матeza", "U+041C, U+0430, U+0442")])
def test_letters_beyond_latin_name_the_engine(name, codes):
    assert f"% not for pdfLaTeX: it has {codes}; use LuaLaTeX or XeLaTeX" in as_latex(table_of(name))
    assert "pdfLaTeX" not in as_latex(table_of("Ärger-ő ≤ •"))


@settings(max_examples=50)
@given(rows=st.integers(0, 70), columns=st.integers(0, 80), width=st.sampled_from([40.0, 219.0, 345.0, 480.0]))
def test_every_cell_is_there_once(rows, columns, width):
    text = as_latex(numbers_table(rows=rows, columns=columns), width=width)
    expected = sorted(f"{row}.{column:03d}" for row, column in itertools.product(range(rows), range(columns)))
    assert sorted(re.findall(r"\b\d+\.\d{3}\b", "\n".join(map(" ".join, rows_of(text))))) == expected


def test_nasty_names_keep_the_structure():
    assert len(rows_of(as_latex(table_of(*NASTY)))) == 1 + len(NASTY)


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


@pytest.mark.slow
@pytest.mark.parametrize(
    ("profile", "folder"), [("wmt14_qe_task1_2", "wmt14-qe-task1.2"), ("wmt23_metrics", "wmt23-metrics-pairs")]
)
def test_tables_of_shared_tasks_are_one_table_each(profile, folder, shared_data):
    result = evaluate(profile, shared_data(folder), settings=["interval="])
    for table in filter(None, (leaderboard(result), parts_table(result))):
        text = as_latex(table)
        assert len(re.findall(r"\\begin\{\w+\*\}", text)) == text.count(r"\begin{tabular}") == 1
        assert len(rows_of(text)) == 1 + len(table.heads) + len(table.rows)


ENGINES = [pytest.param(engine, marks=pytest.mark.needs_program(engine)) for engine in ("pdflatex", "lualatex")]


@pytest.mark.slow
@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("columns", ["onecolumn", "twocolumn"])
def test_one_file_fits_in_one_column_and_in_two(evaluation, engine, columns, tmp_path):
    long = attrs.evolve(leaderboard(evaluation), notes=("a note of many words " * 12,) * 13)
    tables = [leaderboard(evaluation), long, numbers_table(rows=80, columns=9), table_of(*NASTY)]
    tables += [numbers_table(rows=3, columns=40)]
    body = "\n".join(text(table) for table in tables for text in (as_latex, latex_notes)) + r" See~\ref{tab:numbers}."
    assert_fits(body, tmp_path, engine=engine, options=columns)


@pytest.mark.slow
@pytest.mark.needs_program("lualatex")
def test_letters_beyond_latin_compile_with_the_engine_that_is_named(tmp_path):
    assert_fits(as_latex(table_of("系统", "Матeza")), tmp_path, engine="lualatex")


def assert_fits(body, folder, *, engine="pdflatex", options="onecolumn"):
    """Compile a text: no error, and no box that is too wide by more than 1 pt."""
    head = f"\\documentclass[{options}]{{article}}\n\\usepackage{{booktabs,graphicx,rotating}}\n"
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
