"""Who and what was left out of an evaluation, and why: one line for each team."""

import re
from collections.abc import Iterator, Sequence

from attrs import frozen

from qeframe.core.errors import counted
from qeframe.core.result import Evaluation, Result, ScoredPart, ScoredSubmission
from qeframe.core.task import PAIR, UNRANKED, Dropped
from qeframe.report.layouts.table import Cell, Column, Table

_MOST_DROPPED = 6
"""The names of dropped things that a note shows; evaluation.json has all."""

_MOST_TASKS = 8
"""The tasks that a reason names."""


@frozen(kw_only=True)
class Participation:
    """Where a submission did not take part, and why; it took part in all other tasks.

    `tasks`: the tasks that it lacks; empty where there is a single task, or where it is not known which.
    `reasons`: Why it lacks them, each with its tasks.
    `ranked`: where it took part, in words; empty where there is a single task.
    """

    submission: str
    tasks: tuple[str, ...]
    reasons: tuple[str, ...]
    ranked: str

    @property
    def in_words(self) -> str:
        """All of it but the name."""
        return "; ".join([*self.reasons, *filter(None, (self.ranked,))])


def participation(evaluation: Evaluation) -> list[Participation]:
    """Return a value for every submission that lacks a task or was left out, in the order of their names."""
    scored = {submission.name: submission for submission in evaluation.submissions}
    lacking = {exclusion.submission for exclusion in evaluation.left_out} | {
        s.name for s in scored.values() if s.absent
    }
    return [_of(name, scored.get(name), evaluation) for name in sorted(lacking, key=lambda name: (name.lower(), name))]


def participation_notes(evaluation: Evaluation) -> list[str]:
    """Return one line for each team, those without a submission in the same tasks together."""
    together: dict[str, list[str]] = {}
    for part_taken in participation(evaluation):
        together.setdefault(part_taken.in_words, []).append(part_taken.submission)
    return [f"{', '.join(names)}: {words}" for words, names in together.items()]


def _of(name: str, scored: ScoredSubmission | None, evaluation: Evaluation) -> Participation:
    tasks = list(dict.fromkeys(place for part in evaluation.parts for place in _places(part)) or evaluation.tasks)
    by_reason: dict[tuple[str, str], dict[str, None]] = {}
    unplaced: dict[tuple[str, str], int] = {}
    for entry in (exclusion for exclusion in evaluation.left_out if exclusion.submission == name):
        why = ("--exclude" if entry.by == "exclude" else "--skip-invalid", entry.reason or "no reason given")
        placed = [task for file in entry.files if (task := task_of_file(file, tasks))]
        by_reason.setdefault(why, {}).update(dict.fromkeys(placed))
        unplaced[why] = unplaced.get(why, 0) + len(entry.files) - len(placed)
    lost = {task for of_reason in by_reason.values() for task in of_reason}
    reasons = [
        _left_out(sorted(placed, key=tasks.index), unplaced[why], why, several=len(tasks) > 1)
        for why, placed in by_reason.items()
    ]
    places = {part.name: _places(part) for part in evaluation.parts}
    absent = tuple(t for t in (scored.absent if scored else ()) if not lost.issuperset(places.get(t, [t])))
    reasons += [f"no submission in {_few(absent)}"] if absent else []
    tasks_of = () if scored is None else _took_part(scored, evaluation)
    ranked = "scored" if scored is not None and scored.kind in UNRANKED else "ranked"
    return Participation(
        submission=name,
        tasks=tuple(dict.fromkeys([*(t for t in tasks if t in lost or t in absent), *absent]))
        if len(tasks) > 1
        else (),
        reasons=tuple(reasons),
        ranked=f"{ranked} in {_few(tasks_of)}" if tasks_of else "",
    )


def _left_out(tasks: Sequence[str], unplaced: int, why: tuple[str, str], *, several: bool) -> str:
    """Return what a rule or the organizer left out; files of tasks that were not evaluated only where no other was."""
    what = _few(tasks) if several and tasks else counted(unplaced, "file") if unplaced > 1 and not tasks else ""
    return f"{what} left out by {why[0]} ({why[1]})".strip()


def task_of_file(file: str, tasks: Sequence[str]) -> str:
    """Return the task whose name is in the path of a file; the only task for paths that name no language pair."""
    named = [task for task in tasks if re.search(rf"(?<![^\W_]){re.escape(task)}(?![^\W_])", file)]
    if named:
        return max(named, key=len)
    return tasks[0] if len(tasks) == 1 and not any(map(PAIR.fullmatch, file.split("/"))) else ""


def _places(part: ScoredPart) -> list[str]:
    """Return the language pairs of a part; where it has a folder of its own, as FOLDER/PAIR."""
    folder = part.selection.partition(",")[0]
    return [f"{folder}/{pair}" for pair in part.pairs] if folder and not {*"=("} & {*folder} else list(part.pairs)


def _took_part(scored: ScoredSubmission, evaluation: Evaluation) -> tuple[str, ...]:
    result = scored.scores.get(evaluation.primary, Result(value=float("nan")))
    return tuple(result.tasks) if len(evaluation.tasks) > 1 else ()


def _few(names: Sequence[str]) -> str:
    more = len(names) - _MOST_TASKS
    return ", ".join(names) if more < 2 else f"{', '.join(names[:_MOST_TASKS])} and {more} more"


def dropped_note(dropped: Dropped) -> str:
    """Return what was left out of a task and why, with six names at most."""
    where = f" in {dropped.task}" if dropped.task else ""
    what = dropped.what if dropped.count == 1 else f"{dropped.what}s"
    return f"dropped{where}: {dropped.count} {what}, {_shortened(dropped)}"


def _shortened(dropped: Dropped) -> str:
    """Return the reason with its first names and the number of the others; evaluation.json has all."""
    before, colon, listed = dropped.reason.rpartition(": ")
    names = listed.split(", ")
    more = dropped.count - _MOST_DROPPED
    if not colon or len(names) != dropped.count or more < 2:
        return dropped.reason
    return f"{before}: {', '.join(names[:_MOST_DROPPED])} and {more} more"


def dropped_table(evaluation: Evaluation) -> Table:
    """Return everything that was left out, with the reason: submissions, units and answers."""
    rows = [*_teams(evaluation), *((entry.task, entry.count, entry.what, entry.reason) for entry in evaluation.dropped)]
    partial = any(scored.absent for scored in evaluation.submissions)
    rule = PARTIAL_NOTES[evaluation.signature.rules.get("partial", "last")]
    return Table.from_columns(
        "What was left out, and why",
        [
            (Column("task", "left", key=True), [Cell(task or "all") for task, *_ in rows]),
            (Column("count"), [Cell(f"{count:,}") for _, count, *_ in rows]),
            (Column("what", "left"), [Cell(what) for _, _, what, _ in rows]),
            (Column("reason", "left"), [Cell(reason) for *_, reason in rows]),
        ],
        notes=[f"submissions that lack a task: {rule}"] if partial else [],
    )


def _teams(evaluation: Evaluation) -> Iterator[tuple[str, int, str, str]]:
    """Yield a row for each line of `participation_notes`."""
    together: dict[tuple[tuple[str, ...], str], list[str]] = {}
    for part_taken in participation(evaluation):
        together.setdefault((part_taken.tasks, part_taken.in_words), []).append(part_taken.submission)
    for (tasks, words), names in together.items():
        what = "submission" if len(names) == 1 else "submissions"
        yield _few(tasks), len(names), f"{what} {', '.join(names)}", words


PARTIAL_NOTES = {
    "apart": "not ranked over all tasks, but in those where they took part",
    "last": "last over all tasks, ranked in those where they took part",
    "mean_of_own": "over all tasks they have the aggregate of their own; the rank that they would take is in brackets",
}
"""By the rule on submissions that lack a task, what they have over all tasks."""
