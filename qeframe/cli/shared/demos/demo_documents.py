"""Generated errors of documents for ``qeframe demo``: the files of WMT19, errors of one or several spans."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import NamedTuple

import numpy as np

__all__ = ["annotated_documents"]

Files = dict[str, str]

_SEVERITIES = ("minor", "major", "critical")
_SHARES = (0.55, 0.35, 0.10)
_MOVED = 4
"""The most characters by which an end of a span is moved."""

_SYSTEMS: Mapping[str, tuple[float, float, float]] = {
    # finds an error, finds each further span of it, false errors of a document
    "Quince-joint": (0.65, 0.85, 1.0),
    "Quince-single": (0.65, 0.25, 1.0),
    "Rowan": (0.50, 0.60, 0.6),
    "Sorrel-eager": (0.75, 0.60, 5.0),
    "baseline": (0.25, 0.10, 1.5),
}


class _Error(NamedTuple):
    """An error: its document, severity, and line, start and length of each span."""

    document: int
    severity: str
    spans: tuple[tuple[int, int, int], ...]


def annotated_documents(rng: np.random.Generator, documents: int = 60) -> Files:
    """Return documents of 6 to 15 lines, in some without an error, and five submissions.

    An error has up to three spans, each in a line of its own, as a term that is translated wrongly again and again.
    """
    widths = [rng.integers(60, 160, int(rng.integers(6, 16))) for _ in range(documents)]
    gold = [error for number, lines in enumerate(widths) for error in _errors(rng, number, lines, 3.0)]
    files = {"documents.txt": "".join(f"{_name(number)}\n" for number in range(documents)), "gold.tsv": _lines(gold)}
    for system, (finds, more, false) in _SYSTEMS.items():
        found = [_found(rng, error, more) for error in gold if rng.random() < finds]
        wrong = [error for number, lines in enumerate(widths) for error in _errors(rng, number, lines, false)]
        files[f"submissions/{system}.tsv"] = _lines(sorted([*found, *wrong], key=lambda error: error.document))
    return files


def _errors(rng: np.random.Generator, document: int, widths: np.ndarray, mean: float) -> Iterable[_Error]:
    """Yield errors anywhere in a document; their number is Poisson with a mean."""
    for _ in range(rng.poisson(mean)):
        lines = np.sort(rng.choice(len(widths), size=int(rng.choice([1, 2, 3], p=(0.7, 0.2, 0.1))), replace=False))
        lengths = np.minimum(1 + rng.geometric(0.1, len(lines)), 50)
        starts = [int(rng.integers(0, widths[line] - length)) for line, length in zip(lines, lengths, strict=True)]
        spans = zip(lines.tolist(), starts, lengths.tolist(), strict=True)
        yield _Error(document, str(rng.choice(_SEVERITIES, p=_SHARES)), tuple(spans))


def _found(rng: np.random.Generator, error: _Error, more: float) -> _Error:
    """Return an error as a system finds it: its first span, some of the others, with other ends."""
    kept = [span for number, span in enumerate(error.spans) if not number or rng.random() < more]
    severity = error.severity if rng.random() < 0.8 else str(rng.choice(_SEVERITIES, p=_SHARES))
    return _Error(error.document, severity, tuple(_moved(rng, *span) for span in kept))


def _moved(rng: np.random.Generator, line: int, start: int, length: int) -> tuple[int, int, int]:
    begin = max(0, start + int(rng.integers(-_MOVED, _MOVED + 1)))
    return line, begin, max(1, start + length + int(rng.integers(-_MOVED, _MOVED + 1)) - begin)


def _lines(errors: Iterable[_Error]) -> str:
    rows = ([_name(error.document), *_columns(error), error.severity] for error in errors)
    return "".join("\t".join(row) + "\n" for row in rows)


def _columns(error: _Error) -> list[str]:
    """Return the lines, the starts and the lengths of the spans, each with blanks between them."""
    return [" ".join(map(str, column)) for column in zip(*error.spans, strict=True)]


def _name(document: int) -> str:
    return f"document-{document:02}"
