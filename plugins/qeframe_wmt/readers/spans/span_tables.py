"""Tables of one segment a line with its spans, split into one task for each language pair."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Literal

import attrs
import numpy as np
from attrs import field, frozen

from qeframe.plugin import Best, IntArray, Ragged, Spans
from qeframe.plugin.kinds import SegmentSpans
from qeframe.plugin.readers import Dropped, Input, Reading, Submitted, TextFile, UnitValues
from qeframe_wmt.formats.length_groups import length_labels

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
        _check_pairs(answer, gold, pairs)
    return [_reading(pair, gold, answers, best, inputs, compare, dropped) for pair in pairs]


def submitted_spans(table: SpanTable, dropped: Sequence[Dropped] = ()) -> list[Submitted]:
    """Return the segments of a submission for each of its language pairs."""
    pairs = dict.fromkeys(table.pairs)
    return [
        Submitted(
            part=pair,
            answers=_unit_values(table, _rows(table, pair), with_text=True),
            dropped=(*(note for note in dropped if note.task == pair), *_left_out(pair, [table])),
            content=table,
        )
        for pair in pairs
    ]


def check_targets(expected: Submitted, given: Submitted) -> None:
    """Check that a submission has the translations of the input; segments are joined by their names."""
    theirs, ours = given.answers, expected.answers
    row_of = {ours.unit_name(unit): row for row, unit in enumerate(ours.ids.tolist())}
    for row, unit in enumerate(theirs.ids.tolist()):
        wanted = row_of.get(theirs.unit_name(unit))
        if wanted is not None and ours.values.content[wanted] != theirs.values.content[row]:
            what = f"another translation of segment {theirs.unit_name(unit)} than in {ours.path}:{ours.line(wanted)}"
            raise given.content.file.error(what, line=theirs.line(row), remedy="mark the translation of the input")


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


def _check_pairs(answer: SpanTable, gold: SpanTable, pairs: Sequence[str]) -> None:
    for row, pair in enumerate(answer.pairs):
        if pair not in pairs:
            what = f"language pair '{pair}' is not in {gold.file.path}, which has {', '.join(pairs)}"
            raise answer.file.error(what, line=int(answer.lines[row]), remedy="remove the line, or correct it")


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
    for answer, chosen in of_pair:
        if compare == "exact":
            _check_targets(gold, rows, answer, chosen)
    left_out = [entry for entry in dropped if entry.task == pair]
    left_out += _left_out(pair, [gold, *(answer for answer, _ in of_pair)])
    words = np.array([len(gold.targets[row].split()) for row in rows], np.int64)
    groups = {name: [labels[row] for row in rows] for name, labels in gold.groups.items()}
    return Reading(
        name=pair,
        kind=Spans,
        gold=_unit_values(gold, rows, with_text=True),
        submissions=tuple(_unit_values(answer, chosen, with_text=compare == "exact") for answer, chosen in of_pair),
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
        for reason, count in sorted(Counter(each for row, each in table.left_out if table.pairs[row] == pair).items())
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


def _check_targets(gold: SpanTable, gold_rows: IntArray, answer: SpanTable, rows: IntArray) -> None:
    row_of = {int(gold.ids[row]): row for row in gold_rows}
    for row in rows:
        in_gold = row_of.get(int(answer.ids[row]))
        if in_gold is not None and gold.targets[in_gold] != answer.targets[row]:
            name = answer.names.get(int(answer.ids[row]), str(answer.ids[row]))
            what = f"another translation of segment {name} than in {gold.file.path}:{gold.lines[in_gold]}"
            remedy = "mark the translation of the gold, or set compare=no in the reader"
            raise answer.file.error(what, line=int(answer.lines[row]), remedy=remedy)
