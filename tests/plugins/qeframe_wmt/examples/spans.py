"""Generated tasks of error spans, and of corrections, which mend some of the errors."""

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

import numpy as np

from qeframe.plugin import FloatArray
from qeframe.plugin.readers import ExampleRequest, Files
from qeframe_wmt.examples.lines import rows, submitted
from qeframe_wmt.examples.spans import BASELINE, MARKERS, Span, drawn_spans, drawn_text, marked
from qeframe_wmt.formats.layouts import SPAN_COLUMNS
from tests.plugins.qeframe_wmt.examples.lines import header_lines, sentences

_ERRORS = 1.2  # the mean number of errors of a text


def _cells(spans: Sequence[Span]) -> tuple[str, str, str]:
    """Return starts, ends and types; a text without a span has -1."""
    columns = zip(*(spans or [(-1, -1, "no-error")]), strict=True)
    starts, ends, types = (" ".join(map(str, column)) for column in columns)
    return starts, ends, types


def _task(
    rng: np.random.Generator, request: ExampleRequest
) -> tuple[list[str], list[tuple[str, str, str]], dict[str, list[tuple[str, str, str]]]]:
    """Return texts, and the cells of the gold and of each submission."""
    texts = [drawn_text(rng) for _ in range(request.units)]
    errors = [drawn_spans(rng, len(text), int(rng.poisson(_ERRORS))) for text in texts]
    answers = {
        name: [_cells(marked(rng, spans, len(text), marker)) for text, spans in zip(texts, errors, strict=True)]
        for name, marker in request.with_baselines(MARKERS, BASELINE).items()
    }
    return texts, [_cells(spans) for spans in errors], answers


def spans_2023(rng: np.random.Generator, request: ExampleRequest, pair: str, *, header: int) -> Files:
    """Return LP, METHOD, SEG, TARGET, STARTS, ENDS and TYPES."""
    texts, gold, answers = _task(rng, request)

    def table(name: str, cells: Sequence[tuple[str, str, str]]) -> str:
        return rows((pair, name, i, texts[i], *of_text) for i, of_text in enumerate(cells))

    tables = {name: header_lines(header, i) + table(name, a) for i, (name, a) in enumerate(answers.items(), 1)}
    return submitted({"gold.tsv": rows([SPAN_COLUMNS]) + table("gold", gold)}, tables, "tsv")


_KEY = ("doc_id", "segment_id", "source_lang", "target_lang", "set_id", "system_id", "hypothesis_segment")


def _keyed(pair: str, set_id: str, texts: Sequence[str], columns: Mapping[str, Iterable[str]]) -> str:
    """Return a table with a header: an id of several columns, the text, and more columns."""
    ids = ((f"doc{i // 4}", i % 4, *pair.split("-"), set_id, "sys", text) for i, text in enumerate(texts))
    return rows([(*_KEY, *columns), *((*key, *cells) for key, *cells in zip(ids, *columns.values(), strict=True))])


def spans_2025(rng: np.random.Generator, request: ExampleRequest, pair: str, *, set_id: str) -> Files:
    """Return tables with starts, ends and severities of spans."""
    texts, gold, answers = _task(rng, request)

    def table(cells: Sequence[tuple[str, str, str]]) -> str:
        columns = zip(("start_indices", "end_indices", "error_types"), zip(*cells, strict=True), strict=True)
        return _keyed(pair, set_id, texts, dict(columns))

    return submitted({"gold.tsv": table(gold)}, {name: table(cells) for name, cells in answers.items()}, "tsv")


_SEVERITIES = ("minor", "major", "critical")

_SHARES = (0.55, 0.35, 0.10)

_MOVED = 4  # the most characters by which an end of a span is moved

_ERRORS_OF_DOCUMENT = 3.0


class _Annotator(NamedTuple):
    """The shares of errors that are found, and of further spans of them; the mean number of false errors."""

    finds: float
    more: float
    false: float


_ANNOTATORS: Mapping[str, _Annotator] = {
    "Quince-joint": _Annotator(0.65, 0.85, 1.0),
    "Quince-single": _Annotator(0.65, 0.25, 1.0),
    "Rowan": _Annotator(0.50, 0.60, 0.6),
    "Sorrel-eager": _Annotator(0.75, 0.60, 5.0),
}

_WEAK = _Annotator(0.25, 0.10, 1.5)


class _Error(NamedTuple):
    """An error: its document, severity, and line, start and length of each span."""

    document: int
    severity: str
    spans: tuple[tuple[int, int, int], ...]


def document_annotations(rng: np.random.Generator, request: ExampleRequest, pair: str, *, with_method: bool) -> Files:
    """Return documents of 6 to 15 lines, in some without an error, and what submissions mark in them.

    An error has up to three spans, each in a line of its own, as a term that is translated wrongly again and again.
    """
    widths = [rng.integers(60, 160, int(rng.integers(6, 16))) for _ in range(request.units)]
    gold = [e for number, lines in enumerate(widths) for e in _errors(rng, number, lines, _ERRORS_OF_DOCUMENT)]
    tables = {}
    for name, annotator in request.with_baselines(_ANNOTATORS, _WEAK).items():
        right = [_found(rng, error, annotator.more) for error in gold if rng.random() < annotator.finds]
        wrong = [e for number, lines in enumerate(widths) for e in _errors(rng, number, lines, annotator.false)]
        ordered = sorted([*right, *wrong], key=lambda error: error.document)
        tables[name] = _error_lines(ordered, *([name] if with_method else []))
    documents = rows([_document(number)] for number in range(len(widths)))
    return submitted({"documents.txt": documents, "gold.tsv": _error_lines(gold)}, tables, "tsv")


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


def _error_lines(errors: Iterable[_Error], *method: str) -> str:
    """Return a line for each error; lines, starts and lengths of its spans have blanks between them."""
    return rows(
        (*method, _document(e.document), *(" ".join(map(str, c)) for c in zip(*e.spans, strict=True)), e.severity)
        for e in errors
    )


def _document(number: int) -> str:
    return f"document-{number:02}"


_EDITORS: Mapping[str, float] = {"Sage-rewrite": 0.9, "Sorrel": 0.5, "Thistle-careful": 0.3}
"""The share of errors that an editor mends."""

_COST = 0.02


def corrections_2025(
    rng: np.random.Generator, request: ExampleRequest, pair: str, *, gold: str, before: str, after: str
) -> Files:
    """Return a table of originals with their scores, and tables of corrections with theirs."""
    words = sentences(rng, rng.integers(6, 20, request.units))
    errors = rng.binomial([len(text) for text in words], 0.2)
    scores = 0.8 - _COST * errors + rng.normal(0, 0.01, request.units)
    texts = [" ".join(text) for text in words]

    def scored(column: str, values: FloatArray) -> dict[str, list[str]]:
        return {column: [f"{value:.6f}" for value in values]} if column else {}

    tables = {}
    for name, share in request.with_baselines(_EDITORS, 0.0).items():
        mended = rng.binomial(errors, share)
        edited = [
            " ".join([*(f"{word}'" for word in text[:n]), *text[n:]]) for text, n in zip(words, mended, strict=True)
        ]
        columns = {"post_edit": edited, **scored(after, scores + _COST * mended)}
        tables[name] = _keyed(pair, "official", texts, columns)
    return submitted({gold: _keyed(pair, "official", texts, scored(before, scores))}, tables, "tsv")
