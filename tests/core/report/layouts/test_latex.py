"""Tables as LaTeX."""

import subprocess

import pytest

from qeframe.report import as_latex, leaderboard
from tests.core.report.layouts.escaped_tables import NASTY, table_of


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
