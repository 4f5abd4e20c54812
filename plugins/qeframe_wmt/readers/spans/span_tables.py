"""Tables of one segment a line with the starts, ends and types of its spans; a task for each language pair."""

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from itertools import chain
from typing import Literal

import attrs
import numpy as np
from attrs import field, frozen

from qeframe.plugin import Best, IntArray, Ragged, Spans
from qeframe.plugin.calls import counted
from qeframe.plugin.kinds import END, SEVERITIES, START, SegmentSpans
from qeframe.plugin.readers import Dropped, Input, Reading, Submitted, TextFile, UnitValues, split_line
from qeframe_wmt.formats.tables import length_labels

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
        if too_long and rule.beyond == "error":
            start, end, _ = too_long[0]
            what = f"a span from {start} to {end}, the text has {counted(len(text), 'character')}"
            raise file.error(what, line=line, remedy="mark characters of the text, or set beyond=clip in the reader")
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


def _positions(start: str, end: str, line: int, file: TextFile) -> tuple[int, int]:
    whole = all(text.isascii() and text.isdecimal() and len(text) < 10 for text in (start, end))
    if not whole or int(start) > int(end):
        remedy = "characters count from 0, the end is the first one after the span"
        raise file.error(f"a span from '{start}' to '{end}'", line=line, remedy=remedy)
    return int(start), int(end)


CompareTarget = Literal["exact", "no"]  # whether the translations must be equal in gold and submission


@frozen(kw_only=True, eq=False)
class SpanTable:
    """The segments of a file."""

    file: TextFile
    name: str  # "gold", or the name of the submission
    pairs: Sequence[str]  # the language pair of each segment
    targets: Sequence[str]  # the translation of each segment
    ids: IntArray
    lines: IntArray
    spans: Ragged  # start, end, severity; one row a segment
    left_out: Sequence[tuple[int, str]]  # the segment of every span that was left out or cut, and the reason
    groups: Mapping[str, Sequence[str]]  # for each grouping, the label of every segment
    names: Mapping[int, str] = field(factory=dict)  # the name of a segment, by its id, where it differs from the id


def span_readings(
    gold: SpanTable,
    answers: Sequence[SpanTable],
    *,
    best: Best,
    inputs: Sequence[Input],
    compare: CompareTarget,
    dropped: Sequence[Dropped] = (),
) -> list[Reading]:
    """Return one reading for each language pair of the gold, with the submissions that have a segment of it."""
    pairs = list(dict.fromkeys(gold.pairs))
    for answer in answers:
        check_known_pairs(answer.file, answer.pairs, answer.lines.tolist(), pairs, gold.file)
    return [_reading(pair, gold, answers, best, inputs, compare, dropped) for pair in pairs]


def submitted_spans(table: SpanTable, dropped: Sequence[Dropped] = ()) -> list[Submitted]:
    """Return the segments of a submission for each of its language pairs."""
    return [
        Submitted(
            part=pair,
            answers=_unit_values(table, _rows(table, pair), with_text=True),
            dropped=(*(note for note in dropped if note.task == pair), *_left_out(pair, [table])),
            content=table,
        )
        for pair in dict.fromkeys(table.pairs)
    ]


def check_targets(expected: Submitted, given: Submitted) -> None:
    """Check that a submission has the translations of the input; segments are joined by their names."""
    remedy = "mark the translation of the input"
    _check_targets(expected.answers, given.answers, given.content.file, UnitValues.unit_name, remedy)


def _check_targets(
    ours: UnitValues, theirs: UnitValues, file: TextFile, key: Callable[[UnitValues, int], object], remedy: str
) -> None:
    row_of = {key(ours, unit): row for row, unit in enumerate(ours.ids.tolist())}
    for row, unit in enumerate(theirs.ids.tolist()):
        wanted = row_of.get(key(theirs, unit))
        if wanted is not None and ours.values.content[wanted] != theirs.values.content[row]:
            what = f"another translation of segment {theirs.unit_name(unit)} than in {ours.path}:{ours.line(wanted)}"
            raise file.error(what, line=theirs.line(row), remedy=remedy)


def without_segments(table: SpanTable, left_out: Mapping[str, frozenset[int]]) -> SpanTable:
    """Return a table without some segments of each language pair."""
    units = zip(table.pairs, table.ids.tolist(), strict=True)
    rows = [row for row, (pair, unit) in enumerate(units) if unit not in left_out.get(pair, ())]
    row_of = {row: position for position, row in enumerate(rows)}
    return attrs.evolve(
        table,
        pairs=[table.pairs[row] for row in rows],
        targets=[table.targets[row] for row in rows],
        ids=table.ids[rows],
        lines=table.lines[rows],
        spans=table.spans.take(np.array(rows, np.int64)),
        left_out=[(row_of[row], reason) for row, reason in table.left_out if row in row_of],
        groups={name: [labels[row] for row in rows] for name, labels in table.groups.items()},
    )


def check_known_pairs(
    file: TextFile, pairs: Iterable[str], lines: Iterable[int], known: Collection[str], gold: TextFile
) -> None:
    """Raise a `DataError` at the first line whose language pair is none of the gold."""
    for pair, line in zip(pairs, lines, strict=True):
        if pair not in known:
            what = f"language pair '{pair}' is not in {gold.path}, which has {', '.join(known)}"
            raise file.error(what, line=line, remedy="remove the line, or correct it")


def _reading(
    pair: str,
    gold: SpanTable,
    answers: Sequence[SpanTable],
    best: Best,
    inputs: Sequence[Input],
    compare: CompareTarget,
    dropped: Sequence[Dropped],
) -> Reading:
    rows = _rows(gold, pair)
    of_pair = [(answer, _rows(answer, pair)) for answer in answers]
    of_pair = [(answer, chosen) for answer, chosen in of_pair if len(chosen)]
    if not of_pair:
        remedy = f"give a submission segments of {pair}, or take {pair} out of the gold"
        raise gold.file.error(f"no submission has a segment of {pair}", line=int(gold.lines[rows[0]]), remedy=remedy)
    truth = _unit_values(gold, rows, with_text=True)
    submissions = [_unit_values(answer, chosen, with_text=compare == "exact") for answer, chosen in of_pair]
    remedy = "mark the translation of the gold, or set compare=no in the reader"
    for (answer, _), side in zip(of_pair, submissions, strict=True):
        if compare == "exact":
            _check_targets(truth, side, answer.file, lambda _, unit: unit, remedy)
    left_out = [entry for entry in dropped if entry.task == pair]
    left_out += _left_out(pair, [gold, *(answer for answer, _ in of_pair)])
    words = np.array([len(gold.targets[row].split()) for row in rows], np.int64)
    groups = {name: [labels[row] for row in rows] for name, labels in gold.groups.items()}
    return Reading(
        name=pair,
        kind=Spans,
        gold=truth,
        submissions=tuple(submissions),
        groups={"length": length_labels(words), **groups},
        best=best,
        dropped=tuple(left_out),
        inputs=tuple(inputs),
    )


def _rows(table: SpanTable, pair: str) -> IntArray:
    return np.flatnonzero(np.array(table.pairs) == pair)


def _left_out(pair: str, tables: Sequence[SpanTable]) -> list[Dropped]:
    """Count the spans of a language pair that were left out or cut."""
    return [
        Dropped(pair, "span", count, f"{reason} in {'the gold' if table.name == 'gold' else table.name}")
        for table in tables
        for reason, count in sorted(Counter(why for row, why in table.left_out if table.pairs[row] == pair).items())
    ]


def _unit_values(table: SpanTable, rows: IntArray, *, with_text: bool) -> UnitValues:
    spans: Ragged = table.spans.take(rows)
    if with_text:
        content = np.array([table.targets[row] for row in rows], dtype=object)
        text = np.array(list(map(len, content)), np.int64)
        spans = SegmentSpans(spans.values, spans.offsets, text, content=content)
    path = str(table.file.path)
    ids, lines = table.ids[rows], table.lines[rows]
    return UnitValues(name=table.name, ids=ids, values=spans, path=path, lines=lines, names=table.names)
