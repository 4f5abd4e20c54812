"""One number a line, in gold and submissions: sentence level, 2019."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from pathlib import Path

import attrs

from qeframe.plugin import Best, Scores
from qeframe.plugin.readers import (
    Reader,
    Reading,
    SubmissionFormat,
    Submitted,
    TaskFolder,
    find_tasks,
    input_of,
    parse_plain_sides,
    read_text_lines,
)
from qeframe_wmt.examples import sentence as examples


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
        read=partial(_read, gold=gold),
        example=partial(examples.plain, gold=gold or "gold.da"),
        submission=SubmissionFormat(read=_submission, first=0, gold=gold),
    )


def _read(path: Path, best: Best, *, gold: str) -> Sequence[Reading]:
    return [_read_task(task, path, best) for task in find_tasks(path, gold=gold)]


def _read_task(task: TaskFolder, root: Path, best: Best) -> Reading:
    file, *files = map(read_text_lines, (task.gold, *task.submissions))
    gold, submissions = parse_plain_sides(Scores, file, files, names=[each.path.stem for each in files])
    return Reading(
        name=task.name,
        kind=Scores,
        gold=gold,
        submissions=submissions,
        best=best,
        inputs=tuple(input_of(each, root) for each in (file, *files)),
    )


def _submission(path: Path) -> Sequence[Submitted]:
    answers, _ = parse_plain_sides(Scores, read_text_lines(path), (), names=())
    return [Submitted(answers=attrs.evolve(answers, name=path.stem))]
