"""Tables with named columns, one segment of one system a line: corrected translations, 2025."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path

import numpy as np
from attrs import frozen

from qeframe.plugin import Best, DataError, FloatArray, IntArray, PostEdits
from qeframe.plugin.kinds import scored_texts
from qeframe.plugin.readers import (
    Dropped,
    Reader,
    Reading,
    SubmissionFormat,
    Submitted,
    TaskFolder,
    TextFile,
    UnitValues,
    find_tasks,
    input_of,
    parse_numbers,
    read_text_lines,
    refuse_marks,
)
from qeframe_wmt.examples import corrections as examples
from qeframe_wmt.formats.tab_columns import columns_by_name

_KEY = ("source_lang", "target_lang", "doc_id", "segment_id", "set_id", "system_id")
_BEFORE, _AFTER = "hypothesis_segment", "post_edit"
_GROUPS = {"document": "doc_id", "system": "system_id", "domain": "domain_name"}
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
        read=partial(_read, gold=gold, before=before, after=after, sample=sample),
        example=partial(examples.corrections_2025, gold=gold, before=before, after=after),
        submission=SubmissionFormat(read=partial(_submission, score=after), check=_check_originals, gold=gold),
    )


def _read(path: Path, best: Best, *, gold: str, before: str, after: str, sample: int) -> Sequence[Reading]:
    try:
        tasks = find_tasks(path, gold=gold)
    except DataError as error:
        raise DataError(error.what, path=error.path, remedy=f"{error.remedy}; {_PLAIN}") from None
    return [reading for task in tasks for reading in _read_task(task, path, best, before, after, sample)]


def _read_task(task: TaskFolder, root: Path, best: Best, before: str, after: str, sample: int) -> list[Reading]:
    numbers: dict[tuple[str, ...], int] = {}
    gold = _table(read_text_lines(task.gold, texts=True), "gold", _BEFORE, before, numbers)
    answers = [
        _table(read_text_lines(path, texts=True), path.stem, _AFTER, after, numbers) for path in task.submissions
    ]
    _check_pairs(gold, answers)
    inputs = tuple(input_of(each.file, root) for each in (gold, *answers))
    readings = []
    for pair in dict.fromkeys(gold.pairs):
        rows = gold.rows(pair)
        chosen = _drawn(len(rows), sample)
        kept = rows[chosen]
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
    row_of = {int(gold.ids[row]): int(row) for row in rows}
    for row in theirs:
        in_gold = row_of.get(int(answer.ids[row]))
        if in_gold is not None and gold.originals[in_gold] != answer.originals[row]:
            raise _other_original(answer, int(row), f"{gold.file.path}:{in_gold + 2}")
    left_out = set(gold.ids[rows].tolist()) - set(gold.ids[kept].tolist())
    return answer.values(np.array([row for row in theirs if int(answer.ids[row]) not in left_out], np.int64))


def _other_original(answer: _Table, row: int, where: str) -> DataError:
    what = f"another {_BEFORE} of segment {answer.names[int(answer.ids[row])]} than in {where}"
    return answer.file.error(what, line=row + 2, remedy="correct the translations of the input")


def _check_pairs(gold: _Table, answers: Sequence[_Table]) -> None:
    pairs = dict.fromkeys(gold.pairs)
    for answer in answers:
        for row, pair in enumerate(answer.pairs):
            if pair not in pairs:
                what = f"language pair '{pair}' is not in {gold.file.path}, which has {', '.join(pairs)}"
                raise answer.file.error(what, line=row + 2, remedy="remove the line, or correct it")


def _submission(path: Path, *, score: str) -> Sequence[Submitted]:
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
    row_of = {ours.names[unit]: row for row, unit in enumerate(ours.ids.tolist())}
    for row in theirs.rows(given.part):
        wanted = row_of.get(theirs.names[int(theirs.ids[row])])
        if wanted is not None and ours.originals[wanted] != theirs.originals[row]:
            raise _other_original(theirs, int(row), f"{ours.file.path}:{wanted + 2}")


def _table(file: TextFile, name: str, text: str, score: str, numbers: dict[tuple[str, ...], int]) -> _Table:
    """Return the rows of a file, numbered by their identity in the order of their first occurrence."""
    needed = dict.fromkeys((*_KEY, _BEFORE, text, *([score] if score else [])))
    remedy = f"the first line names the columns, among them {' '.join(needed)}"
    if score and score not in file.lines[0].split("\t"):
        remedy = (
            f"add the scores that the quality metric gives to {text}, or, for edits alone, "
            "--set 'reader=corrections_2025(before=\"\", after=\"\")' --set primary=edit_rate --set 'secondary=[]'"
        )
    columns = columns_by_name(file, tuple(needed), separator="\t", remedy=remedy)
    for column in columns.keys() & {*_KEY, *_GROUPS.values()}:
        refuse_marks(file, columns[column], column, skip=1)
    keys = list(zip(*(columns[part] for part in _KEY), strict=True))
    ids = np.array([numbers.setdefault(key, len(numbers)) for key in keys], np.int64)
    return _Table(
        file=file,
        name=name,
        pairs=[f"{source}-{target}" for source, target, *_ in keys],
        ids=ids,
        names={number: "/".join(key[2:]) for number, key in zip(ids.tolist(), keys, strict=True)},
        originals=columns[_BEFORE],
        texts=columns[text],
        scores=_scores(columns[score], score, file) if score else np.full(len(keys), np.nan),
        groups={group: columns[column] for group, column in _GROUPS.items() if column in columns},
    )


def _scores(cells: Sequence[str], column: str, file: TextFile) -> FloatArray:
    try:
        return parse_numbers(cells, file, skip=1)
    except DataError as error:
        raise file.error(f"{column}: {error.what}", line=error.line, remedy="every row needs a score") from None
