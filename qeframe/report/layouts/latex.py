"""Tables as LaTeX with the packages booktabs and graphicx."""

import re
import textwrap
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain

from qeframe.core.errors import one_line
from qeframe.report.layouts.table import Cell, Table

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
    "→": r"$\rightarrow$",
    "–": r"\textendash{}",
    "±": r"$\pm$",
    "≀": r"$\wr$",
    "°": r"$^{\circ}$",
    "≤": r"$\leq$",
    "≥": r"$\geq$",
    "§": r"\S{}",
    "¶": r"\P{}",
}
"""Brackets and stars are in braces: after a row break or a rule they would be read as its argument."""

_NEGATIVE = re.compile(r"(?<![\w.)-])-(?=\d)")
_HYPHEN = re.compile(r"-(?=-)")
"""Two hyphens in a row would be set as a dash."""

_PIECES = re.compile(r"[^\s_/.:,;=()-]{1,12}[_/.:,;=()-]{0,8}|[_/.:,;=()-]{1,8}")
"""Where a long name may break: after punctuation, else after 12 characters."""
_BREAK = r"\allowbreak{}"


def escape(text: str) -> str:
    """Return a text on one line with what LaTeX reads as a command escaped."""
    signed = _NEGATIVE.split(one_line(text))
    return "$-$".join(_HYPHEN.sub("-{}", "".join(_SPECIAL.get(c, c) for c in part)) for part in signed)


def breakable(text: str, *, longest: int = 24) -> str:
    """Return an escaped text whose words of more than ``longest`` characters may be broken."""
    pieces = []
    at = 0
    for long in re.finditer(rf"\S{{{longest + 1},}}", text):
        pieces += [escape(text[at : long.start()]), _BREAK.join(map(escape, _PIECES.findall(long[0])))]
        at = long.end()
    return "".join([*pieces, escape(text[at:])])


def _label(text: str) -> str:
    """Return a text as a label: small letters and digits with hyphens between words."""
    return "-".join(re.findall(r"[a-z0-9]+", text.lower())) or "table"


def _engine(texts: Iterable[str]) -> list[str]:
    """Return the comment on letters that pdfLaTeX does not set, if there are any."""
    supported = {*_SPECIAL, *"‘’“”…—"}
    foreign = sorted({c for text in texts for c in text if ord(c) > _LAST_LATIN and c not in supported})
    if not foreign:
        return []
    codes = ", ".join(f"U+{ord(c):04X}" for c in foreign[:3])
    return [f"% not for pdfLaTeX: it has {codes}; use LuaLaTeX or XeLaTeX, and a font with these letters"]


_LAST_LATIN = 0x17F
"""The last letter of the Latin scripts that pdfLaTeX sets in any font."""


_ALIGN = {"left": "l", "right": "r", "center": "c"}
_CHARACTER, _GAP = 4.6, 8.0
r"""The width of a character in ``\small`` and the space around a column, in points."""
_LONGEST = 40
"""A longer cell is set in several lines."""
_HEAD = 10
"""A head may be so long in one line, or as long as the cells below it; a longer one is set in several lines."""
_BEFORE_SIGN, _HELD = re.compile(r" (?=\S(?: |$))"), "\N{NO-BREAK SPACE}"
"""A sign of one character is kept in the line of the word before it."""
_HEIGHT, _CAPTION, _LINE = 550.0, 45.0, 11.0
"""The heights of the text on a page, of a caption with the rules, and of a row, in points."""
_SMALLEST = 1.5
r"""A table is turned if more than so many times its room in ``\small`` would have to be scaled into it."""
_MOST_FLOATS = 12
"""LaTeX refuses a document in which more than 18 environments wait for a page."""
_FITTED = r"\resizebox{\ifdim\width>\linewidth\linewidth\else\width\fi}{!}{%"


def as_latex(table: Table, *, width: float = 455.0, caption: str = "", label: str = "") -> str:
    r"""Return a ``table*`` that is as wide as the text at most; `latex_notes` has the notes.

    The document needs ``\usepackage{booktabs,graphicx}``. A head that is longer than the cells of its column is broken
    at spaces. LaTeX measures the table and scales down one that is too wide; ``table*`` spans both columns of a text
    in two, and is ``table`` in a text in one. A table whose type would become too small is turned, which needs the
    package rotating. One that is too wide even so, or has more rows than a page, is continued in further environments,
    which have the number of the first. Where a text has letters that pdfLaTeX does not know, a comment at the top says
    so.

    Parameters
    ----------
    table : Table
    width : float
        The width of the text in points (``\the\textwidth``), by which a table is turned. Default: that of a page in two
        columns.
    caption : str
        By default the title of the table.
    label : str
        What ``\ref`` calls the table, after ``tab:``; by default made from its title.
    """
    plain = table.worded(one_line)
    widths = _widths(plain)
    turned = sum(widths) > _SMALLEST * width
    across, down = (_HEIGHT, width) if turned else (width, _HEIGHT)
    pieces = []
    for block in plain.cut(widths, _SMALLEST * across):
        scale = min(1.0, across / sum(_widths(block)))
        pieces += [_tabular(block, rows) for rows in _by_pages(block, int((down - _CAPTION) / (_LINE * scale)))]
    environment = "sidewaystable*" if turned else "table*"
    title = escape(caption or plain.title)
    heads = [column.written or column.title for column in plain.columns]
    cells = [cell.text for row in plain.rows for cell in row]
    needed = rf"% needs \usepackage{{booktabs,graphicx{',rotating' if turned else ''}}}"
    lines = [needed, *_engine([caption or plain.title, *heads, *chain(*plain.heads), *cells])]
    for nth, tabular in enumerate(pieces):
        lines += [
            *([r"\clearpage"] if nth and nth % _MOST_FLOATS == 0 else []),
            rf"\begin{{{environment}}}{'' if turned else '[t]'}",
            r"\centering\small\setlength{\tabcolsep}{4pt}",
            *([r"\addtocounter{table}{-1}"] if nth else []),
            rf"\caption{{{title} (continued)}}"
            if nth
            else rf"\caption{{{title}}}\label{{tab:{_label(label or plain.title)}}}",
            _FITTED,
            *tabular,
            "}",
            rf"\end{{{environment}}}",
        ]
    return "\n".join(lines) + "\n"


def latex_notes(table: Table) -> str:
    """Return the notes of a table as text in small type, for below it or for an appendix; empty without any."""
    plain = table.worded(one_line).notes
    notes = [rf"{breakable(note)}\par" for note in plain]
    if table.strong_means:
        notes = [rf"\textbf{{bold}}: {escape(table.strong_means)}\par", *notes]
    return "\n".join([*_engine(plain), r"{\footnotesize\raggedright", *notes, "}"]) + "\n" if notes else ""


def _widths(table: Table) -> list[float]:
    """Return about how wide each column is, with its gaps, in points."""
    lines = [[*map(len, chain.from_iterable(cells))] for cells in zip(*_heads(table), strict=True)]
    cells = [[len(row[position].text) for row in table.rows] for position in range(len(table.columns))]
    return [_CHARACTER * min(_LONGEST, max([*head, *below])) + _GAP for head, below in zip(lines, cells, strict=True)]


def _heads(table: Table) -> list[list[list[str]]]:
    """Return the lines of each cell of each head, as long as the cells below or the longest word."""
    columns = list(zip(*table.rows, strict=True)) or [()] * len(table.columns)
    longest = [max([_HEAD, *(len(cell.text) for cell in cells)]) for cells in columns]
    heads = [[column.written or column.title for column in table.columns], *table.heads]
    return [
        [_wrap(_BEFORE_SIGN.sub(_HELD, text), most) for text, most in zip(head, longest, strict=True)] for head in heads
    ]


def _wrap(text: str, most: int) -> list[str]:
    words = text.split(" ")
    lines = textwrap.wrap(text, max(most, *map(len, words), 1), break_on_hyphens=False)
    return [line.replace(_HELD, " ") for line in lines] or [""]


def _by_pages(table: Table, most: int) -> Iterator[range]:
    """Yield the rows of each page, at least one."""
    in_heads = sum(max(map(len, head)) for head in _heads(table)) - 1
    first, used = 0, in_heads
    for nth, row in enumerate(table.rows):
        lines = max((-(-len(cell.text) // _LONGEST) for cell in row), default=1)
        if nth > first and used + lines > most:
            yield range(first, nth)
            first, used = nth, in_heads
        used += lines
    yield range(first, len(table.rows))


def _tabular(table: Table, rows: range) -> list[str]:
    aligned = [_ALIGN[column.align] for column in table.columns]
    lines = [
        rf"\begin{{tabular}}{{{''.join(aligned)}}}",
        r"\toprule",
        *(_row(map(_head, head, aligned)) for head in _heads(table)),
        r"\midrule",
    ]
    for nth in rows:
        lines.append(_row(map(_cell, table.rows[nth])))
        lines += [r"\midrule"] if nth in table.borders and nth != rows[-1] else []
    return [*lines, r"\bottomrule", r"\end{tabular}"]


def _row(cells: Iterable[str]) -> str:
    return " & ".join(cells) + r" \\"


def _head(lines: Sequence[str], align: str) -> str:
    """Return a cell of a head, whose last line is level with those of the others."""
    text = r"\\".join(map(escape, lines))
    return text if len(lines) == 1 else rf"\shortstack[{align}]{{{text}}}"


def _cell(cell: Cell) -> str:
    """Return a cell, a long one as a paragraph."""
    long = len(cell.text) > _LONGEST
    text = breakable(cell.text) if long else escape(cell.text)
    text = rf"\textbf{{{text}}}" if cell.strong else text
    return rf"\parbox[t]{{{_LONGEST * _CHARACTER:.0f}pt}}{{\raggedright {text}\strut}}" if long else text
