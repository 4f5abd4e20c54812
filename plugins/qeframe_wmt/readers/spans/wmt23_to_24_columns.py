"""Submissions of LP, METHOD, SEG, TARGET, STARTS, ENDS and TYPES: error spans, 2023 and 2024."""

from collections import Counter
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Literal

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
    parse_ids,
    read_text_lines,
    refuse_marks,
    split_columns,
)
from qeframe_wmt.formats.layouts import SEGMENT, SPAN_COLUMNS, check_columns, check_header_count, lines_after_header
from qeframe_wmt.formats.repositories import LISTED, gold_of_2023, hallucinations_of_2023, is_clone, submitted_files
from qeframe_wmt.formats.tables import check_pair_names, only_text
from qeframe_wmt.readers.spans.span_tables import (
    Beyond,
    CompareTarget,
    SpanRule,
    SpanTable,
    check_targets,
    parse_spans,
    span_readings,
    submitted_spans,
    without_segments,
)

_STRICT = SpanRule(
    severities=SEVERITIES[:2], refused={"critical": "2023 had minor and major only; set critical=major in the reader"}
)
_LENIENT = SpanRule(severities=SEVERITIES)


def spans_2023(
    *,
    header_lines: int = 3,
    critical: Literal["error", "major"] = "error",
    compare: CompareTarget = "exact",
    beyond: Beyond = "error",
    published: str = "",
) -> Reader:
    """Read task folders with tables of LP METHOD SEG TARGET STARTS ENDS TYPES, by tabs; every language pair is a task.

    STARTS, ENDS and TYPES are lists separated by blanks: characters of TARGET from 0, the end exclusive, and minor or
    major. A segment without a span has ``-1 -1 no-error``.

    Parameters
    ----------
    header_lines : int
        The number of lines of one column before the table of a submission: disk footprint in bytes, number of
        parameters and size of the ensemble. The gold has one header line, the names of the columns.
    critical : {"error", "major"}
        Whether a span of type critical is refused, as in 2023, or kept; `span_f1` counts it as major.
    compare : {"exact", "no"}
        Whether TARGET must be equal in gold and submission, apart from blanks at its ends.
    beyond : {"error", "clip"}
        Whether a span that ends after its own TARGET is refused, or cut at the end of TARGET, as the official script
        does. With "clip" a span that begins after TARGET is left out. Both are counted.
    published : str
        The task of the repository of 2023 (WMT-QE-Task/wmt-qe-2023-data), which PATH may be as cloned: task2. The
        submissions are in ``submissions/task2/NAME/predictions.txt``. Segments in its list of hallucinations are left
        out and counted.

    Returns
    -------
    Reader
        Of `Spans`. A submission has the name of its file without suffix.

    Raises
    ------
    DataError
        For a negative number of header lines.

    References
    ----------
    qe-eval-scripts, wmt23 task 2.
    """
    check_header_count(header_lines, usual="3")
    rule = attrs.evolve(_LENIENT if critical == "major" else _STRICT, beyond=beyond)
    return Reader(
        name="spans_2023",
        summary="folders of tables LP METHOD SEG TARGET STARTS ENDS TYPES by tabs, a task for each language pair",
        source="WMT23-24 QE, error span detection",
        kind=Spans,
        read=partial(_read, header=header_lines, rule=rule, compare=compare, published=published),
        submission=SubmissionFormat(
            read=partial(_submission, header=header_lines, rule=rule),
            check=check_targets if compare == "exact" else None,
            lines=lines_after_header(
                header_lines,
                {
                    "SEG": SEGMENT,
                    "TARGET": "is the translation, as the task gives it",
                    "STARTS": "has the number of the first character of each error, from 0, with blanks between them; "
                    "`-1` for no error",
                    "ENDS": "has, for each error, the number of the character after the last one; `-1` for no error",
                    "TYPES": "has, for each error, `minor` or `major`; `no-error` for no error",
                },
                answers={"STARTS": ("0", "-1"), "ENDS": ("2", "-1"), "TYPES": ("minor", "no-error")},
            ),
        ),
    )


def _read(
    path: Path, best: Best, *, header: int, rule: SpanRule, compare: CompareTarget, published: str
) -> Sequence[Reading]:
    if published and is_clone(path, "wmt23"):
        return _read_clone(path, best, header, rule, compare, published)
    return [reading for task in find_tasks(path) for reading in _read_task(task, path, best, header, rule, compare)]


def _read_task(
    task: TaskFolder, root: Path, best: Best, header: int, rule: SpanRule, compare: CompareTarget
) -> list[Reading]:
    gold, *files = map(partial(read_text_lines, texts=True), (task.gold, *task.submissions))
    columns = gold.lines[0].split("\t")
    if len(columns) == len(SPAN_COLUMNS) and columns[2].strip().isdecimal():
        remedy = f"begin the gold with the names of its columns: {' '.join(SPAN_COLUMNS)}"
        raise gold.error("the header line of the gold is missing", line=1, remedy=remedy)
    return span_readings(
        _table(gold, "gold", 1, rule),
        [_answers(file, header, rule) for file in files],
        best=best,
        inputs=[input_of(file, root) for file in (gold, *files)],
        compare=compare,
    )


def _read_clone(
    root: Path, best: Best, header: int, rule: SpanRule, compare: CompareTarget, task: str
) -> list[Reading]:
    gold, skip = gold_of_2023(root, task)
    listed, left_out = hallucinations_of_2023(root)
    submitted = submitted_files(root, task)
    named = [(submission.name, read_text_lines(submission.path, texts=True)) for submission in submitted]
    table = _table(gold, "gold", skip, rule)
    counts = Counter(
        pair for pair, unit in zip(table.pairs, table.ids.tolist(), strict=True) if unit in left_out.get(pair, ())
    )
    return span_readings(
        without_segments(table, left_out),
        [without_segments(attrs.evolve(_answers(file, header, rule), name=name), left_out) for name, file in named],
        best=best,
        inputs=[input_of(file, root) for file in (gold, listed, *(file for _, file in named))],
        compare=compare,
        dropped=[Dropped(pair, "unit", n, LISTED) for pair, n in counts.items()],
    )


def _submission(path: Path, *, header: int, rule: SpanRule) -> Sequence[Submitted]:
    return submitted_spans(_answers(read_text_lines(path, texts=True), header, rule))


def _answers(file: TextFile, header: int, rule: SpanRule) -> SpanTable:
    check_columns(file, header, names=SPAN_COLUMNS, reader="spans_2023")
    return _table(file, file.path.stem, header, rule)


def _table(file: TextFile, name: str, skip: int, rule: SpanRule) -> SpanTable:
    pairs, methods, segments, targets, *cells = split_columns(file, SPAN_COLUMNS, separator="\t", skip=skip)
    check_pair_names(pairs, file, skip=skip)
    refuse_marks(file, methods, "METHOD", skip=skip)
    if name != "gold":
        only_text(methods, "METHOD", file, skip=skip)
    lines = np.arange(skip + 1, len(file.lines) + 1)
    targets = [target.strip() for target in targets]
    spans, left_out = parse_spans(zip(*cells, strict=True), targets, lines.tolist(), file, rule)
    return SpanTable(
        file=file,
        name=name,
        pairs=[pair.strip(" ").lower() for pair in pairs],
        targets=targets,
        ids=parse_ids(segments, file, skip=skip),
        lines=lines,
        spans=spans,
        left_out=left_out,
        groups={},
    )
