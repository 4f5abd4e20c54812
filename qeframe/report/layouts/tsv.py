"""Tables as tab-separated values, safe to open in a spreadsheet."""

import re
from unicodedata import category

from qeframe.report.layouts.table import Table

_ESCAPES = {"\\": "\\\\", "\t": "\\t", "\n": "\\n", "\r": "\\r"}
_RUN = tuple("=+-@\t\r\n＝＋－＠")
"""The first characters of a cell that a spreadsheet would run as a formula; the last four are its wide forms."""

_NUMBER = re.compile(r"[-+]?(\d+\.?\d*|\.\d+)([eE][-+]?\d+)?|[-+]?(inf|nan)", re.ASCII)


def as_tsv(table: Table) -> str:
    r"""Return a line of titles and a line for each row, without the title and notes of the table.

    A backslash, tab, line feed or carriage return in a text is written as ``\\``, ``\t``, ``\n``, ``\r``, and any other
    character that is not printed as ``\x1b`` or ``\u202e``. A text that a spreadsheet would run (it begins with ``=``,
    ``+``, ``-``, ``@``, a tab or the end of a line) has an apostrophe before it, and so has a text that begins with an
    apostrophe: remove one to read it back. A number has none.
    """
    lines = [[column.title for column in table.columns], *([cell.text for cell in row] for row in table.rows)]
    return "".join("\t".join(map(_escape, line)) + "\n" for line in lines)


def _escape(text: str) -> str:
    guarded = text.startswith((*_RUN, "'")) and not _NUMBER.fullmatch(text)
    plain = text.isascii() and text.isprintable() and "\\" not in text
    return "'" * guarded + (text if plain else "".join(map(_visible, text)))


def _visible(character: str) -> str:
    if character.isprintable() or category(character) == "Zs":
        return _ESCAPES.get(character, character)
    return _ESCAPES.get(character) or ascii(character)[1:-1]
