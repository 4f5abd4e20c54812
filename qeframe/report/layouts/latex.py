"""Tables as LaTeX with the booktabs package."""

import itertools
import math
import re
from collections.abc import Sequence
from functools import cache

from attrs import frozen

from qeframe.core.errors import one_line
from qeframe.report.layouts.table import Cell, Table


@frozen
class TypeSize:
    r"""A size of type: the command that chooses it, the height of a line, and the size of an em, in points.

    Small type is set wider than its size says, so that an em of ``\footnotesize`` is more than 8 points.
    """

    command: str
    line: float
    em: float

    def lines(self, text: str, width: float) -> int:
        """Return how many lines a paragraph takes at a width in points: at least one, words are not divided."""
        return max(1, math.ceil(1.2 * text_width(text) * self.em / width))


SMALL = TypeSize(r"\small", 11.0, 9.25)
FOOTNOTE = TypeSize(r"\footnotesize", 9.5, 8.5)

_BOLD = 1.16
_CLASSES = {
    "ijl.,:;'|![]": 0.31,
    " ": 0.36,
    "frts()I-`": 0.4,
    "0123456789/–": 0.5,
    "aceghkosvxyz": 0.53,
    "w": 0.73,
    "ABCDEFGHJKLNOPQRSTUVXYZ_{}#": 0.79,
    "mMW%&@<>=+~^\\±↑↓→‡•": 1.03,
}
_WIDTHS = {character: width for characters, width in _CLASSES.items() for character in characters}
_OTHERS = 0.56
"""The width of the other characters of ASCII."""


def text_width(text: str, *, strong: bool = False) -> float:
    """Return the width of a text in ems; letters beyond ASCII count as one em each."""
    width = math.fsum(map(_width, text))
    return _BOLD * width if strong else width


@cache
def _width(character: str) -> float:
    return _WIDTHS.get(character, _OTHERS if character.isascii() or character in "†≀°" else 1.0)


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


_ALIGN = {"left": "l", "right": "r", "center": "c"}
_GAP = 4.0
"""Points on each side of a column."""
_RULES = 28.0
"""The height of the three rules of a table with the space around them, in points."""
_KEY_SHARE = 0.4
_KEYS_SHARE = 0.75
"""The largest shares of the width that a key column takes, and that all of them take."""
_LONGEST_WORD = 8
"""The longest word of a folded cell that is never broken."""
_MOST_FLOATS = 12
"""LaTeX refuses a document in which more than 18 environments wait for a page."""


@frozen
class _Sheet:
    """The size of the text on a page in points, and the type that a table is set in."""

    width: float
    height: float
    type: TypeSize


def as_latex(table: Table, *, width: float = 345.0, height: float = 530.0, label: str = "") -> str:
    r"""Return ``table*`` environments that fit on a page; the document needs ``\usepackage{booktabs}``.

    They span both columns of a text in two; in a text in one column ``table*`` is ``table``. A table that is too wide
    is cut into blocks of columns, one below the other, and each block repeats the key columns. A table that is too high
    is continued in further environments, which have the number of the first. Type is ``\small``, or
    ``\footnotesize`` where fewer blocks result. Cells that are wider than what is left beside the key columns are
    folded. Notes that do not fit below the last block have an environment of their own; notes of more than a page are
    set as text, which breaks over pages.

    Widths are estimated for Computer Modern. Where a text has letters that pdfLaTeX does not know, a comment at the top
    says so: LuaLaTeX and XeLaTeX set them in a font that has them.

    Parameters
    ----------
    table : Table
    width, height : float
        The size of the text on a page, in points (``\the\textwidth``, ``\the\textheight``); by default that of the
        class article. Texts in two columns are wider.
    label : str
        What ``\ref`` calls the table, after ``tab:``; by default made from its title.
    """
    plain = table.worded(one_line)
    sheet = _Sheet(width, height, SMALL)
    blocks = _blocks(plain, sheet)
    if len(blocks) > 1:
        smaller = _Sheet(width, height, FOOTNOTE)
        in_smaller = _blocks(plain, smaller)
        sheet, blocks = (smaller, in_smaller) if len(in_smaller) < len(blocks) else (sheet, blocks)
    notes = [rf"{breakable(note)}\par" for note in plain.notes]
    if plain.strong_means:
        notes = [rf"\textbf{{bold}}: {escape(plain.strong_means)}\par", *notes]
    floats, inside = _on_pages(plain, blocks, sheet)
    lines = [r"% needs \usepackage{booktabs}", *_engine(plain)]
    name = f"tab:{_label(label or plain.title)}"
    for nth, stacked in enumerate(floats):
        if nth and nth % _MOST_FLOATS == 0:
            lines.append(r"\clearpage")
        last = inside and nth == len(floats) - 1
        lines += _float(plain, stacked, sheet, name="" if nth else name, notes=notes if last else [])
    if not inside and _height_of_notes(plain, sheet) <= sheet.height:
        lines += [r"\begin{table*}[t]", *_below(notes), r"\end{table*}"]
    elif not inside:
        lines += [r"{\footnotesize\raggedright", *notes, "}"]
    return "\n".join(lines) + "\n"


def _label(text: str) -> str:
    """Return a text as a label: small letters and digits with hyphens between words."""
    return "-".join(re.findall(r"[a-z0-9]+", text.lower())) or "table"


def _engine(table: Table) -> list[str]:
    """Return the comment on letters that pdfLaTeX does not set, if there are any."""
    cells = [cell.text for row in table.rows for cell in row]
    texts = [table.title, *(column.title for column in table.columns), *itertools.chain(*table.heads), *cells]
    supported = {*_SPECIAL, *"‘’“”…—"}
    foreign = sorted(
        {c for text in [*texts, *table.notes] for c in text if ord(c) > _LAST_LATIN and c not in supported}
    )
    if not foreign:
        return []
    codes = ", ".join(f"U+{ord(c):04X}" for c in foreign[:3])
    return [f"% not for pdfLaTeX: it has {codes}; use LuaLaTeX or XeLaTeX, and a font with these letters"]


_LAST_LATIN = 0x17F
"""The last letter of the Latin scripts that pdfLaTeX sets in any font."""


def _blocks(table: Table, sheet: _Sheet) -> list[Table]:
    """Cut a table by columns to the width of the text, then by rows to the height of a page."""
    natural = [_natural(table, i, sheet) for i in range(len(table.columns))]
    limits = _limits(table, natural, sheet)
    widths = [min(width, limit) + 2 * _GAP for width, limit in zip(natural, limits, strict=True)]
    return [piece for block in table.cut(widths, sheet.width) for piece in _by_rows(block, sheet)]


def _folded(block: Table, sheet: _Sheet) -> list[float | None]:
    """Return the width in points of every column whose cells are folded, None for the others."""
    natural = [_natural(block, i, sheet) for i in range(len(block.columns))]
    limits = _limits(block, natural, sheet)
    return [limit if width > limit else None for width, limit in zip(natural, limits, strict=True)]


def _limits(table: Table, natural: Sequence[float], sheet: _Sheet) -> list[float]:
    """Return the largest width of every column: key columns leave room for the others, which have what is left."""
    keys = [width for width, column in zip(natural, table.columns, strict=True) if column.key]
    limit = _KEY_SHARE * sheet.width
    while sum(min(width, limit) + 2 * _GAP for width in keys) > _KEYS_SHARE * sheet.width and limit > _GAP:
        limit *= 0.9
    room = sheet.width - sum(min(width, limit) + 2 * _GAP for width in keys) - 2 * _GAP
    return [limit if column.key else room for column in table.columns]


def _natural(table: Table, position: int, sheet: _Sheet) -> float:
    """Return the width of a column whose cells are not folded, without its gaps, in points."""
    texts = [
        text_width(table.columns[position].title),
        *(text_width(head[position]) for head in table.heads),
        *(text_width(row[position].text, strong=row[position].strong) for row in table.rows),
    ]
    return sheet.type.em * max(texts)


def _by_rows(block: Table, sheet: _Sheet) -> list[Table]:
    """Cut a block by rows so that each piece, with a caption, is as high as a page at most."""
    folded = _folded(block, sheet)
    room = sheet.height - _above(block, folded, sheet) - _caption(block, sheet)
    pieces: list[list[int]] = [[]]
    used = 0.0
    for nth, row in enumerate(block.rows):
        needed = _row_height(row, folded, sheet)
        if pieces[-1] and used + needed > room:
            pieces.append([])
            used = 0.0
        pieces[-1].append(nth)
        used += needed
    return [block.with_rows([block.rows[i] for i in piece]) for piece in pieces]


def _on_pages(table: Table, blocks: Sequence[Table], sheet: _Sheet) -> tuple[list[list[Table]], bool]:
    """Return the blocks of each environment, and whether the notes fit below the last one."""
    floats: list[list[Table]] = [[]]
    used = start = _caption(table, sheet)
    for block in blocks:
        folded = _folded(block, sheet)
        needed = _above(block, folded, sheet) + sum(_row_height(row, folded, sheet) for row in block.rows)
        if floats[-1] and used + needed > sheet.height:
            floats.append([])
            used = start
        floats[-1].append(block)
        used += needed
    return floats, used + _height_of_notes(table, sheet) <= sheet.height


def _height_of_notes(table: Table, sheet: _Sheet) -> float:
    notes = [f"bold: {table.strong_means}", *table.notes]
    return sum(FOOTNOTE.line * FOOTNOTE.lines(note, sheet.width) for note in notes)


def _caption(table: Table, sheet: _Sheet) -> float:
    return 22.0 + 12.0 * TypeSize("", 12.0, 10.0).lines(f"Table 00: {table.title} (continued)", sheet.width)


def _above(block: Table, folded: Sequence[float | None], sheet: _Sheet) -> float:
    head = tuple(Cell(column.title) for column in block.columns)
    return _RULES + _row_height(head, folded, sheet) + sheet.type.line * len(block.heads)


def _row_height(row: Sequence[Cell], folded: Sequence[float | None], sheet: _Sheet) -> float:
    lines = [
        1 if width is None or not cell.text else sheet.type.lines(cell.text, width)
        for cell, width in zip(row, folded, strict=True)
    ]
    return sheet.type.line * max(lines)


def _float(table: Table, blocks: Sequence[Table], sheet: _Sheet, *, name: str, notes: Sequence[str]) -> list[str]:
    """Return an environment; a continued one has no name of its own."""
    title = escape(table.title)
    lines = [
        r"\begin{table*}[t]",
        rf"\centering{sheet.type.command}\setlength{{\tabcolsep}}{{{_GAP:g}pt}}",
        *([] if name else [r"\addtocounter{table}{-1}"]),
        rf"\caption{{{title}}}\label{{{name}}}" if name else rf"\caption{{{title} (continued)}}",
    ]
    for nth, block in enumerate(blocks):
        lines += [*([r"\par\medskip"] if nth else []), *_tabular(block, _folded(block, sheet))]
    if notes:
        lines += [r"\par\smallskip", *_below(notes)]
    return [*lines, r"\end{table*}"]


def _below(notes: Sequence[str]) -> list[str]:
    return [r"\begin{minipage}{\linewidth}\footnotesize\raggedright", *notes, r"\end{minipage}"]


def _tabular(block: Table, folded: Sequence[float | None]) -> list[str]:
    return [
        rf"\begin{{tabular}}{{{''.join(_ALIGN[column.align] for column in block.columns)}}}",
        r"\toprule",
        _row([Cell(column.title) for column in block.columns], folded),
        *(_row([Cell(text) for text in head], folded) for head in block.heads),
        r"\midrule",
        *(_row(row, folded) for row in block.rows),
        r"\bottomrule",
        r"\end{tabular}",
    ]


def _row(cells: Sequence[Cell], folded: Sequence[float | None]) -> str:
    return " & ".join(map(_cell, cells, folded)) + r" \\"


def _cell(cell: Cell, width: float | None) -> str:
    """Return a cell, as a paragraph where it is in a column whose cells are folded."""
    if width is None:
        return rf"\textbf{{{escape(cell.text)}}}" if cell.strong else escape(cell.text)
    text = breakable(cell.text, longest=_LONGEST_WORD)
    text = rf"\textbf{{{text}}}" if cell.strong else text
    return rf"\parbox[t]{{{width:.1f}pt}}{{\raggedright {text}\strut}}"
