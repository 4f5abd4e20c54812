"""One unit as text without colors: the marks below its text, and which words of two texts match."""

from collections.abc import Sequence

import attrs
from rich.cells import cell_len

from qeframe.core.batches.base import Batch
from qeframe.core.batches.shown_units import Mark, MarkedText
from qeframe.core.batches.word_alignment import Alignment
from qeframe.core.errors import DataError, one_line
from qeframe.report.layouts.number_format import format_number

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
    for mark in sorted(marks, key=lambda placed: (placed.start, -placed.end)):
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
        used += cell_len(character)
        if used > room:
            starts.append(position)
            used = cell_len(character)
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
    signs = [" " * cell_len(character) for character in text[first:last]]
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


_SIGNS = {"matched": "■", "hit": "○", "none": "·", "barrier": "│"}
_PLAIN = {"matched": "#", "hit": "o", "none": ".", "barrier": "|"}
_LONGEST = 14
"""Longer words of references are cut; words of the candidate are not."""


def grid_caption(alignment: Alignment, scores: Sequence[tuple[str, float]]) -> str:
    """Return one line: the scores, the number of blocks and their words."""
    lengths = [f"{block.length:.3g}" for block in alignment.blocks]
    blocks = f"{len(lengths)} block{'s' * (len(lengths) != 1)}"
    counts = f"{blocks} of {' + '.join(lengths)} words" if lengths else "no block"
    return ", ".join([*(f"{name} {format_number(value, 3)}" for name, value in scores), counts])


def grid_text(alignment: Alignment, *, width: int | None = None, encoding: str = "utf-8") -> str:
    """Return the grid as lines of text.

    `width`: Width of the terminal; a wider grid is cut into parts, one below the other. `encoding`: Encoding of the
    output. If it lacks the signs of the grid, ASCII characters are used. Result: Ends with a line feed. If a side has
    no words, a sentence says so.
    """
    if not alignment.candidate or not any(alignment.references):
        return "the candidate has no word\n" if not alignment.candidate else "the references have no word\n"
    signs = _SIGNS if _writable("".join(_SIGNS.values()), encoding) else _PLAIN
    columns = _columns(alignment)
    labels = [_safe(word, encoding) for word in alignment.candidate]
    margin = max(map(cell_len, labels))
    step = len(columns) if width is None else max(1, (width - margin - 1) // 2)
    parts = [
        _part_of_grid(alignment, labels, margin, columns[at : at + step], signs, encoding)
        for at in range(0, len(columns), step)
    ]
    legend = f"{signs['matched']} matched  {signs['hit']} equal words, not matched"
    return "\n\n".join([*parts, legend]) + "\n"


Position = tuple[int, int] | None
"""A reference and a position in it; None between two references."""


def _columns(alignment: Alignment) -> list[Position]:
    columns: list[Position] = []
    for number, words in enumerate(alignment.references):
        columns += [None] * bool(columns) + [(number, j) for j in range(len(words))]
    return columns


def _part_of_grid(
    alignment: Alignment,
    labels: Sequence[str],
    margin: int,
    columns: Sequence[Position],
    signs: dict[str, str],
    encoding: str,
) -> str:
    heads = ["" if c is None else _cut(_safe(alignment.references[c[0]][c[1]], encoding)) for c in columns]
    high = max(map(len, heads))
    lines = [" " * margin + "".join(_sign(head.rjust(high)[row]) for head in heads).rstrip() for row in range(high)]
    hits, matched = alignment.hits, alignment.matched
    for i, label in enumerate(labels):
        cells = [
            signs["barrier" if c is None else "matched" if (i, *c) in matched else "hit" if (i, *c) in hits else "none"]
            for c in columns
        ]
        lines.append(" " * (margin - cell_len(label)) + label + "".join(f" {cell}" for cell in cells))
    return "\n".join(lines)


def _cut(word: str) -> str:
    return word if len(word) <= _LONGEST else f"{word[: _LONGEST - 2]}.."


def _sign(character: str) -> str:
    """Return a character, padded to two columns of the terminal."""
    return " " * (2 - cell_len(character)) + character


def _writable(text: str, encoding: str) -> bool:
    try:
        text.encode(encoding)
    except (LookupError, UnicodeEncodeError):
        return False
    return True


def _safe(word: str, encoding: str) -> str:
    """Return a word without control characters and without characters that the encoding lacks."""
    shown = one_line(word)
    return shown if _writable(shown, encoding) else shown.encode(encoding, "replace").decode(encoding)
