"""Errors of documents, one a line: DOCUMENT, LINES, STARTS, LENGTHS and SEVERITY, 2019 and 2020."""

from collections import Counter
from collections.abc import Mapping, Sequence
from functools import partial
from itertools import pairwise
from pathlib import Path
from typing import Literal

import numpy as np
from attrs import frozen

from qeframe.plugin import Best, Spans
from qeframe.plugin.kinds import NO_CODE, SEVERITIES, AnnotatedSegments, SegmentSpans
from qeframe.plugin.readers import (
    Dropped,
    Reader,
    Reading,
    TaskFolder,
    TextFile,
    UnitValues,
    find_tasks,
    has_file,
    input_of,
    read_text_lines,
)

Layout = Literal[2019, 2020]
Overlapping = Literal["error", "drop"]

_COLUMNS = ("DOCUMENT", "LINES", "STARTS", "LENGTHS", "SEVERITY")
_MORE = ("WEIGHT", "CATEGORY")
_LISTED = "documents.txt"
_BETWEEN_LINES = 2  # positions between the lines of a document, so that spans of different lines do not touch


@frozen
class _Error:
    """An error of a document: its severity, its category ("" for none), and line, start and end of its spans."""

    document: str
    severity: int
    category: str
    spans: tuple[tuple[int, int, int], ...]


@frozen(eq=False)
class _Side:
    """The errors of one file, and how many were left out."""

    file: TextFile
    name: str
    errors: Sequence[tuple[int, _Error]]
    overlapping: int


def document_annotations(*, layout: Layout = 2019, overlapping: Overlapping = "error") -> Reader:
    """Read task folders with the errors of documents, one a line, by tabs.

    DOCUMENT is an id. LINES, STARTS and LENGTHS are lists separated by blanks, one entry for each span of the error:
    the line of the document, the character in this line, both from 0, and the number of characters. SEVERITY is minor,
    major or critical. Two more columns, the weight and the category of the error, may follow.

    Parameters
    ----------
    layout : {2019, 2020}
        2020: submissions have the name of the method in a column before DOCUMENT.
    overlapping : {"error", "drop"}
        Whether an error whose own spans overlap is refused, or left out and counted, as the official script does.

    Returns
    -------
    Reader
        Of `Spans`, whose units are documents. They are those of the gold, or those that ``documents.txt`` in the task's
        folder lists, one id a line; it is needed if a document has no error in the gold. The texts are not known: a
        line of a document is as long as the last end of any span of any file in it. A submission has the name of its
        file without suffix.

    References
    ----------
    WMT19 QE task 2 and WMT20 QE task 3, annotation of documents; deep-spin/qe-evaluation.
    """
    return Reader(
        name="document_annotations",
        summary="folders of a task, errors of documents DOCUMENT LINES STARTS LENGTHS SEVERITY by tabs",
        source="WMT19-20 QE, annotation of documents",
        kind=Spans,
        read=partial(_read, layout=layout, overlapping=overlapping),
    )


def _read(path: Path, best: Best, *, layout: Layout, overlapping: Overlapping) -> Sequence[Reading]:
    return [_read_task(task, path, best, layout, overlapping) for task in find_tasks(path)]


def _read_task(task: TaskFolder, root: Path, best: Best, layout: Layout, overlapping: Overlapping) -> Reading:
    read = partial(read_text_lines, holds="one error a line", texts=True)
    gold = _side(read(task.gold), "gold", 0, overlapping)
    method = 1 if layout == 2020 else 0
    sides = [_side(read(path), path.stem, method, overlapping) for path in task.submissions]
    listed = read_text_lines(task.path / _LISTED) if has_file(task.path / _LISTED) else None
    documents = _documents(gold, listed)
    for side, line, error in ((of, *row) for of in (gold, *sides) for row in of.errors):
        if error.document not in documents:
            where = listed.path if listed else "the gold"
            remedy = f"correct the id, or list every document in {_LISTED}, also those without an error"
            raise side.file.error(f"document '{error.document}' is not in {where}", line=line, remedy=remedy)
    begins, length = _lines_of(documents, [gold, *sides])
    categories = tuple(sorted({error.category for side in (gold, *sides) for _, error in side.errors} - {""}))
    values = partial(_unit_values, documents=documents, begins=begins, length=length, categories=categories)
    return Reading(
        name=task.name,
        kind=Spans,
        gold=values(gold),
        submissions=tuple(map(values, sides)),
        best=best,
        dropped=tuple(
            Dropped(task.name, "error", side.overlapping, f"with spans that overlap each other, in {side.name}")
            for side in (gold, *sides)
            if side.overlapping
        ),
        inputs=tuple(input_of(file, root) for file in (gold.file, *(side.file for side in sides), listed) if file),
    )


def _side(file: TextFile, name: str, method: int, overlapping: Overlapping) -> _Side:
    errors, dropped = [], 0
    widths = len(_COLUMNS) + method, len(_COLUMNS) + method + len(_MORE)
    for line, text in enumerate(file.lines, 1):
        cells = [cell.strip(" ") for cell in text.split("\t")]
        if len(cells) not in widths:
            names = " ".join(("METHOD",) * method + _COLUMNS)
            remedy = f"write {names}, and possibly {' '.join(_MORE)}"
            if name != "gold" and len(cells) in (len(_COLUMNS), len(_COLUMNS) + 1):
                remedy += f", or set layout={2019 if method else 2020} in the reader"
            raise file.error(f"{len(cells)} columns by tabs", line=line, remedy=remedy)
        if not all(cell and cell.isprintable() for cell in cells[:method]):
            raise file.error(f"METHOD is {cells[0]!a}", line=line, remedy="write the name of the method")
        error = _error(cells[method:], file, line)
        if not any(a[0] == b[0] and b[1] < a[2] for a, b in pairwise(sorted(error.spans))):
            errors.append((line, error))
        elif overlapping == "drop":
            dropped += 1
        else:
            remedy = "give spans of an error that do not overlap, or set overlapping=drop in the reader"
            raise file.error("spans of one error overlap", line=line, remedy=remedy)
    return _Side(file, name, errors, dropped)


def _error(cells: Sequence[str], file: TextFile, line: int) -> _Error:
    document, *_, severity = cells[:5]
    category = cells[6] if len(cells) > 5 else ""
    for name, value in (("DOCUMENT", document), ("CATEGORY", category)):
        if not value.isprintable() or (name == "DOCUMENT" and not value):
            raise file.error(f"{name} is {value!a}", line=line, remedy="write visible characters")
    if severity not in SEVERITIES:
        raise file.error(f"SEVERITY is {severity!a}", line=line, remedy=f"severities are {', '.join(SEVERITIES)}")
    lists = [_numbers(text, name, file, line) for name, text in zip(_COLUMNS[1:4], cells[1:4], strict=True)]
    if len(set(map(len, lists))) > 1:
        what = f"{len(lists[0])} lines, {len(lists[1])} starts and {len(lists[2])} lengths"
        raise file.error(what, line=line, remedy="give as many of each, with a blank between them")
    spans = tuple((at, start, start + length) for at, start, length in zip(*lists, strict=True))
    return _Error(document, SEVERITIES.index(severity), category, spans)


def _numbers(text: str, name: str, file: TextFile, line: int) -> list[int]:
    parts = text.split(" ")
    if not all(part.isascii() and part.isdecimal() and len(part) < 8 for part in parts):
        raise file.error(f"{name} is {text!a}", line=line, remedy="write whole numbers from 0, a blank between them")
    return list(map(int, parts))


def _documents(gold: _Side, listed: TextFile | None) -> dict[str, int]:
    """Return the number of each document."""
    if listed is None:
        return {name: number for number, name in enumerate(dict.fromkeys(error.document for _, error in gold.errors))}
    numbers: dict[str, int] = {}
    for line, text in enumerate(listed.lines, 1):
        name = text.strip(" ")
        if not name or not name.isprintable() or name in numbers:
            raise listed.error(f"{name!a} is no new document", line=line, remedy="write each id once, one a line")
        numbers[name] = len(numbers)
    return numbers


def _lines_of(documents: Mapping[str, int], sides: Sequence[_Side]) -> tuple[dict[tuple[str, int], int], list[int]]:
    """Return where the lines of each document begin, and the length of each document."""
    ends: dict[tuple[str, int], int] = {}
    for side in sides:
        for _, error in side.errors:
            for at, _, end in error.spans:
                ends[error.document, at] = max(end, ends.get((error.document, at), 0))
    begins, length = dict[tuple[str, int], int](), [0] * len(documents)
    for (document, at), end in sorted(ends.items()):
        begins[document, at] = length[documents[document]]
        length[documents[document]] += end + _BETWEEN_LINES
    return begins, length


def _unit_values(
    side: _Side,
    documents: Mapping[str, int],
    begins: Mapping[tuple[str, int], int],
    length: Sequence[int],
    categories: Sequence[str],
) -> UnitValues:
    rows = sorted(side.errors, key=lambda row: documents[row[1].document])
    codes = {"": NO_CODE, **{name: code for code, name in enumerate(categories)}}
    flat = [
        (begins[error.document, at] + start, begins[error.document, at] + end, error.severity, codes[error.category])
        for _, error in rows
        for at, start, end in error.spans
    ]
    counts = Counter(documents[error.document] for _, error in rows for _ in error.spans)
    numbers = [number for number, (_, error) in enumerate(rows) for _ in error.spans]
    values = np.array(flat, dtype=np.int64).reshape(-1, 4)
    offsets = np.concatenate([[0], np.cumsum([counts[document] for document in range(len(documents))], dtype=np.int64)])
    spans = AnnotatedSegments(
        values if categories else values[:, :3],
        offsets,
        categories=tuple(categories),
        error=np.array(numbers, dtype=np.int64),
    )
    if side.name == "gold":
        text = np.array(length, np.int64)
        spans = SegmentSpans(spans.values, offsets, text, categories=spans.categories, error=spans.error)
    return UnitValues(
        name=side.name,
        ids=np.arange(len(documents)),
        values=spans,
        path=str(side.file.path),
        names={number: name for name, number in documents.items()},
    )
