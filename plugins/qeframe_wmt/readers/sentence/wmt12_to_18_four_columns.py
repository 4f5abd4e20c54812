"""Submissions of METHOD, SEGMENT, SCORE and RANK: sentence level, 2012 to 2018."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import partial
from pathlib import Path

import attrs
import numpy as np

from qeframe.plugin import Best, DataError, Scores
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
    gold_by_line,
    input_of,
    parse_ids,
    read_text_lines,
    split_columns,
)
from qeframe_wmt.examples import sentence as examples
from qeframe_wmt.readers.sentence.method_columns import MethodColumn, Variant, submitted
from qeframe_wmt.readers.sentence.post_edit_rates import no_rate_of_ranks, per_word

_NAMES = ("METHOD", "SEGMENT", "SCORE", "RANK")


def qe_four_columns(*, column: Variant = "score", rate_by: str = "") -> Reader:
    """Read task folders whose submissions have the columns METHOD, SEGMENT, SCORE and RANK, by tabs.

    Parameters
    ----------
    column : {"score", "rank"}
        The column that is evaluated. A METHOD whose whole column is 0 did not submit it and is left out. Rank 1 is the
        best, and ranks are a permutation of 1 to the number of segments. The other column is checked too.
    rate_by : str
        The name of a file in the task's folder with one translation a line. Gold and scores are divided by the number
        of its words, which turns post-editing time into a rate. Empty: they are not divided.

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
        read=partial(_read, variant=column, rate_by=rate_by),
        example=partial(examples.four_columns, rate_by=rate_by),
        submission=SubmissionFormat(read=partial(_submission, variant=column), first=1),
    )


def _read(path: Path, best: Best, *, variant: Variant, rate_by: str) -> Sequence[Reading]:
    no_rate_of_ranks(rate_by, ranks=variant == "rank", instead="column=score")
    return [_read_task(task, path, best, variant, rate_by) for task in find_tasks(path)]


def _submission(path: Path, *, variant: Variant) -> Sequence[Submitted]:
    """Return the METHODs of one file; ranks are a permutation of as many numbers as the file has segments."""
    file = read_text_lines(path)
    _, segments, _, _ = split_columns(file, _NAMES, separator="\t")
    units = np.unique(parse_ids(segments, file))
    no_gold = UnitValues(name="gold", ids=units, values=np.zeros(len(units)), path=str(path))
    submissions, dropped = _submissions([file], variant, task="", best="low", gold=no_gold)
    if not submissions:
        raise file.error(f"no METHOD has a {variant}: all are 0", remedy=f"give each segment a {variant}")
    parts = [Submitted(answers=answers) for answers in submissions]
    return [attrs.evolve(parts[0], dropped=tuple(dropped)), *parts[1:]]


def _read_task(task: TaskFolder, root: Path, best: Best, variant: Variant, rate_by: str) -> Reading:
    gold_file, *files = map(read_text_lines, (task.gold, *task.submissions))
    gold = gold_by_line(gold_file, first=1)
    submissions, dropped = _submissions(files, variant, task=task.name, best=best, gold=gold)
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
    return per_word(reading, rate_by, folder=task.path, root=root, first=1, units=len(gold.ids))


def _submissions(
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
