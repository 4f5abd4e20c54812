"""Tables with a header, one segment of one system a line: error span detection in 2025."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from functools import partial
from itertools import compress
from pathlib import Path

import attrs
import numpy as np

from qeframe.plugin import SEVERITIES, Best, Dropped, Reader, Reading, Spans, TextFile, read_text_lines, split_columns
from qeframe_wmt.folders import TaskFolder, find_tasks, input_of
from qeframe_wmt.layouts import Layout, refuse_other_layout
from qeframe_wmt.span_cells import Beyond, SpanRule, parse_spans
from qeframe_wmt.span_tables import CompareTarget, SpanTable, span_readings

__all__ = ["spans_2025"]

_KEY = ("source_lang", "target_lang", "doc_id", "segment_id", "set_id", "system_id")
_CELLS = ("start_indices", "end_indices", "error_types")
_SHOWN = ("doc_id", "segment_id", "system_id")
_TARGET = "hypothesis_segment"
_NEEDED = (*_KEY, _TARGET, *_CELLS)
_GROUPS = {"document": "doc_id", "system": "system_id", "domain": "domain_name"}
_RULE = SpanRule(severities=SEVERITIES, dropped=frozenset({"missing", "undecided"}))
_LAYOUT = Layout("a table of spans with a header", "spans_2025")


def spans_2025(*, set_id: str = "official", compare: CompareTarget = "exact", beyond: Beyond = "error") -> Reader:
    """Folders of tables by tabs with a header, gold and submissions; every language pair is a task.

    The columns are found by their names: source_lang, target_lang, doc_id, segment_id, set_id and system_id tell a
    segment; hypothesis_segment is the text that start_indices, end_indices and error_types mark. Spans whose start is
    "missing" or whose type is "undecided" are left out and counted.

    Parameters
    ----------
    set_id : str
        The set that is scored; lines of other sets are left out and counted. Empty: all sets.
    compare : {"exact", "no"}
        Whether hypothesis_segment must be the same on both sides.
    beyond : {"error", "clip"}
        Whether a span that runs beyond its own hypothesis_segment is refused; or cut at its end, which is counted. One
        that begins beyond it is left out, and counted too.

    Returns
    -------
    Reader
        Of `Spans`; a submission is called by the stem of its file. Segments are numbered as in the gold.

    References
    ----------
    WMT25 automated translation quality evaluation, task 2, scoring_esa.py.
    """
    return Reader(
        name="spans_2025",
        summary="folders of tables with a header, spans in start_indices end_indices error_types",
        source="WMT25, error span detection",
        kind=Spans,
        read=partial(_read, chosen=set_id, compare=compare, rule=attrs.evolve(_RULE, beyond=beyond)),
    )


def _read(path: Path, best: Best, *, chosen: str, compare: CompareTarget, rule: SpanRule) -> Sequence[Reading]:
    return [reading for task in find_tasks(path) for reading in _read_task(task, path, best, chosen, compare, rule)]


def _read_task(
    task: TaskFolder, root: Path, best: Best, chosen: str, compare: CompareTarget, rule: SpanRule
) -> list[Reading]:
    files = list(map(read_text_lines, (task.gold, *task.submissions)))
    names = ["gold", *(file.path.stem for file in files[1:])]
    numbers: dict[tuple[str, ...], int] = {}
    tables, dropped = [], []
    for file, name in zip(files, names, strict=True):
        columns, lines, others = _chosen(file, chosen)
        tables.append(_table(file, name, columns, lines, numbers, rule))
        where = "the gold" if name == "gold" else name
        dropped += [Dropped(p, "line", n, f"not in the set {chosen}, in {where}") for p, n in sorted(others.items())]
    gold, *answers = tables
    inputs = [input_of(file, root) for file in files]
    return span_readings(gold, answers, best=best, inputs=inputs, compare=compare, dropped=dropped)


def _chosen(file: TextFile, set_id: str) -> tuple[dict[str, list[str]], list[int], Counter[str]]:
    """Return the columns of the lines of one set, those lines, and how many there are of other sets."""
    refuse_other_layout(file, _LAYOUT)
    columns = _columns(file)
    is_chosen = [not set_id or found == set_id for found in columns["set_id"]]
    if not any(is_chosen):
        sets = ", ".join(sorted(set(columns["set_id"])))
        raise file.error(
            f"no line is in the set {set_id}, they are in {sets}", line=2, remedy="set set_id in the reader"
        )
    pairs = _pairs(columns)
    others = Counter(compress(pairs, [not each for each in is_chosen]))
    lines = list(compress(range(2, len(file.lines) + 1), is_chosen))
    return {name: list(compress(column, is_chosen)) for name, column in columns.items()}, lines, others


def _columns(file: TextFile) -> dict[str, list[str]]:
    header = file.lines[0].split("\t")
    missing = [name for name in _NEEDED if name not in header]
    remedy = f"the first line names the columns, among them {' '.join(_NEEDED)}"
    if missing:
        word = "column is" if len(missing) == 1 else "columns are"
        raise file.error(f"the {word} missing: {', '.join(missing)}", line=1, remedy=remedy)
    if len(set(header)) < len(header):
        raise file.error("a column is named twice", line=1, remedy=remedy)
    return dict(zip(header, split_columns(file, header, separator="\t", skip=1), strict=True))


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
    """Return the segments of a file, numbered by what tells them, in the order in which they are first seen."""
    keys = zip(*(columns[part] for part in _KEY), strict=True)
    ids = np.array([numbers.setdefault(key, len(numbers)) for key in keys], np.int64)
    shown = zip(*(columns[part] for part in _SHOWN), strict=True)
    cells = zip(*(columns[cell] for cell in _CELLS), strict=True)
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
