"""The overall scores of a task set, and ranks of submissions entered alone."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

import attrs
import numpy as np

from qeframe.core.batches.base import FloatArray, IntArray
from qeframe.core.evaluation import part as contest_parts
from qeframe.core.evaluation.contest import Contest
from qeframe.core.evaluation.entered_alone import entered_alone
from qeframe.core.evaluation.result import Result, ScoredSubmission
from qeframe.core.profiles.resolved import ResolvedProfile
from qeframe.core.profiles.schema import OVERALL, Partial
from qeframe.core.resampling.parallel import Runner
from qeframe.core.tasks.task import Task
from qeframe.task_sets.parts import Part, TaskSet, bind_task_set


def overall_contest(task_set: TaskSet, chosen: IntArray, *, exchanged: bool, compared_with_all: str = "") -> Contest:
    """Return the overall scores of the chosen submissions, the sum of all parts that have a weight.

    `exchanged`: whether the sum is exchanged as the tests of its parts say; else it has no exchanges.
    `compared_with_all`: the submission that is compared with each other one. Empty: all pairs are compared.
    """
    position = np.full(len(task_set.submissions), -1)
    position[chosen] = np.arange(len(chosen))
    names = [task_set.submissions[i].name for i in chosen]
    return Contest(
        parts=tuple(
            contest_parts.Part(
                of=part.contest,
                positions=position[part.positions],
                name=part.name,
                factor=part.factor,
                origin=part.origin,
                swap=part.test.swap if exchanged and part.test is not None else None,
            )
            for part in task_set.parts
            if part.weight
        ),
        submissions=len(names),
        compared_with_all=names.index(compared_with_all) if compared_with_all in names else None,
    )


def complete_positions(task_set: TaskSet) -> IntArray:
    """Return the positions of the submissions to all parts that have a weight; of all submissions if there is none."""
    weighted = [part.positions for part in task_set.parts if part.weight]
    number = np.bincount(np.concatenate(weighted), minlength=len(task_set.submissions))
    complete = np.flatnonzero(number == len(weighted))
    return complete if len(complete) else np.arange(len(task_set.submissions))


def ranked_alone(
    resolved: ResolvedProfile, tasks: Sequence[Task], task_set: TaskSet, oriented: FloatArray, seed: int, runner: Runner
) -> Iterator[ScoredSubmission]:
    """Yield attacks and other submissions that are not ranked, without clusters and intervals.

    `tasks`: with these submissions only.
    `task_set`: of the submissions that are ranked.
    `oriented` (S,): their overall scores.
    """
    if not any(task.batches for task in tasks):
        return
    others = bind_task_set(resolved, tasks, seed, runner, complete=False)
    entered = {part.name: _same(part, others.parts) for part in task_set.parts}
    for position, submission in enumerate(others.submissions):
        by_part = {name: _score(part, position) for name, part in entered.items()}
        weighted = np.sum([part.weighted(by_part[part.name]) for part in task_set.parts if part.weight])
        if resolved.profile.overall != "mean":
            weighted = np.float64(np.nan)
        signs = {part.name: part.contest.sign for part in task_set.parts}
        results = {
            name: Result(value=float(signs[name] * score)) for name, score in by_part.items() if not np.isnan(score)
        }
        scores = {OVERALL: Result(value=float(weighted), tasks=results)}
        yield entered_alone(submission, scores, float(weighted), oriented)


def apart_over_parts(
    rule: Partial, task_set: TaskSet, position: int, by_part: Mapping[str, Result], others: FloatArray
) -> ScoredSubmission:
    """Return a submission that lacks a part: without interval, cluster and rank set.

    `rule`: as in `Profile`.
    `position`: of the submission among those of the set.
    `by_part`: its results in the parts that it has.
    `others` (S,): the overall scores of the submissions to all parts.
    """
    parts = [part for part in task_set.parts if part.weight and part.name in by_part]
    total, value = sum(part.weight for part in parts), float("nan")
    if rule == "mean_of_own" and parts:
        oriented = [part.contest.sign * by_part[part.name].value for part in parts]
        value = sum(float(part.weighted(np.asarray(o))) for part, o in zip(parts, oriented, strict=True)) / total
    absent = tuple(part.name for part in task_set.parts if part.weight and part.name not in by_part)
    entered = entered_alone(
        task_set.submissions[position], {OVERALL: Result(value=value, tasks=by_part)}, value, others
    )
    return attrs.evolve(entered, rank=entered.rank if rule == "mean_of_own" else 1 + len(others), absent=absent)


def _same(part: Part, others: Sequence[Part]) -> Part | None:
    """Return the part of the same rule and language pairs; names depend on which other parts there are."""
    return next((other for other in others if other.rule == part.rule and other.pairs == part.pairs), None)


def _score(entered: Part | None, position: int) -> FloatArray:
    """Return the oriented score of a submission in a part; undefined unless it is in all language pairs of the part."""
    if entered is None or position not in entered.positions:
        return np.asarray(np.nan)
    return np.asarray(entered.contest.oriented[np.flatnonzero(entered.positions == position)[0]])
