"""The spans of one segment below its text: the gold's and the submission's, readable without colors."""

from __future__ import annotations

from collections.abc import Sequence

from attrs import frozen

from qeframe.kinds.spans import FAULTS, NO_CODE, SEVERITIES, AnnotatedSegments, Spans

SIGNS = {"minor": "~", "major": "=", "critical": "#"}
"""The sign of a severity; the characters of a span are underlined by it."""

_EMPTY = "^"
_NARROWEST = 20


@frozen
class Mark:
    """A span: where it starts and ends (exclusive), its severity, its category or ""."""

    start: int
    end: int
    severity: str
    category: str = ""


@frozen(kw_only=True)
class MarkedText:
    """One segment with the spans of both sides.

    Parameters
    ----------
    text : str
        A character is "·" where the text is not known.
    known : bool
        Whether the text is known.
    sides : sequence of (str, sequence of Mark)
        For each side its name and its spans, in the order of the file.
    faults : sequence of str
        What is said of the whole translation, such as "omission in gold: major".
    """

    text: str
    known: bool
    sides: Sequence[tuple[str, Sequence[Mark]]]
    faults: Sequence[str]


def marked_text(batch: Spans, unit: int, submission: str) -> MarkedText:
    """Return the text and the spans of a unit of a batch."""
    sides = [(name, _marks(batch, side, unit)) for name, side in _sides(batch, submission)]
    content = str(batch.content[unit])
    last = max((mark.end for _, marks in sides for mark in marks), default=0)
    faults = [
        f"{fault.replace('_', ' ')} in {name}: {SEVERITIES[code]}"
        for name, side in _sides(batch, submission)
        for fault in FAULTS
        if (code := int(getattr(side, fault)[unit])) != NO_CODE
    ]
    text = content or "·" * max(last, int(batch.text[unit]) if batch.text[unit] < 2**31 else 0)
    return MarkedText(text=visible(text), known=bool(content), sides=sides, faults=faults)


def visible(text: str) -> str:
    """Return a text with every control character shown as one visible character."""
    return "".join(c if c.isprintable() else " " if c.isspace() else "·" for c in text)


def _sides(batch: Spans, submission: str) -> list[tuple[str, AnnotatedSegments]]:
    return [("gold", batch.gold), (submission, batch.predicted)]


def _marks(batch: Spans, side: AnnotatedSegments, unit: int) -> list[Mark]:
    names = [*batch.categories, ""]
    return [
        Mark(start, end, SEVERITIES[code], names[rest[0]] if rest else "")
        for start, end, code, *rest in side[unit].tolist()
    ]


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

    Parameters
    ----------
    width : int, optional
        Width of the terminal; a longer text is cut into parts, one below the other.

    Returns
    -------
    str
        Ends with a line feed. Then every span is listed with its characters.
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
            signs[position - first] = SIGNS[mark.severity] * len(signs[position - first])
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
