"""Tables as LaTeX with the booktabs package."""

from __future__ import annotations

import re
from collections.abc import Sequence

from qeframe.errors import one_line
from qeframe.report.layouts.table import Cell, Table

__all__ = ["as_latex"]

_SPECIAL = {
    **{character: f"\\{character}" for character in "&%$#_{}"},
    "\\": r"\textbackslash{}",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "<": r"\textless{}",
    ">": r"\textgreater{}",
    "|": r"\textbar\allowbreak{}",
    "`": r"\textasciigrave{}",
    "[": "{[}",
    "]": "{]}",
    "*": "{*}",
    "•": r"$\bullet$",
    "†": r"$\dagger$",
    "‡": r"$\ddagger$",
    "↑": r"$\uparrow$",
    "↓": r"$\downarrow$",
    "–": r"\textendash{}",
    "±": r"$\pm$",
    "≀": r"$\wr$",
}
"""Brackets and stars are in braces: after a row break or a rule they would be read as its argument."""

_NEGATIVE = re.compile(r"(?<![\w.)-])-(?=\d)")
_HYPHEN = re.compile(r"-(?=-)")
"""Two hyphens in a row would be set as a dash."""

_ALIGN = {"left": "l", "right": "r", "center": "c"}


def as_latex(table: Table) -> str:
    r"""Return a ``table`` environment; the document needs ``\usepackage{booktabs}``.

    Names in scripts that pdfLaTeX does not know need XeLaTeX or LuaLaTeX.
    """
    escaped = table.worded(_escape)
    notes = [rf"\textbf{{bold}}: {escaped.strong_means}"] if escaped.strong_means else []
    lines = [
        r"% needs \usepackage{booktabs}",
        r"\begin{table}[t]",
        r"\centering\small\setlength{\tabcolsep}{4pt}",
        rf"\caption{{{escaped.title}}}",
        rf"\begin{{tabular}}{{{''.join(_ALIGN[column.align] for column in escaped.columns)}}}",
        r"\toprule",
        _row([column.title for column in escaped.columns]),
        *map(_row, escaped.heads),
        r"\midrule",
        *(_row([_cell(cell) for cell in row]) for row in escaped.rows),
        r"\bottomrule",
        r"\end{tabular}",
        *_below([*notes, *escaped.notes]),
        r"\end{table}",
    ]
    return "\n".join(lines) + "\n"


def _escape(text: str) -> str:
    signed = _NEGATIVE.split(one_line(text))
    return "$-$".join(_HYPHEN.sub("-{}", "".join(_SPECIAL.get(c, c) for c in part)) for part in signed)


def _cell(cell: Cell) -> str:
    return rf"\textbf{{{cell.text}}}" if cell.strong else cell.text


def _row(texts: Sequence[str]) -> str:
    return " & ".join(texts) + r" \\"


def _below(notes: list[str]) -> list[str]:
    if not notes:
        return []
    return [
        r"\par\smallskip",
        r"\begin{minipage}{\linewidth}\footnotesize\raggedright",
        *(rf"{note}\par" for note in notes),
        r"\end{minipage}",
    ]
