"""The marks of one unit below its text: the gold's and the submission's, readable without colors."""

from collections.abc import Sequence

import attrs

from qeframe.core.batches.base import Batch
from qeframe.core.batches.shown_units import Mark, MarkedText
from qeframe.core.errors import DataError

SIGNS = {"minor": "~", "major": "=", "critical": "#"}
"""The sign of a severity, "-" for any other; the characters of a span are underlined by it."""

_EMPTY = "^"
_NARROWEST = 20


def marked_text(batch: Batch, unit: int, submission: str) -> MarkedText:
    """Return the text of a unit, each control character visible, with what gold and submission mark in it."""
    marked = batch.marked_text(unit, submission)
    if marked is None:
        raise DataError(f"a batch of {type(batch).__name__} marks no text", remedy="give one of error spans")
    return attrs.evolve(marked, text=visible(marked.text))


def visible(text: str) -> str:
    """Return a text with every control character shown as one visible character."""
    return "".join(c if c.isprintable() else " " if c.isspace() else "·" for c in text)


def lanes(marks: Sequence[Mark]) -> list[list[Mark]]:
    """Return the spans in as few lines as needed: those of a line neither overlap nor touch."""
    rows: list[list[Mark]] = []
    for mark in sorted(marks, key=lambda each: (each.start, -each.end)):
        row = next((row for row in rows if row[-1].start < mark.start and row[-1].end < mark.start), None)
        if row is None:
            rows.append([mark])
        else:
            row.append(mark)
    return rows


def text_of_marks(marked: MarkedText, *, width: int | None = None) -> str:
    """Return the segment as lines: the text, and below it the spans of each side.

    `width`: Width of the terminal; a longer text is cut into parts, one below the other. Result: Ends with a line feed.
    Then every span is listed with its characters.
    """
    margin = max(len(name) for name, _ in (("text", ()), *marked.sides)) + 1
    room = len(marked.text) * 2 + 2 if width is None else max(_NARROWEST, width - margin)
    parts = ["\n".join(_part(marked, first, last, margin)) for first, last in _parts(marked.text, room)]
    legend = "  ".join(f"{sign} {severity}" for severity, sign in SIGNS.items())
    listed = [line for name, marks in marked.sides for line in _listed(marked, name, marks)]
    return "\n".join(["\n\n".join(parts), "", *listed, *marked.faults, f"{legend}  {_EMPTY} an empty span"]) + "\n"


def _parts(text: str, room: int) -> list[tuple[int, int]]:
    """Cut a text into parts that fit the columns of a line; there is at least one part."""
    starts, used = [0], 0
    for position, character in enumerate(text):
        used += _cells(character)
        if used > room:
            starts.append(position)
            used = _cells(character)
    return list(zip(starts, [*starts[1:], len(text) + 1], strict=True))


def _part(marked: MarkedText, first: int, last: int, margin: int) -> list[str]:
    lines = [("text", marked.text[first:last])]
    for name, marks in marked.sides:
        for number, row in enumerate(lanes(marks) or [[]]):
            signs = _signs(row, marked.text, first, last)
            if signs.strip() or not number:
                lines.append((name if not number else "", signs))
    return [f"{name:<{margin}}{line}".rstrip() for name, line in lines]


def _signs(row: Sequence[Mark], text: str, first: int, last: int) -> str:
    """Return the underline of the characters from `first` to `last` for the spans of one line."""
    signs = [" " * _cells(character) for character in text[first:last]]
    signs += [" "] * (last - first - len(signs))
    for mark in row:
        if mark.start == mark.end and first <= mark.start < last:
            signs[mark.start - first] = _EMPTY
        for position in range(max(first, mark.start), min(last, mark.end)):
            signs[position - first] = SIGNS.get(mark.severity, "-") * len(signs[position - first])
    return "".join(signs)


def _listed(marked: MarkedText, name: str, marks: Sequence[Mark]) -> list[str]:
    if not marks:
        return [f"{name}: no span"]
    return [
        f"{name}: {mark.start}-{mark.end} {mark.severity}"
        + (f" {visible(mark.category)}" if mark.category else "")
        + (f" '{marked.text[mark.start : mark.end]}'" if marked.known else "")
        for mark in marks
    ]


def _cells(character: str) -> int:
    from rich.cells import cell_len

    return cell_len(character)
