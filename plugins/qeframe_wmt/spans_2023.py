"""Submissions of LP, METHOD, SEG, TARGET, STARTS, ENDS and TYPES: error span detection in 2023 and 2024."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Literal

import attrs
import numpy as np

from qeframe.plugin import (
    SEVERITIES,
    Best,
    DataError,
    Reader,
    Reading,
    Spans,
    TextFile,
    parse_ids,
    read_text_lines,
    split_columns,
)
from qeframe_wmt.folders import TaskFolder, find_tasks, input_of
from qeframe_wmt.header import check_header
from qeframe_wmt.layouts import Layout, refuse_other_layout
from qeframe_wmt.span_cells import Beyond, SpanRule, parse_spans
from qeframe_wmt.span_tables import CompareTarget, SpanTable, span_readings

__all__ = ["spans_2023"]

_NAMES = ("LP", "METHOD", "SEG", "TARGET", "STARTS", "ENDS", "TYPES")
_STRICT = SpanRule(
    severities=SEVERITIES[:2], refused={"critical": "2023 knew minor and major only; set critical=major in the reader"}
)
_LENIENT = SpanRule(severities=SEVERITIES)


def spans_2023(
    *,
    header_lines: int = 3,
    critical: Literal["error", "major"] = "error",
    compare: CompareTarget = "exact",
    beyond: Beyond = "error",
) -> Reader:
    """Folders of tables by tabs, LP METHOD SEG TARGET STARTS ENDS TYPES; every language pair is a task.

    STARTS, ENDS and TYPES are lists between blanks: characters of TARGET from 0, the end exclusive, and minor or major.
    ``-1 -1 no-error`` says that a segment has no span.

    Parameters
    ----------
    header_lines : int
        How many lines of one column stand before the columns of a submission: disk footprint in bytes, number of
        parameters and size of the ensemble. The gold has one header line, the names of the columns.
    critical : {"error", "major"}
        Whether a span of type critical is refused, as in 2023, or kept; `span_f1` counts it as major.
    compare : {"exact", "no"}
        Whether TARGET must be the same on both sides, blanks at its ends apart.
    beyond : {"error", "clip"}
        Whether a span that runs beyond its own TARGET is refused; or, as the official script does, cut at its end,
        which is counted. One that begins beyond it is left out, and counted too.

    Returns
    -------
    Reader
        Of `Spans`; a submission is called by the stem of its file.

    Raises
    ------
    DataError
        For a negative number of header lines.

    References
    ----------
    qe-eval-scripts, wmt23 task 2.
    """
    if header_lines < 0:
        raise DataError(f"header_lines = {header_lines} must not be negative", remedy="give 3")
    rule = attrs.evolve(_LENIENT if critical == "major" else _STRICT, beyond=beyond)
    return Reader(
        name="spans_2023",
        summary="folders of tables LP METHOD SEG TARGET STARTS ENDS TYPES by tabs, a task for each language pair",
        source="WMT23-24 QE, error span detection",
        kind=Spans,
        read=partial(_read, header=header_lines, rule=rule, compare=compare),
    )


def _read(path: Path, best: Best, *, header: int, rule: SpanRule, compare: CompareTarget) -> Sequence[Reading]:
    return [reading for task in find_tasks(path) for reading in _read_task(task, path, best, header, rule, compare)]


def _read_task(
    task: TaskFolder, root: Path, best: Best, header: int, rule: SpanRule, compare: CompareTarget
) -> list[Reading]:
    gold, *files = map(read_text_lines, (task.gold, *task.submissions))
    _check_gold_header(gold)
    for file in files:
        refuse_other_layout(file, _layout(header))
        check_header(file, header, names=_NAMES, reader="spans_2023")
    return span_readings(
        _table(gold, "gold", 1, rule),
        [_table(file, file.path.stem, header, rule) for file in files],
        best=best,
        inputs=[input_of(file, root) for file in (gold, *files)],
        compare=compare,
    )


def _layout(header: int) -> Layout:
    lines = "1 header line" if header == 1 else f"{header} header lines"
    return Layout(f"7 columns by tabs ({' '.join(_NAMES)}) after {lines}", f"spans_2023(header_lines={header})")


def _check_gold_header(gold: TextFile) -> None:
    columns = gold.lines[0].split("\t")
    if len(columns) == len(_NAMES) and columns[2].strip().isdecimal():
        remedy = f"begin the gold with the names of its columns: {' '.join(_NAMES)}"
        raise gold.error("the header line of the gold is missing", line=1, remedy=remedy)


def _table(file: TextFile, name: str, skip: int, rule: SpanRule) -> SpanTable:
    pairs, _, segments, targets, *cells = split_columns(file, _NAMES, separator="\t", skip=skip)
    lines = np.arange(skip + 1, len(file.lines) + 1)
    targets = [target.strip() for target in targets]
    spans, left_out = parse_spans(zip(*cells, strict=True), targets, lines.tolist(), file, rule)
    return SpanTable(
        file=file,
        name=name,
        pairs=[pair.strip().lower() for pair in pairs],
        targets=targets,
        ids=parse_ids(segments, file, skip=skip),
        lines=lines,
        spans=spans,
        left_out=left_out,
        groups={},
    )
