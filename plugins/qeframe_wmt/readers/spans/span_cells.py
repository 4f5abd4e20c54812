"""Cells that list the spans of a segment: starts, ends and types, three lists of the same length."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import chain
from typing import Literal

import numpy as np
from attrs import field, frozen

from qeframe.plugin import Ragged
from qeframe.plugin.calls import counted
from qeframe.plugin.kinds import END, SEVERITIES, START
from qeframe.plugin.readers import TextFile, split_line

Beyond = Literal["error", "clip"]  # what happens to a span that ends after its text

_NO_SPAN = "no-error"
_CUT, _OUTSIDE = "cut at the end of the text", "beyond the end of the text"


@frozen(kw_only=True)
class SpanRule:
    """The spans that the lists of a year may hold."""

    severities: Sequence[str]  # the types of spans that are scored
    refused: Mapping[str, str] = field(factory=dict)  # types that are known but not allowed, each with a remedy
    # words given instead of a type or a start; spans with one are left out and counted
    dropped: frozenset[str] = frozenset()
    # of a span that ends after its text; with "clip" one that begins after the text is left out
    beyond: Beyond = "error"


def parse_spans(
    cells: Iterable[tuple[str, str, str]], texts: Sequence[str], lines: Iterable[int], file: TextFile, rule: SpanRule
) -> tuple[Ragged, list[tuple[int, str]]]:
    """Read the spans of every segment from its three cells: starts, ends and types, separated by blanks.

    A segment without spans has the single type ``no-error``, or three empty cells. Spans have start, end (exclusive)
    and severity; then follow the segment of every span that was left out or cut, and the reason.
    """
    left_out: list[tuple[int, str]] = []
    rows: list[list[tuple[int, int, int]]] = []
    for segment, ((starts, ends, types), text, line) in enumerate(zip(cells, texts, lines, strict=True)):
        listed = _listed(split_line(starts), split_line(ends), split_line(types), line, file)
        kept = [span for span in listed if rule.dropped.isdisjoint(span)]
        unplaced = [span for span in listed if not rule.dropped.isdisjoint(span)]
        left_out += [(segment, f"'{next(filter(rule.dropped.__contains__, span))}'") for span in unplaced]
        placed = [_span(span, line, file, rule) for span in kept]
        too_long = [span for span in placed if span[END] > len(text)]
        if too_long:
            _refuse_beyond(too_long[0], len(text), line, file, rule)
            left_out += [(segment, _OUTSIDE if span[START] > len(text) else _CUT) for span in too_long]
        rows.append([(s, min(e, len(text)), kind) for s, e, kind in placed if s <= len(text)])
    flat = np.array(list(chain.from_iterable(rows)), np.int64).reshape(-1, 3)
    return Ragged.from_lengths(flat, np.array(list(map(len, rows)), np.int64)), left_out


def _listed(
    starts: Sequence[str], ends: Sequence[str], types: Sequence[str], line: int, file: TextFile
) -> list[tuple[str, str, str]]:
    """Return the texts of start, end and type of every span of a segment."""
    if list(types) == [_NO_SPAN]:
        if {*starts, *ends} - {"-1"}:
            what = f"{_NO_SPAN} with a span from '{' '.join(starts)}' to '{' '.join(ends)}'"
            raise file.error(what, line=line, remedy=f"write -1 -1 {_NO_SPAN} for a segment without a span")
        return []
    if _NO_SPAN in types:
        remedy = f"write -1 -1 {_NO_SPAN} for a segment without a span, or its spans alone"
        raise file.error(f"{_NO_SPAN} among {counted(len(types), 'type')}", line=line, remedy=remedy)
    if not len(starts) == len(ends) == len(types):
        what = f"{len(starts)} starts, {len(ends)} ends and {len(types)} types"
        raise file.error(what, line=line, remedy="give as many of each, with a blank between them")
    return list(zip(starts, ends, types, strict=True))


def _span(span: tuple[str, str, str], line: int, file: TextFile, rule: SpanRule) -> tuple[int, int, int]:
    start, end, kind = span
    if kind not in rule.severities:
        remedy = rule.refused.get(kind, f"the types are {', '.join((*rule.severities, _NO_SPAN))}")
        raise file.error(f"a span of type '{kind}'", line=line, remedy=remedy)
    return (*_positions(start, end, line, file), SEVERITIES.index(kind))


def _refuse_beyond(span: tuple[int, int, int], length: int, line: int, file: TextFile, rule: SpanRule) -> None:
    if rule.beyond == "error":
        what = f"a span from {span[START]} to {span[END]}, the text has {counted(length, 'character')}"
        raise file.error(what, line=line, remedy="mark characters of the text, or set beyond=clip in the reader")


def _positions(start: str, end: str, line: int, file: TextFile) -> tuple[int, int]:
    whole = all(text.isascii() and text.isdecimal() and len(text) < 10 for text in (start, end))
    if not whole or int(start) > int(end):
        remedy = "characters count from 0, the end is the first one after the span"
        raise file.error(f"a span from '{start}' to '{end}'", line=line, remedy=remedy)
    return int(start), int(end)
