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
    TaskFolder,
    TextFile,
    UnitValues,
    find_tasks,
    gold_by_line,
    input_of,
    parse_ids,
    parse_numbers,
    parse_plain_sides,
    read_text_lines,
    split_columns,
)
from qeframe_wmt.examples import quality_estimation as examples
from qeframe_wmt.examples.lines import in_folders
from qeframe_wmt.formats.layouts import SEGMENT
from qeframe_wmt.readers.sentence.rates import Rates

Variant = Literal["score", "rank"]  # the column by which a submission is evaluated

_FEWEST_RANKED = 4  # fewer scores than these may be 1, 2, 3 by chance


@frozen(kw_only=True, eq=False)
class MethodColumn:
    """The columns of a table with the scores and the ranks of one or several METHODs, one entry a line."""

    file: TextFile
    methods: Sequence[str]
    ids: IntArray  # the segment of every line
    scores: Sequence[str]
    ranks: Sequence[str]
    skip: int = 0  # the number of lines of the file before the first of these


def submitted(
    column: MethodColumn, variant: Variant, *, task: str, best: Best, gold: UnitValues
) -> tuple[list[UnitValues], list[Dropped]]:
    """Return the submissions in a column, and the METHODs that did not submit this variant.

    A METHOD whose whole column is 0 did not submit it. Rank 1 is the best. Ranks are negated where a high gold value is
    good, so that they rise with the gold. The other column may hold anything, but exchanged columns are refused. The
    gold has one value a segment: ranks are a permutation of 1 to the number of segments.
    """
    method_of, names = labels_to_index([method.strip() for method in column.methods])
    rows_of = {name: np.flatnonzero(method_of == number) for number, name in enumerate(names)}
    for name, rows in rows_of.items():
        _refuse_exchanged(column, name, rows)
    if variant == "rank":
        values = parse_ids(column.ranks, column.file, skip=column.skip).astype(np.float64)
    else:
        values = parse_numbers(column.scores, column.file, skip=column.skip)
    submissions, dropped, path, units = [], [], str(column.file.path), len(gold.ids)
    for name, rows in rows_of.items():
        lines, answers = rows + column.skip + 1, values[rows]
        if not name:
            raise column.file.error("the METHOD has no name", line=int(lines[0]), remedy="name the submission")
        if variant == "rank" and answers.any():
            if len(rows) > units and np.array_equal(np.sort(answers), np.arange(1, len(rows) + 1)):
                what = f"{counted(units, 'segment')}, but {name} ranks {len(rows)} in {path}"
                raise DataError(what, path=gold.path, remedy="give the gold of every segment")
            _check_ranks(answers, lines, column.file, units)
        if not answers.any():
            what = "ranking" if variant == "rank" else "scores"
            dropped.append(Dropped(task, "submission", 1, f"{name} submitted no {what}: its whole column is 0"))
            continue
        if variant == "rank" and best == "high":
            answers = -answers
        submissions.append(UnitValues(name=name, ids=column.ids[rows], values=answers, path=path, lines=lines))
    return submissions, dropped


def _refuse_exchanged(column: MethodColumn, name: str, rows: IntArray) -> None:
    """Raise a `DataError` if the scores of a METHOD are a ranking, and its ranks are none."""
    scores, ranks = ([texts[row] for row in rows] for texts in (column.scores, column.ranks))
    unranked = set(ranks) == {"0"}
    if not _is_ranking(scores) or _is_ranking(ranks) or (unranked and len(rows) < _FEWEST_RANKED):
        return
    what = f"the scores of {name} are the ranks 1 to {len(rows)}, and its ranks are {'0' if unranked else 'no ranking'}"
    readings = "either the columns are exchanged" + (" (a ranking without scores)" if unranked else "")
    remedy = f"{readings}: write METHOD SEGMENT SCORE RANK; or the scores are ranks by mistake: write scores, or 0"
    raise column.file.error(what, line=int(rows[0]) + column.skip + 1, remedy=remedy)


def _is_ranking(texts: Sequence[str]) -> bool:
    """Return whether texts are the numbers 1 to n, each once."""
    try:
        return sorted(map(float, texts)) == list(range(1, len(texts) + 1))
    except ValueError:
        return False


def _check_ranks(ranks: FloatArray, lines: IntArray, file: TextFile, units: int) -> None:
    """Raise a `DataError` at the first rank that is out of range or repeated."""
    first_seen: dict[float, int] = {}
    remedy = f"ranks are a permutation of 1 to {units}; no ranking is 0 in every line"
    for rank, line in zip(ranks.tolist(), lines.tolist(), strict=True):
        if not 1 <= rank <= units:
            raise file.error(f"rank {rank:.0f} is not between 1 and {units}", line=line, remedy=remedy)
        if rank in first_seen:
            raise file.error(f"rank {rank:.0f} twice, first on line {first_seen[rank]}", line=line, remedy=remedy)
        first_seen[rank] = line


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


def qe_four_columns(*, column: Variant = "score", rate_by: str = "", rate_of: tuple[str, ...] = ()) -> Reader:
    """Read task folders whose submissions have the columns METHOD, SEGMENT, SCORE and RANK, by tabs.

    Parameters
    ----------
    column : {"score", "rank"}
        The column that is evaluated. A METHOD whose whole column is 0 did not submit it and is left out. Rank 1 is the
        best, and ranks are a permutation of 1 to the number of segments.
    rate_by : str
        The name of a file in the task's folder with one translation a line. Gold and scores are divided by the number
        of its words, which turns post-editing time into a rate. Empty: they are not divided.
    rate_of : list of str
        What is divided: gold, and names of submissions, where the others are rates already. Empty: all of them.

    Returns
    -------
    Reader
        Of `Scores`; METHOD names the submission, and line i of the gold is segment i, from 1.

    References
    ----------
    Task text of WMT12 QE; evaluateWMTQP2013-Task1_1.pl.
    """
    return Reader(
        name="qe_four_columns",
        summary="folders of a task, submissions of METHOD SEGMENT SCORE RANK by tabs",
        source="WMT12-18 QE, sentence level",
        kind=Scores,
        read=partial(_read_four_columns, variant=column, rates=Rates(rate_by, rate_of)),
        submission=SubmissionFormat(
            read=partial(_four_columns_alone, variant=column), first=1, lines=_LINES if column == "score" else None
        ),
    )


def _read_four_columns(path: Path, best: Best, *, variant: Variant, rates: Rates) -> Sequence[Reading]:
    rates.check(ranks=variant == "rank", instead="column=score")
    return [_read_four_columns_task(task, path, best, variant, rates) for task in find_tasks(path)]


def _four_columns_alone(path: Path, *, variant: Variant) -> Sequence[Submitted]:
    """Return the METHODs of one file; ranks are a permutation of as many numbers as the file has segments."""
    file = read_text_lines(path)
    _, segments, _, _ = split_columns(file, _NAMES, separator="\t")
    units = np.unique(parse_ids(segments, file))
    no_gold = UnitValues(name="gold", ids=units, values=np.zeros(len(units)), path=str(path))
    submissions, dropped = _in_files([file], variant, task="", best="low", gold=no_gold)
    if not submissions:
        raise file.error(f"no METHOD has a {variant}: all are 0", remedy=f"give each segment a {variant}")
    parts = [Submitted(answers=answers) for answers in submissions]
    return [attrs.evolve(parts[0], dropped=tuple(dropped)), *parts[1:]]


def _read_four_columns_task(task: TaskFolder, root: Path, best: Best, variant: Variant, rates: Rates) -> Reading:
    gold_file, *files = map(read_text_lines, (task.gold, *task.submissions))
    gold = gold_by_line(gold_file, first=1)
    submissions, dropped = _in_files(files, variant, task=task.name, best=best, gold=gold)
    if not submissions:
        what = f"no METHOD has a {variant}: all are 0"
        raise DataError(what, path=task.path, remedy="read the other column")
    reading = Reading(
        name=task.name,
        kind=Scores,
        gold=gold,
        submissions=tuple(submissions),
        best=best,
        dropped=tuple(dropped),
        inputs=tuple(input_of(file, root) for file in (gold_file, *files)),
    )
    return rates.applied(reading, folder=task.path, root=root, first=1, units=len(gold.ids))


def _in_files(
    files: Iterable[TextFile], variant: Variant, *, task: str, best: Best, gold: UnitValues
) -> tuple[list[UnitValues], list[Dropped]]:
    """Return the submissions of all files, and what was left out."""
    submissions: list[UnitValues] = []
    dropped: list[Dropped] = []
    seen: dict[str, TextFile] = {}
    for file in files:
        methods, segments, scores, ranks = split_columns(file, _NAMES, separator="\t")
        for line, method in enumerate(methods, 1):
            if seen.setdefault(method.strip(), file) is not file:
                what = f"METHOD '{method.strip()}' is in {seen[method.strip()].path} as well"
                raise file.error(what, line=line, remedy="rename one, or put all its lines into one file")
        column = MethodColumn(file=file, methods=methods, ids=parse_ids(segments, file), scores=scores, ranks=ranks)
        in_file, left_out = submitted(column, variant, task=task, best=best, gold=gold)
        submissions += in_file
        dropped += left_out
    return submissions, dropped


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
    return [_read_plain_task(task, path, best) for task in find_tasks(path, gold=gold)]


def _read_plain_task(task: TaskFolder, root: Path, best: Best) -> Reading:
    files = list(map(read_text_lines, (task.gold, *task.submissions)))
    gold, submissions = parse_plain_sides(Scores, files[0], files[1:], names=[file.path.stem for file in files[1:]])
    return Reading(
        name=task.name,
        kind=Scores,
        gold=gold,
        submissions=submissions,
        best=best,
        inputs=tuple(input_of(file, root) for file in files),
    )


def _plain_alone(path: Path) -> Sequence[Submitted]:
    answers, _ = parse_plain_sides(Scores, read_text_lines(path), (), names=())
    return [Submitted(answers=attrs.evolve(answers, name=path.stem))]
