"""One number a line, in gold and submissions: sentence level, 2019."""

from __future__ import annotations

from collections.abc import Sequence
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


def _read(path: Path, best: Best) -> Sequence[Reading]:
    return [_read_task(task, path, best) for task in find_tasks(path)]


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


qe_plain = Reader(
    name="qe_plain",
    summary="folders of a task, gold and submissions with one number a line, or ID NUMBER",
    source="scorer of WMT19 QE, sentence level",
    kind=Scores,
    read=_read,
    example=examples.plain,
    submission=SubmissionFormat(read=_submission, first=0),
)
