"""Sentence level, 2012 to 2019: METHOD, SEGMENT, SCORE and RANK, and plain numbers."""

from collections.abc import Iterable, Sequence
from functools import partial
from pathlib import Path
from typing import Literal

import attrs
import numpy as np
from attrs import frozen

from qeframe.plugin import Best, DataError, FloatArray, IntArray, Scores
from qeframe.plugin.calls import counted
from qeframe.plugin.kinds import labels_to_index
from qeframe.plugin.readers import (
    Dropped,
    LineFormat,
    Reader,
    Reading,
    SubmissionFormat,
    Submitted,
    TableColumns,
    TextFile,
    UnitValues,
    find_tasks,
    gold_by_line,
    input_of,
    parse_ids,
    parse_numbers,
    parse_plain_sides,
    read_text_lines,
)
from qeframe_wmt.examples import quality_estimation as examples
from qeframe_wmt.examples.lines import in_folders
from qeframe_wmt.formats.layouts import SEGMENT
from qeframe_wmt.formats.tables import first_repeat, fixed_columns
from qeframe_wmt.formats.tasks import Form, Found

Variant = Literal["score", "rank"]  # the column by which a submission is evaluated

_FEWEST_RANKED = 4  # fewer scores than these may be 1, 2, 3 by chance


def methods_in(table: TableColumns, ids: IntArray, column: str, variant: Variant) -> list[Submitted]:
    """Return the scores or the ranks of each METHOD of a table, whose names are in a column.

    The other column of SCORE and RANK may hold anything, but exchanged columns are refused.
    """
    method_of, names = labels_to_index([method.strip() for method in table.cells[column]])
    rows_of = [np.flatnonzero(method_of == number) for number in range(len(names))]
    tables = [table.take(rows) for rows in rows_of]
    for name, of_method in zip(names, tables, strict=True):
        _refuse_exchanged(of_method, name)
    ranked = variant == "rank"
    values = table.read("RANK", parse_ids).astype(np.float64) if ranked else table.read("SCORE", parse_numbers)
    if "" in names:
        raise tables[names.index("")].error("the METHOD has no name", 0, remedy="name the submission")
    return [
        Submitted(answers=of_method.side(name, ids[rows], values[rows]), content=of_method)
        for name, rows, of_method in zip(names, rows_of, tables, strict=True)
    ]


def submitted(
    methods: Iterable[Submitted], variant: Variant, *, task: str, best: Best, gold: UnitValues
) -> tuple[tuple[UnitValues, ...], tuple[Dropped, ...]]:
    """Return the submissions among METHODs, and the METHODs that did not submit this variant.

    A METHOD whose whole column is 0 did not submit it. Rank 1 is the best. Ranks are negated where a high gold value is
    good, so that they rise with the gold. The gold has one value a segment: ranks are a permutation of 1 to the number
    of segments.
    """
    submissions, dropped = [], []
    for method in methods:
        side, values = method.answers, method.answers.values
        if not values.any():
            what = "ranking" if variant == "rank" else "scores"
            dropped.append(Dropped(task, "submission", 1, f"{side.name} submitted no {what}: its whole column is 0"))
            continue
        if variant == "rank":
            if len(values) > len(gold.ids) and np.array_equal(np.sort(values), np.arange(1, len(values) + 1)):
                what = f"{counted(len(gold.ids), 'segment')}, but {side.name} ranks {len(values)} in {side.path}"
                raise DataError(what, path=gold.path, remedy="give the gold of every segment")
            _check_ranks(values, method.content, len(gold.ids))
        negated = variant == "rank" and best == "high"
        submissions.append(attrs.evolve(side, values=-values) if negated else side)
    return tuple(submissions), tuple(dropped)


def _refuse_exchanged(table: TableColumns, name: str) -> None:
    """Raise a `DataError` if the scores of a METHOD are a ranking, and its ranks are none."""
    scores, ranks = table.cells["SCORE"], table.cells["RANK"]
    unranked = set(ranks) == {"0"}
    if not _is_ranking(scores) or _is_ranking(ranks) or (unranked and len(ranks) < _FEWEST_RANKED):
        return
    what = (
        f"the scores of {name} are the ranks 1 to {len(ranks)}, and its ranks are {'0' if unranked else 'no ranking'}"
    )
    readings = "either the columns are exchanged" + (" (a ranking without scores)" if unranked else "")
    remedy = f"{readings}: write METHOD SEGMENT SCORE RANK; or the scores are ranks by mistake: write scores, or 0"
    raise table.error(what, 0, remedy=remedy)


def _is_ranking(texts: Sequence[str]) -> bool:
    """Return whether texts are the numbers 1 to n, each once."""
    try:
        return sorted(map(float, texts)) == list(range(1, len(texts) + 1))
    except ValueError:
        return False


def _check_ranks(ranks: FloatArray, table: TableColumns, units: int) -> None:
    """Raise a `DataError` at the first rank that is out of range or repeated."""
    remedy = f"ranks are a permutation of 1 to {units}; no ranking is 0 in every line"
    beyond = np.flatnonzero((ranks < 1) | (ranks > units))
    twice = first_repeat(ranks.tolist())
    if len(beyond) and (twice is None or beyond[0] <= twice[0]):
        row = int(beyond[0])
        raise table.error(f"rank {ranks[row]:.0f} is not between 1 and {units}", row, remedy=remedy)
    if twice:
        what = f"rank {ranks[twice[0]]:.0f} twice, first on line {table.lines[twice[1]]}"
        raise table.error(what, twice[0], remedy=remedy)


_NAMES = ("METHOD", "SEGMENT", "SCORE", "RANK")
_LINES = LineFormat(
    columns={
        "METHOD": "is the name of your submission",
        "SEGMENT": SEGMENT.replace("from 0", "from 1"),
        "SCORE": "is your score of the segment: any finite number, with a point",
        "RANK": "is `0`: a ranking is not asked for",
    },
    author=("METHOD",),
    answers={"SCORE": ("0.25", "-0.5", "1.125"), "RANK": ("0", "0", "0")},
)


def qe_four_columns(*, column: Variant = "score") -> Reader:
    """Read task folders whose submissions have the columns METHOD, SEGMENT, SCORE and RANK, by tabs.

    Parameters
    ----------
    column : {"score", "rank"}
        The column that is evaluated. A METHOD whose whole column is 0 did not submit it and is left out. Rank 1 is the
        best, and ranks are a permutation of 1 to the number of segments.

    Returns
    -------
    Reader
        Of `Scores`; METHOD names the submission, and line i of the gold is segment i, from 1.

    References
    ----------
    Task text of WMT12 QE; evaluateWMTQP2013-Task1_1.pl.
    """
    form = _FourColumns(variant=column)
    return Reader(
        name="qe_four_columns",
        summary="folders of a task, submissions of METHOD SEGMENT SCORE RANK by tabs",
        source="WMT12-18 QE, sentence level",
        kind=Scores,
        read=form.read,
        submission=SubmissionFormat(read=form.methods, first=1, lines=_LINES if column == "score" else None),
    )


@frozen(kw_only=True)
class _FourColumns(Form):
    """Files of one or several METHODs, and a gold of one number a line."""

    variant: Variant

    def answers(self, file: TextFile, name: str) -> Sequence[Submitted]:
        table = fixed_columns(file, _NAMES)
        return methods_in(table, table.read("SEGMENT", parse_ids), "METHOD", self.variant)

    def golds(self, file: TextFile) -> Sequence[Submitted]:
        return [Submitted(answers=gold_by_line(file, first=1))]

    def reading(self, found: Found, best: Best, root: Path) -> Reading:
        seen: dict[str, TextFile] = {}
        for file, method in found.answers:
            side = method.answers
            if seen.setdefault(side.name, file) is not file:
                what = f"METHOD '{side.name}' is in {seen[side.name].path} as well"
                raise file.error(what, line=side.line(0), remedy="rename one, or put all its lines into one file")
        gold, methods = found.gold.answers, [method for _, method in found.answers]
        submissions, dropped = submitted(methods, self.variant, task=found.name, best=best, gold=gold)
        if not submissions:
            what = f"no METHOD has a {self.variant}: all are 0"
            raise DataError(what, path=found.file.path.parent, remedy="read the other column")
        return found.reading(Scores, best, root, submissions=submissions, dropped=dropped)

    def methods(self, path: Path) -> Sequence[Submitted]:
        """Return the METHODs of one file; ranks are a permutation of as many numbers as the file has segments."""
        methods = self.alone(path)
        units = np.unique(np.concatenate([method.answers.ids for method in methods]))
        no_gold = UnitValues(name="gold", ids=units, values=np.zeros(len(units)), path=str(path))
        submissions, dropped = submitted(methods, self.variant, task="", best="low", gold=no_gold)
        if not submissions:
            what, remedy = f"no METHOD has a {self.variant}: all are 0", f"give each segment a {self.variant}"
            raise DataError(what, path=path, remedy=remedy)
        parts = [Submitted(answers=answers) for answers in submissions]
        return [attrs.evolve(parts[0], dropped=dropped), *parts[1:]]


def qe_plain(*, gold: str = "") -> Reader:
    """Read task folders whose gold and submissions have one number a line, or ``ID NUMBER``.

    Parameters
    ----------
    gold : str
        The name of the file of the gold in the folder of a task, such as expected.tsv. Empty: the one whose name begins
        with gold.

    Returns
    -------
    Reader
        Of `Scores`. A submission has the name of its file without suffix.

    Raises
    ------
    DataError
        When a task is read: for a gold that is not the name of a file.

    References
    ----------
    deep-spin/qe-evaluation, the scorer of 2019.
    """
    return Reader(
        name="qe_plain",
        summary="folders of a task, gold and submissions with one number a line, or ID NUMBER",
        source="scorer of WMT19 QE, sentence level",
        kind=Scores,
        read=partial(_read_plain, gold=gold),
        example=partial(in_folders, examples.plain, gold=gold or "gold.da"),
        submission=SubmissionFormat(
            read=_plain_alone,
            first=0,
            gold=gold,
            lines=LineFormat(
                columns={
                    "ID": "is the id of the segment; leave it out where segments are lines of the source text",
                    "NUMBER": "is your score of the segment: any finite number, with a point",
                },
                answers={"NUMBER": ("0.25", "-0.5", "1.125")},
                separator=" ",
            ),
        ),
    )


def _read_plain(path: Path, best: Best, *, gold: str) -> Sequence[Reading]:
    readings = []
    for task in find_tasks(path, gold=gold):
        files = list(map(read_text_lines, (task.gold, *task.submissions)))
        truth, sides = parse_plain_sides(Scores, files[0], files[1:], names=[file.path.stem for file in files[1:]])
        inputs = tuple(input_of(file, path) for file in files)
        readings.append(Reading(name=task.name, kind=Scores, gold=truth, submissions=sides, best=best, inputs=inputs))
    return readings


def _plain_alone(path: Path) -> Sequence[Submitted]:
    answers, _ = parse_plain_sides(Scores, read_text_lines(path), (), names=())
    return [Submitted(answers=attrs.evolve(answers, name=path.stem))]
