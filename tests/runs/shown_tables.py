"""Tables as they are printed, and as files and pages have them: read back as columns of plain text."""

import html
import re
from collections.abc import Callable, Mapping

__all__ = ["FORMS", "Rows", "shows"]

Rows = list[list[str]]
"""The header, then the rows."""

_MARKS = re.compile(r"[*≀†‡]")


def _plain(cell: str) -> str:
    """Return a cell without the marks of the best values, of baselines and the like."""
    return _MARKS.sub("", cell).strip()


def printed(text: str) -> list[Rows]:
    """Return the tables of the terminal: a header above a line of hyphens, which has the widths of the columns."""
    lines, tables = text.splitlines(), []
    for number, line in enumerate(lines):
        if not re.fullmatch(r"-+(  -+)+", line):
            continue
        places = [each.span() for each in re.finditer("-+", line)]
        start = end = number
        while start and lines[start - 1].strip():
            start -= 1
        while end + 1 < len(lines) and lines[end + 1].strip():
            end += 1
        rows = [*lines[start:number], *lines[number + 1 : end + 1]]
        tables.append([[_plain(row[begin:stop]) for begin, stop in places] for row in rows])
    return tables


def in_markdown(text: str) -> list[Rows]:
    """Return the tables of Markdown."""
    tables = re.findall(r"(?:^\|.*\|\n)+", text, re.MULTILINE)
    return [
        [[_plain(_unescaped(cell)) for cell in re.split(r"(?<!\\)\|", row)[1:-1]] for row in table.splitlines()
         if not re.fullmatch(r"[|: -]+", row)]
        for table in tables
    ]  # fmt: skip


def _unescaped(cell: str) -> str:
    return re.sub(r"\\(.)", r"\1", cell)


def in_page(text: str) -> list[Rows]:
    """Return the tables of HTML."""
    return [
        [
            [
                _plain(html.unescape(re.sub(r"<[^>]+>", "", cell)))
                for _, cell in re.findall(r"<(t[hd])\b[^>]*>(.*?)</\1>", row, re.S)
            ]
            for row in re.findall(r"<tr\b.*?</tr>", table, re.S)
        ]
        for table in re.findall(r"<table\b.*?</table>", text, re.S)
    ]


FORMS: Mapping[str, Callable[[str], list[Rows]]] = {"terminal": printed, "markdown": in_markdown, "page": in_page}


def shows(cell: str, value: float | None) -> bool:
    """Return whether a cell shows a number, rounded to the digits that it has."""
    if value is None:
        return not re.search(r"\d", cell)
    cell = cell.strip("()")  # the rank that an attack would take
    number = re.match(r"[-−+]?\d+(?:\.(\d+))?(?:e[-+]?\d+)?", cell)
    if number is None:
        return False
    return abs(float(number[0].replace("−", "-")) - value) <= 0.5000001 * 10.0 ** -len(number[1] or "")
