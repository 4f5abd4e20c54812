"""Submissions of LP, METHOD, SEG, TARGET, STARTS, ENDS and TYPES: error spans, 2023 and 2024."""

from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Literal

import attrs
from attrs import frozen

from qeframe.plugin import Spans
from qeframe.plugin.kinds import SEVERITIES
from qeframe.plugin.readers import Dropped, Reader, SubmissionFormat, Submitted, TextFile, parse_ids
from qeframe_wmt.formats.layouts import SEGMENT, SPAN_COLUMNS, check_columns, check_header_count, lines_after_header
from qeframe_wmt.formats.repositories import LISTED, Published, gold_of_2023
from qeframe_wmt.formats.tables import fixed_columns, pairs_in
from qeframe_wmt.formats.tasks import Golds
from qeframe_wmt.readers.spans.span_tables import (
    Beyond,
    CompareTarget,
    SegmentTable,
    SpanForm,
    SpanRule,
    check_targets,
    marked_texts,
    parse_spans,
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
    form = _Columns(header=header_lines, rule=rule, compare=compare)
    task = Published(task=published, golds={}, repository="wmt23")
    return Reader(
        name="spans_2023",
        summary="folders of tables LP METHOD SEG TARGET STARTS ENDS TYPES by tabs, a task for each language pair",
        source="WMT23-24 QE, error span detection",
        kind=Spans,
        read=partial(form.read, published=[task] if published else ()),
        submission=SubmissionFormat(
            read=partial(form.alone, several=True),
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


@frozen(kw_only=True)
class _Columns(SpanForm):
    """Seven columns after some header lines; the gold has the names of the columns on one."""

    def answers(self, file: TextFile, name: str) -> Sequence[Submitted]:
        check_columns(file, self.header, names=SPAN_COLUMNS, reader="spans_2023")
        return self._table(file, name, self.header).parts(without=self.left_out)

    def golds(self, file: TextFile) -> Sequence[Submitted]:
        columns = file.lines[0].split("\t")
        if len(columns) == len(SPAN_COLUMNS) and columns[2].strip().isdecimal():
            remedy = f"begin the gold with the names of its columns: {' '.join(SPAN_COLUMNS)}"
            raise file.error("the header line of the gold is missing", line=1, remedy=remedy)
        return self._table(file, "gold", 1).parts()

    def golds_of_clone(self, root: Path, published: Published) -> Golds:
        file, header = gold_of_2023(root, published.task)
        whole = self._table(file, "gold", header)
        counts = {part.part: len(part.answers.ids) for part in whole.parts()}
        golds = {}
        for part in whole.parts(without=self.left_out):
            count = counts[part.part] - len(part.answers.ids)
            listed = [Dropped(part.part, "unit", count, LISTED)] if count else []
            golds[part.part] = file, attrs.evolve(part, dropped=(*listed, *part.dropped))
        return golds

    def _table(self, file: TextFile, name: str, header: int) -> SegmentTable:
        table = fixed_columns(file, SPAN_COLUMNS, header=header)
        pairs_in(table)
        table.refuse_marks("METHOD")
        if name != "gold":
            table.only("METHOD")
        cells = [table.cells[column] for column in ("STARTS", "ENDS", "TYPES")]
        targets = [target.strip() for target in table.cells["TARGET"]]
        spans, left_out = parse_spans(zip(*cells, strict=True), targets, table.lines.tolist(), file, self.rule)
        values = table.side(name, table.read("SEG", parse_ids), marked_texts(spans, targets))
        pairs = [pair.strip(" ").lower() for pair in table.cells["LP"]]
        return SegmentTable(table=table.having("LP", pairs).having("TARGET", targets), values=values, left_out=left_out)
