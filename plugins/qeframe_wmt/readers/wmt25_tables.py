"""Tables of 2025 with named columns, one segment of one system a line: error spans, and corrected translations."""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from itertools import compress
from pathlib import Path

import attrs
import numpy as np
from attrs import frozen

from qeframe.plugin import Best, DataError, FloatArray, IntArray, PostEdits, Spans
from qeframe.plugin.kinds import SEVERITIES, scored_texts
from qeframe.plugin.readers import (
    Dropped,
    Reader,
    Reading,
    SubmissionFormat,
    Submitted,
    TaskFolder,
    TextFile,
    UnitValues,
    columns_by_name,
    find_tasks,
    input_of,
    parse_numbers,
    read_text_lines,
    refuse_marks,
)
from qeframe_wmt.formats.layouts import Layout, refuse_other_layout
from qeframe_wmt.readers.spans.span_tables import (
    Beyond,
    CompareTarget,
    SpanRule,
    SpanTable,
    check_known_pairs,
    check_targets,
    parse_spans,
    span_readings,
    submitted_spans,
)

_KEY = ("source_lang", "target_lang", "doc_id", "segment_id", "set_id", "system_id")
_BEFORE = "hypothesis_segment"
_GROUPS = {"document": "doc_id", "system": "system_id", "domain": "domain_name"}

_Columns = Mapping[str, Sequence[str]]
_Numbers = dict[tuple[str, ...], int]  # of segments by their identity, in the order of their first occurrence


def _named_columns(file: TextFile, needed: Sequence[str], remedy: str = "") -> dict[str, list[str]]:
    usual = f"the first line names the columns, among them {' '.join(needed)}"
    columns = columns_by_name(file, needed, separator="\t", remedy=remedy or usual)
    for name in columns.keys() & {*_KEY, *_GROUPS.values()}:
        refuse_marks(file, columns[name], name, skip=1)
    return columns


def _pairs(columns: _Columns) -> list[str]:
    return [f"{source}-{target}" for source, target in zip(columns[_KEY[0]], columns[_KEY[1]], strict=True)]


def _ids(columns: _Columns, numbers: _Numbers) -> IntArray:
    keys = zip(*(columns[part] for part in _KEY), strict=True)
    return np.array([numbers.setdefault(key, len(numbers)) for key in keys], np.int64)


def _names(columns: _Columns, ids: IntArray, shown: Sequence[str]) -> dict[int, str]:
    parts = zip(*(columns[part] for part in shown), strict=True)
    return {number: "/".join(of_segment) for number, of_segment in zip(ids.tolist(), parts, strict=True)}


def _groups(columns: _Columns) -> dict[str, Sequence[str]]:
    return {group: columns[column] for group, column in _GROUPS.items() if column in columns}


# --- error spans ------------------------------------------------------------------------------------------------------

_LISTS = ("start_indices", "end_indices", "error_types")
_NEEDED = (*_KEY, _BEFORE, *_LISTS)
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
        read=partial(_read_spans, set_id=set_id, compare=compare, rule=rule),
        submission=SubmissionFormat(
            read=partial(_spans_alone, set_id=set_id, rule=rule), check=check_targets if compare == "exact" else None
        ),
    )


def _read_spans(path: Path, best: Best, *, set_id: str, compare: CompareTarget, rule: SpanRule) -> Sequence[Reading]:
    readings = []
    for task in find_tasks(path):
        files = [read_text_lines(file, texts=True) for file in (task.gold, *task.submissions)]
        names = ["gold", *(file.path.stem for file in files[1:])]
        numbers: _Numbers = {}
        read = [_table_of_set(file, name, set_id, numbers, rule) for file, name in zip(files, names, strict=True)]
        (gold, *answers), dropped = [table for table, _ in read], [note for _, notes in read for note in notes]
        inputs = [input_of(file, path) for file in files]
        readings += span_readings(gold, answers, best=best, inputs=inputs, compare=compare, dropped=dropped)
    return readings


def _spans_alone(path: Path, *, set_id: str, rule: SpanRule) -> Sequence[Submitted]:
    numbers: _Numbers = {}
    table, dropped = _table_of_set(read_text_lines(path, texts=True), path.stem, set_id, numbers, rule)
    names = {number: "/".join(key) for key, number in numbers.items()}
    return submitted_spans(attrs.evolve(table, names=names), dropped)


def _table_of_set(
    file: TextFile, name: str, set_id: str, numbers: _Numbers, rule: SpanRule
) -> tuple[SpanTable, list[Dropped]]:
    """Return the segments of one set, and the counts of lines of other sets."""
    refuse_other_layout(file, _LAYOUT)
    columns: _Columns = _named_columns(file, _NEEDED)
    is_chosen = [not set_id or of_line == set_id for of_line in columns["set_id"]]
    if not any(is_chosen):
        sets = ", ".join(sorted(set(columns["set_id"])))
        what = f"no line is in the set {set_id}, they are in {sets}"
        raise file.error(what, line=2, remedy="set set_id in the reader")
    others = Counter(compress(_pairs(columns), [not chosen for chosen in is_chosen]))
    where = "the gold" if name == "gold" else name
    notes = [Dropped(pair, "line", n, f"not in the set {set_id}, in {where}") for pair, n in sorted(others.items())]
    lines = list(compress(range(2, len(file.lines) + 1), is_chosen))
    columns = {column: list(compress(cells, is_chosen)) for column, cells in columns.items()}
    ids = _ids(columns, numbers)
    cells = zip(*(columns[listed] for listed in _LISTS), strict=True)
    spans, left_out = parse_spans(cells, columns[_BEFORE], lines, file, rule)
    table = SpanTable(
        file=file,
        name=name,
        pairs=_pairs(columns),
        targets=columns[_BEFORE],
        ids=ids,
        lines=np.array(lines, np.int64),
        spans=spans,
        left_out=left_out,
        groups=_groups(columns),
        names=_names(columns, ids, ("doc_id", "segment_id", "system_id")),
    )
    return table, notes


# --- corrections ------------------------------------------------------------------------------------------------------

_AFTER = "post_edit"
_GOLD = "baseline0_predictions_with_scores.tsv"
_PLAIN = "or give scores alone, one a line: --set reader=qe_plain --set 'secondary=[]'"


@frozen(eq=False)
class _Table:
    """The rows of a file: the texts that are scored, and their scores, by the identity of the segment."""

    file: TextFile
    name: str
    pairs: Sequence[str]
    ids: IntArray
    names: Mapping[int, str]
    originals: Sequence[str]
    texts: Sequence[str]
    scores: FloatArray
    groups: Mapping[str, Sequence[str]]

    def rows(self, pair: str) -> IntArray:
        return np.flatnonzero(np.array(self.pairs) == pair)

    def values(self, rows: IntArray) -> UnitValues:
        return UnitValues(
            name=self.name,
            ids=self.ids[rows],
            values=scored_texts(self.scores[rows], [self.texts[row] for row in rows]),
            path=str(self.file.path),
            lines=rows + 2,
            names=self.names,
        )


def corrections_2025(
    *, gold: str = _GOLD, before: str = "overall_comet22", after: str = "post_edit_comet22", sample: int = 0
) -> Reader:
    """Read task folders with tables of corrections, by tabs, whose first line names the columns; a pair is a task.

    The gold is the table of the originals, with their scores; a submission is ``predictions.tsv`` under another name in
    the folder submissions, with a column of scores added. source_lang, target_lang, doc_id, segment_id, set_id and
    system_id identify a segment. Both have the original in hypothesis_segment, and a submission its correction in
    post_edit. Quotes are ordinary characters, and an empty correction is an empty text.

    Parameters
    ----------
    gold : str
        The name of the file of the originals.
    before, after : str
        The columns with the scores that the quality metric gives to hypothesis_segment, in the gold, and to post_edit,
        in the submissions. Empty: no scores are read, and what needs them is n/a.
    sample : int
        How many rows of a language pair are evaluated: those that the official program, which takes 100, draws by
        pandas with the seed 0. The others are counted. 0: all rows.

    Returns
    -------
    Reader
        Of `PostEdits`. A submission has the name of its file without suffix.

    Raises
    ------
    DataError
        When it reads: among others, if a submission has another original than the gold.

    References
    ----------
    WMT25 automated translation quality evaluation, task 3, task3_evaluate_2025.py.
    """
    if bool(before) != bool(after):
        raise DataError("corrections_2025: before and after must both name a column, or both be empty")
    if sample < 0:
        raise DataError(f"corrections_2025: sample = {sample} must be 0, for all rows, or a number of rows")
    return Reader(
        name="corrections_2025",
        summary="folders of tables with a header, corrections in post_edit, and scores before and after",
        source="WMT25, quality-informed correction",
        kind=PostEdits,
        read=partial(_read_corrections, gold=gold, before=before, after=after, sample=sample),
        submission=SubmissionFormat(read=partial(_corrections_alone, score=after), check=_check_originals, gold=gold),
    )


def _read_corrections(path: Path, best: Best, *, gold: str, before: str, after: str, sample: int) -> Sequence[Reading]:
    try:
        tasks = find_tasks(path, gold=gold)
    except DataError as error:
        raise DataError(error.what, path=error.path, remedy=f"{error.remedy}; {_PLAIN}") from None
    return [reading for task in tasks for reading in _read_task(task, path, best, before, after, sample)]


def _read_task(task: TaskFolder, root: Path, best: Best, before: str, after: str, sample: int) -> list[Reading]:
    numbers: _Numbers = {}
    gold, *answers = [
        _table(read_text_lines(path, texts=True), path.stem, _AFTER, after, numbers)
        if number
        else _table(read_text_lines(path, texts=True), "gold", _BEFORE, before, numbers)
        for number, path in enumerate((task.gold, *task.submissions))
    ]
    pairs = dict.fromkeys(gold.pairs)
    for answer in answers:
        check_known_pairs(answer.file, answer.pairs, range(2, len(answer.pairs) + 2), pairs, gold.file)
    inputs = tuple(input_of(table.file, root) for table in (gold, *answers))
    readings = []
    for pair in pairs:
        rows = gold.rows(pair)
        kept = rows[_drawn(len(rows), sample)]
        note = Dropped(pair, "row", len(rows) - len(kept), f"not among the {sample} that the official program draws")
        readings.append(
            Reading(
                name=pair,
                kind=PostEdits,
                gold=gold.values(kept),
                submissions=tuple(_answers(gold, rows, kept, answer, pair) for answer in answers),
                groups={name: [labels[row] for row in kept] for name, labels in gold.groups.items()},
                best=best,
                dropped=(note,) if note.count else (),
                inputs=inputs,
            )
        )
    return readings


def _drawn(rows: int, sample: int) -> IntArray:
    """Return which rows of a language pair are evaluated, in their order: those of ``sample(random_state=0)``."""
    if not sample or rows <= sample:
        return np.arange(rows)
    return np.sort(np.random.RandomState(0).choice(rows, size=sample, replace=False))


def _answers(gold: _Table, rows: IntArray, kept: IntArray, answer: _Table, pair: str) -> UnitValues:
    """Return the corrections of a language pair, without the rows that are not evaluated."""
    theirs = answer.rows(pair)
    _check_same(gold, answer, theirs, lambda _, unit: unit)
    left_out = set(gold.ids[rows].tolist()) - set(gold.ids[kept].tolist())
    return answer.values(np.array([row for row in theirs if int(answer.ids[row]) not in left_out], np.int64))


def _corrections_alone(path: Path, *, score: str) -> Sequence[Submitted]:
    file = read_text_lines(path, texts=True)
    scored = score and score in file.lines[0].split("\t")
    table = _table(file, path.stem, _AFTER, score if scored else "", {})
    return [
        Submitted(part=pair, answers=table.values(table.rows(pair)), content=table)
        for pair in dict.fromkeys(table.pairs)
    ]


def _check_originals(expected: Submitted, given: Submitted) -> None:
    """Check that a submission has the originals of the input; segments are joined by their names."""
    ours, theirs = expected.content, given.content
    _check_same(ours, theirs, theirs.rows(given.part), lambda table, unit: table.names[unit])


def _check_same(ours: _Table, theirs: _Table, rows: IntArray, key: Callable[[_Table, int], object]) -> None:
    """Raise a `DataError` at the first of some rows whose original is another one than in our table."""
    row_of = {key(ours, unit): row for row, unit in enumerate(ours.ids.tolist())}
    for row, unit in zip(rows.tolist(), theirs.ids[rows].tolist(), strict=True):
        wanted = row_of.get(key(theirs, unit))
        if wanted is not None and ours.originals[wanted] != theirs.originals[row]:
            what = f"another {_BEFORE} of segment {theirs.names[unit]} than in {ours.file.path}:{wanted + 2}"
            raise theirs.file.error(what, line=row + 2, remedy="correct the translations of the input")


def _table(file: TextFile, name: str, text: str, score: str, numbers: _Numbers) -> _Table:
    """Return the rows of a file, of the columns `text` and `score`; an empty one is not there."""
    needed = tuple(dict.fromkeys((*_KEY, _BEFORE, text, *([score] if score else []))))
    remedy = ""
    if score and score not in file.lines[0].split("\t"):
        remedy = (
            f"add the scores that the quality metric gives to {text}, or, for edits alone, "
            "--set 'reader=corrections_2025(before=\"\", after=\"\")' --set primary=edit_rate --set 'secondary=[]'"
        )
    columns = _named_columns(file, needed, remedy)
    ids = _ids(columns, numbers)
    return _Table(
        file=file,
        name=name,
        pairs=_pairs(columns),
        ids=ids,
        names=_names(columns, ids, _KEY[2:]),
        originals=columns[_BEFORE],
        texts=columns[text],
        scores=_scores(columns[score], score, file) if score else np.full(len(ids), np.nan),
        groups=_groups(columns),
    )


def _scores(cells: Sequence[str], column: str, file: TextFile) -> FloatArray:
    try:
        return parse_numbers(cells, file, skip=1)
    except DataError as error:
        raise file.error(f"{column}: {error.what}", line=error.line, remedy="every row needs a score") from None
