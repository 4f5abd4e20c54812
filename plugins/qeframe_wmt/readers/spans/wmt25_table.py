"""Tables with named columns, one segment of one system a line: error spans, 2025."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from functools import partial
from itertools import compress
from pathlib import Path

import attrs
import numpy as np

from qeframe.plugin import Best, Spans
from qeframe.plugin.kinds import SEVERITIES
from qeframe.plugin.readers import (
    Dropped,
    Reader,
    Reading,
    SubmissionFormat,
    Submitted,
    TaskFolder,
    TextFile,
    find_tasks,
    input_of,
    read_text_lines,
    refuse_marks,
)
from qeframe_wmt.examples import spans as examples
from qeframe_wmt.formats.layouts import Layout, refuse_other_layout
from qeframe_wmt.formats.tab_columns import columns_by_name
from qeframe_wmt.readers.spans.span_cells import Beyond, SpanRule, parse_spans
from qeframe_wmt.readers.spans.span_tables import (
    CompareTarget,
    SpanTable,
    check_targets,
    span_readings,
    submitted_spans,
)

_KEY = ("source_lang", "target_lang", "doc_id", "segment_id", "set_id", "system_id")
_LISTS = ("start_indices", "end_indices", "error_types")
_SHOWN = ("doc_id", "segment_id", "system_id")
_TARGET = "hypothesis_segment"
_NEEDED = (*_KEY, _TARGET, *_LISTS)
_GROUPS = {"document": "doc_id", "system": "system_id", "domain": "domain_name"}
_RULE = SpanRule(severities=SEVERITIES, dropped=frozenset({"missing", "undecided"}))
_LAYOUT = Layout("a table of spans with a header", "spans_2025")


def spans_2025(*, set_id: str = "official", compare: CompareTarget = "exact", beyond: Beyond = "error") -> Reader:
    """Read task folders with tables by tabs whose first line names the columns; every language pair is a task.

    source_lang, target_lang, doc_id, segment_id, set_id and system_id identify a segment. start_indices, end_indices
    and error_types mark spans of hypothesis_segment. Spans whose start is "missing" or whose type is "undecided" are
    left out and counted.

    Parameters
    ----------
    set_id : str
        The set that is scored. Lines of other sets are left out and counted. Empty: all sets.
    compare : {"exact", "no"}
        Whether hypothesis_segment must be equal in gold and submission.
    beyond : {"error", "clip"}
        Whether a span that ends after its own hypothesis_segment is refused, or cut at the end of that text. With
        "clip" a span that begins after the text is left out. Both are counted.

    Returns
    -------
    Reader
        Of `Spans`. A submission has the name of its file without suffix. Segments are numbered as in the gold.

    References
    ----------
    WMT25 automated translation quality evaluation, task 2, scoring_esa.py.
    """
    rule = attrs.evolve(_RULE, beyond=beyond)
    return Reader(
        name="spans_2025",
        summary="folders of tables with a header, spans in start_indices end_indices error_types",
        source="WMT25, error span detection",
        kind=Spans,
        read=partial(_read, chosen=set_id, compare=compare, rule=rule),
        example=partial(examples.spans_2025, set_id=set_id),
        submission=SubmissionFormat(
            read=partial(_submission, chosen=set_id, rule=rule), check=check_targets if compare == "exact" else None
        ),
    )


def _read(path: Path, best: Best, *, chosen: str, compare: CompareTarget, rule: SpanRule) -> Sequence[Reading]:
    return [reading for task in find_tasks(path) for reading in _read_task(task, path, best, chosen, compare, rule)]


def _read_task(
    task: TaskFolder, root: Path, best: Best, chosen: str, compare: CompareTarget, rule: SpanRule
) -> list[Reading]:
    files = [read_text_lines(path, texts=True) for path in (task.gold, *task.submissions)]
    names = ["gold", *(file.path.stem for file in files[1:])]
    numbers: dict[tuple[str, ...], int] = {}
    tables, dropped = [], []
    for file, name in zip(files, names, strict=True):
        table, notes = _table_of_set(file, name, chosen, numbers, rule)
        tables.append(table)
        dropped += notes
    gold, *answers = tables
    inputs = [input_of(file, root) for file in files]
    return span_readings(gold, answers, best=best, inputs=inputs, compare=compare, dropped=dropped)


def _submission(path: Path, *, chosen: str, rule: SpanRule) -> Sequence[Submitted]:
    numbers: dict[tuple[str, ...], int] = {}
    table, dropped = _table_of_set(read_text_lines(path, texts=True), path.stem, chosen, numbers, rule)
    names = {number: "/".join(key) for key, number in numbers.items()}
    return submitted_spans(attrs.evolve(table, names=names), dropped)


def _table_of_set(
    file: TextFile, name: str, chosen: str, numbers: dict[tuple[str, ...], int], rule: SpanRule
) -> tuple[SpanTable, list[Dropped]]:
    """Return the segments of one set, and the counts of lines of other sets."""
    columns, lines, others = _lines_of_set(file, chosen)
    where = "the gold" if name == "gold" else name
    notes = [Dropped(pair, "line", n, f"not in the set {chosen}, in {where}") for pair, n in sorted(others.items())]
    return _table(file, name, columns, lines, numbers, rule), notes


def _lines_of_set(file: TextFile, set_id: str) -> tuple[dict[str, list[str]], list[int], Counter[str]]:
    """Return the columns of the lines of one set, the numbers of these lines, and the count of other lines by pair."""
    refuse_other_layout(file, _LAYOUT)
    remedy = f"the first line names the columns, among them {' '.join(_NEEDED)}"
    columns = columns_by_name(file, _NEEDED, separator="\t", remedy=remedy)
    for name in columns.keys() & {*_KEY, *_GROUPS.values()}:
        refuse_marks(file, columns[name], name, skip=1)
    is_chosen = [not set_id or of_line == set_id for of_line in columns["set_id"]]
    if not any(is_chosen):
        sets = ", ".join(sorted(set(columns["set_id"])))
        raise file.error(
            f"no line is in the set {set_id}, they are in {sets}", line=2, remedy="set set_id in the reader"
        )
    pairs = _pairs(columns)
    others = Counter(compress(pairs, [not each for each in is_chosen]))
    lines = list(compress(range(2, len(file.lines) + 1), is_chosen))
    return {name: list(compress(column, is_chosen)) for name, column in columns.items()}, lines, others


def _pairs(columns: Mapping[str, Sequence[str]]) -> list[str]:
    languages = zip(columns["source_lang"], columns["target_lang"], strict=True)
    return [f"{source}-{target}" for source, target in languages]


def _table(
    file: TextFile,
    name: str,
    columns: Mapping[str, Sequence[str]],
    lines: Sequence[int],
    numbers: dict[tuple[str, ...], int],
    rule: SpanRule,
) -> SpanTable:
    """Return the segments of a file, numbered by their identity in the order of their first occurrence."""
    keys = zip(*(columns[part] for part in _KEY), strict=True)
    ids = np.array([numbers.setdefault(key, len(numbers)) for key in keys], np.int64)
    shown = zip(*(columns[part] for part in _SHOWN), strict=True)
    cells = zip(*(columns[name] for name in _LISTS), strict=True)
    spans, left_out = parse_spans(cells, columns[_TARGET], lines, file, rule)
    return SpanTable(
        file=file,
        name=name,
        pairs=_pairs(columns),
        targets=columns[_TARGET],
        ids=ids,
        lines=np.array(lines, np.int64),
        spans=spans,
        left_out=left_out,
        groups={group: columns[column] for group, column in _GROUPS.items() if column in columns},
        names={number: "/".join(parts) for number, parts in zip(ids.tolist(), shown, strict=True)},
    )
