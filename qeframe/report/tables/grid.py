"""The bitext grid as text without colors: which words of a candidate and its references match."""

from collections.abc import Sequence

from rich.cells import cell_len

from qeframe.core.errors import one_line
from qeframe.kinds.texts.alignments import Alignment
from qeframe.report.layouts.number_format import format_number

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
        _part(alignment, labels, margin, columns[at : at + step], signs, encoding)
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


def _part(
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
