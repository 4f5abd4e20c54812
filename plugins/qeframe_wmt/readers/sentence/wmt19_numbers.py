"""One number a line, in gold and submissions: sentence level, 2019."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from qeframe.plugin import Best, Reader, Reading, Scores, TaskFolder, find_tasks, input_of, parse_plain, read_text_lines

__all__ = ["qe_plain"]


def _read(path: Path, best: Best) -> Sequence[Reading]:
    return [_read_task(task, path, best) for task in find_tasks(path)]


def _read_task(task: TaskFolder, root: Path, best: Best) -> Reading:
    gold, *submissions = map(read_text_lines, (task.gold, *task.submissions))
    return Reading(
        name=task.name,
        kind=Scores,
        gold=parse_plain(Scores, gold, name="gold"),
        submissions=tuple(parse_plain(Scores, file, name=file.path.stem) for file in submissions),
        best=best,
        inputs=tuple(input_of(file, root) for file in (gold, *submissions)),
    )


qe_plain = Reader(
    name="qe_plain",
    summary="folders of a task, gold and submissions with one number a line, or ID NUMBER",
    source="scorer of WMT19 QE, sentence level",
    kind=Scores,
    read=_read,
)
