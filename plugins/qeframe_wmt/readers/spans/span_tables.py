"""Tables of one segment a line, with the starts, ends and types of its spans; a task for each language pair."""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import chain
from pathlib import Path
from typing import Any, ClassVar, Literal

import attrs
import numpy as np
from attrs import field, frozen

from qeframe.plugin import Best, Ragged, Spans
from qeframe.plugin.calls import counted
from qeframe.plugin.kinds import END, SEVERITIES, START, SegmentSpans
from qeframe.plugin.readers import Dropped, Reading, Submitted, TableColumns, TextFile, UnitValues, split_line
from qeframe_wmt.formats.repositories import LeftOut
from qeframe_wmt.formats.tables import length_labels
from qeframe_wmt.formats.tasks import Form, Found

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
class SegmentTable:
    """The segments of a file, one a row."""

    table: TableColumns  # with the columns LP and TARGET, the language pair and the translation of each segment
    values: UnitValues
    left_out: Sequence[tuple[int, str]] = ()  # the segment of every span that was left out or cut, and the reason
    grouped: Mapping[str, str] = field(factory=dict)  # the column of each grouping
    keys: Sequence[tuple[str, ...]] = ()  # what identifies each segment, by its id, where that is no number

    @property
    def targets(self) -> Sequence[str]:
        """The translation of each segment."""
        return self.table.cells["TARGET"]

    @property
    def groups(self) -> dict[str, Sequence[str]]:
        """For each grouping, the label of every segment."""
        return {name: self.table.cells[column] for name, column in self.grouped.items()}

    def parts(self, dropped: Sequence[Dropped] = (), without: LeftOut | None = None) -> list[Submitted]:
        """Return the segments of each language pair; those left out `without` are not there."""
        where = "the gold" if self.values.name == "gold" else self.values.name
        of_row = self.table.cells["LP"]
        parts, pairs = [], np.array(of_row)
        for pair in dict.fromkeys(of_row):
            out = np.isin(self.values.ids, list((without or {}).get(pair, ())))
            rows = np.flatnonzero((pairs == pair) & ~out)
            if not len(rows):
                continue
            why = Counter(reason for row, reason in self.left_out if of_row[row] == pair and not out[row])
            notes = [*(note for note in dropped if note.task == pair)]
            notes += [Dropped(pair, "span", count, f"{reason} in {where}") for reason, count in sorted(why.items())]
            segments = attrs.evolve(self, table=self.table.take(rows), values=self.values.take(rows), left_out=())
            parts.append(Submitted(part=pair, answers=segments.values, dropped=tuple(notes), content=segments))
        return parts


def marked_texts(spans: Ragged, texts: Sequence[str]) -> SegmentSpans:
    """Return spans with the texts that they are of."""
    content = np.array([*texts, None], dtype=object)[:-1]
    return SegmentSpans(spans.values, spans.offsets, np.array(list(map(len, texts)), np.int64), content=content)


@frozen(kw_only=True)
class SpanForm(Form):
    """Tables of several language pairs, which gold and submissions have."""

    texts: ClassVar[bool] = True
    gold_texts: ClassVar[bool] = True
    together: ClassVar[bool] = True

    rule: SpanRule
    compare: CompareTarget

    def reading(self, found: Found, best: Best, root: Path) -> Reading:
        gold, pair, sides = found.gold, found.name, list[UnitValues]()
        if not found.answers:
            remedy = f"give a submission segments of {pair}, or take {pair} out of the gold"
            line = gold.answers.line(0)
            raise found.file.error(f"no submission has a segment of {pair}", line=line, remedy=remedy)
        for _, part in found.answers:
            if self.compare == "exact":
                remedy = "mark the translation of the gold, or set compare=no in the reader"
                check_targets(gold, part, remedy=remedy, key=by_id)
                sides.append(part.answers)
            else:
                spans = part.answers.values
                sides.append(attrs.evolve(part.answers, values=Ragged(spans.values, spans.offsets)))
        notes = [note for part in (gold, *(part for _, part in found.answers)) for note in part.dropped]
        words = np.array([len(target.split()) for target in gold.content.targets], np.int64)
        return found.reading(
            Spans,
            best,
            root,
            submissions=tuple(sides),
            groups={"length": length_labels(words), **gold.content.groups},
            dropped=tuple(sorted(notes, key=lambda note: note.what == "span")),
        )


def by_id(_: UnitValues, unit: int) -> int:
    """Return the id of a segment, by which gold and submissions of a task are joined."""
    return unit


def check_targets(
    expected: Submitted,
    given: Submitted,
    *,
    what: str = "translation",
    remedy: str = "mark the translation of the input",
    key: Callable[[UnitValues, int], Any] = UnitValues.unit_name,
) -> None:
    """Check that a submission has the translations of the input, or of the gold; segments are joined by their names."""
    ours, theirs = expected.answers, given.answers
    row_of = {key(ours, unit): row for row, unit in enumerate(ours.ids.tolist())}
    for row, unit in enumerate(theirs.ids.tolist()):
        wanted = row_of.get(key(theirs, unit))
        if wanted is not None and expected.content.targets[wanted] != given.content.targets[row]:
            what = f"another {what} of segment {theirs.unit_name(unit)} than in {ours.path}:{ours.line(wanted)}"
            raise given.content.table.files[0].error(what, line=theirs.line(row), remedy=remedy)
