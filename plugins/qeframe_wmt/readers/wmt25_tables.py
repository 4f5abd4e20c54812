"""Tables of 2025 with named columns, one segment of one system a line: error spans, and corrected translations."""

from collections import Counter
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Any, ClassVar

import attrs
import numpy as np
from attrs import frozen

from qeframe.plugin import Best, DataError, IntArray, PostEdits, Spans
from qeframe.plugin.kinds import SEVERITIES, scored_texts
from qeframe.plugin.readers import (
    Dropped,
    Reader,
    Reading,
    SubmissionFormat,
    Submitted,
    TableColumns,
    TextFile,
    columns_by_name,
    find_tasks,
    read_text_lines,
)
from qeframe_wmt.formats.layouts import Layout, refuse_other_layout
from qeframe_wmt.formats.tables import parse_scores
from qeframe_wmt.formats.tasks import Form, Found
from qeframe_wmt.readers.spans.span_tables import (
    Beyond,
    CompareTarget,
    SegmentTable,
    SpanForm,
    SpanRule,
    by_id,
    check_targets,
    marked_texts,
    parse_spans,
)

_KEY = ("source_lang", "target_lang", "doc_id", "segment_id", "set_id", "system_id")
_BEFORE, _AFTER = "hypothesis_segment", "post_edit"
_GROUPS = {"document": "doc_id", "system": "system_id", "domain": "domain_name"}


def _named_columns(file: TextFile, needed: Sequence[str], remedy: str = "") -> TableColumns:
    usual = f"the first line names the columns, among them {' '.join(needed)}"
    table = columns_by_name(file, needed, separator="\t", remedy=remedy or usual)
    for name in table.cells.keys() & {*_KEY, *_GROUPS.values()}:
        table.refuse_marks(name)
    pairs = zip(table.cells[_KEY[0]], table.cells[_KEY[1]], strict=True)
    return table.having("LP", ["-".join(pair) for pair in pairs])


def _segments(table: TableColumns, name: str, values: Any, shown: Sequence[str] = _KEY, **more: Any) -> SegmentTable:
    """Return the segments of a file, numbered in the order of their first occurrence.

    `shown`: the columns that name a segment. `more`: fields of the table.
    """
    columns, numbers = table.cells, dict[tuple[str, ...], int]()
    keys = zip(*(columns[part] for part in _KEY), strict=True)
    ids = np.array([numbers.setdefault(key, len(numbers)) for key in keys], np.int64)
    names = {number: _name(key, shown) for key, number in numbers.items()}
    return SegmentTable(
        table=table.having("TARGET", columns[_BEFORE]),
        values=table.side(name, ids, values, names=names),
        grouped={group: column for group, column in _GROUPS.items() if column in columns},
        keys=list(numbers),
        **more,
    )


def _name(key: Sequence[str], shown: Sequence[str]) -> str:
    return "/".join(key[_KEY.index(column)] for column in shown)


def _joined(found: Found, shown: Sequence[str]) -> Found:
    """Return a task whose segments are numbered as in the gold, and named by the columns that are `shown`."""
    numbers = {key: number for number, key in enumerate(found.gold.content.keys)}

    def joined(part: Submitted) -> Submitted:
        keys = [part.content.keys[unit] for unit in part.answers.ids.tolist()]
        ids = np.array([numbers.setdefault(key, len(numbers)) for key in keys], np.int64)
        names = {unit: _name(key, shown) for unit, key in zip(ids.tolist(), keys, strict=True)}
        return attrs.evolve(part, answers=attrs.evolve(part.answers, ids=ids, names=names))

    answers = [(file, joined(part)) for file, part in found.answers]
    return attrs.evolve(found, gold=joined(found.gold), answers=answers)


_LISTS = ("start_indices", "end_indices", "error_types")
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
    form = _SpanTables(rule=attrs.evolve(_RULE, beyond=beyond), compare=compare, set_id=set_id)
    return Reader(
        name="spans_2025",
        summary="folders of tables with a header, spans in start_indices end_indices error_types",
        source="WMT25, error span detection",
        kind=Spans,
        read=form.read,
        submission=SubmissionFormat(
            read=partial(form.alone, several=True), check=check_targets if compare == "exact" else None
        ),
    )


@frozen(kw_only=True)
class _SpanTables(SpanForm):
    """Tables whose first line names the columns, with the spans of one set."""

    set_id: str

    def answers(self, file: TextFile, name: str) -> Sequence[Submitted]:
        refuse_other_layout(file, _LAYOUT)
        table = _named_columns(file, (*_KEY, _BEFORE, *_LISTS))
        chosen = np.array([self.set_id in ("", of_row) for of_row in table.cells["set_id"]])
        if not chosen.any():
            sets = ", ".join(sorted(set(table.cells["set_id"])))
            what = f"no line is in the set {self.set_id}, they are in {sets}"
            raise file.error(what, line=2, remedy="set set_id in the reader")
        others = Counter(table.take(np.flatnonzero(~chosen)).cells["LP"])
        where = f"not in the set {self.set_id}, in {'the gold' if name == 'gold' else name}"
        notes = [Dropped(pair, "line", count, where) for pair, count in sorted(others.items())]
        table = table.take(np.flatnonzero(chosen))
        cells, texts = zip(*(table.cells[listed] for listed in _LISTS), strict=True), table.cells[_BEFORE]
        spans, left_out = parse_spans(cells, texts, table.lines.tolist(), file, self.rule)
        return _segments(table, name, marked_texts(spans, texts), left_out=left_out).parts(notes)

    def reading(self, found: Found, best: Best, root: Path) -> Reading:
        return super().reading(_joined(found, ("doc_id", "segment_id", "system_id")), best, root)


_GOLD = "baseline0_predictions_with_scores.tsv"
_PLAIN = "or give scores alone, one a line: --set reader=qe_plain --set 'secondary=[]'"
_REPAIR = "correct the translations of the input"


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
    form = _Corrections(gold_name=gold, before=before, after=after, sample=sample)
    check = partial(check_targets, what=_BEFORE, remedy=_REPAIR)
    return Reader(
        name="corrections_2025",
        summary="folders of tables with a header, corrections in post_edit, and scores before and after",
        source="WMT25, quality-informed correction",
        kind=PostEdits,
        read=partial(_read_corrections, form=form),
        submission=SubmissionFormat(read=form.corrected, check=check, gold=gold),
    )


def _read_corrections(path: Path, best: Best, *, form: "_Corrections") -> Sequence[Reading]:
    try:
        find_tasks(path, gold=form.gold_name)
    except DataError as error:
        raise DataError(error.what, path=error.path, remedy=f"{error.remedy}; {_PLAIN}") from None
    return form.read(path, best)


@frozen(kw_only=True)
class _Corrections(Form):
    """Tables whose first line names the columns, with scores before and after a correction; an empty one is not there.

    `sample`: how many rows of a language pair are evaluated; 0: all.
    """

    texts: ClassVar[bool] = True
    gold_texts: ClassVar[bool] = True
    together: ClassVar[bool] = True

    before: str
    after: str
    sample: int

    def answers(self, file: TextFile, name: str) -> Sequence[Submitted]:
        return _corrections(file, name, _AFTER, self.after)

    def corrected(self, path: Path) -> Sequence[Submitted]:
        """Return the corrections in one file, with their scores where it has them."""
        file = read_text_lines(path, texts=True)
        return _corrections(file, path.stem, _AFTER, self.after if self.after in file.lines[0].split("\t") else "")

    def golds(self, file: TextFile) -> Sequence[Submitted]:
        return _corrections(file, "gold", _BEFORE, self.before)

    def reading(self, found: Found, best: Best, root: Path) -> Reading:
        task = _joined(found, _KEY[2:])
        gold = task.gold.answers
        kept = _drawn(len(gold.ids), self.sample)
        others = np.setdiff1d(gold.ids, gold.ids[kept])
        sides = []
        for _, part in task.answers:
            check_targets(task.gold, part, what=_BEFORE, remedy=_REPAIR, key=by_id)
            sides.append(part.answers.take(np.flatnonzero(~np.isin(part.answers.ids, others))))
        if len(sides) < len(task.files):
            lacking = next(f for f in task.files if f not in [file for file, _ in task.answers])
            raise lacking.error(f"no segment is of {task.name}", remedy="correct every language pair of the input")
        reason = f"not among the {self.sample} that the official program draws"
        count = len(gold.ids) - len(kept)
        reading = task.reading(
            PostEdits,
            best,
            root,
            submissions=tuple(sides),
            groups={name: [labels[row] for row in kept] for name, labels in task.gold.content.groups.items()},
            dropped=(Dropped(task.name, "row", count, reason),) if count else (),
        )
        return attrs.evolve(reading, gold=gold.take(kept))


def _drawn(rows: int, sample: int) -> IntArray:
    """Return which rows of a language pair are evaluated, in their order: those of ``sample(random_state=0)``."""
    if not sample or rows <= sample:
        return np.arange(rows)
    return np.sort(np.random.RandomState(0).choice(rows, size=sample, replace=False))


def _corrections(file: TextFile, name: str, text: str, score: str) -> list[Submitted]:
    """Return the rows of each language pair, of the columns `text` and `score`; an empty one is not there."""
    needed = tuple(dict.fromkeys((*_KEY, _BEFORE, text, *([score] if score else []))))
    remedy = ""
    if score and score not in file.lines[0].split("\t"):
        remedy = (
            f"add the scores that the quality metric gives to {text}, or, for edits alone, "
            "--set 'reader=corrections_2025(before=\"\", after=\"\")' --set primary=edit_rate --set 'secondary=[]'"
        )
    table = _named_columns(file, needed, remedy)
    texts = table.cells[text]
    scores = np.full(len(texts), np.nan)
    if score:
        scores = parse_scores(table, score, "", remedy="every row needs a score")
    return _segments(table, name, scored_texts(scores, texts), _KEY[2:]).parts()
