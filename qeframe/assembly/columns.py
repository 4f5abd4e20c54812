"""Averages of ranks over the columns of a page.

A column is a metric, or a number that submissions state about themselves, such as their size in bytes.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

import attrs
import numpy as np

from qeframe.assembly.scoreboard import Entry, Scoreboard
from qeframe.core.aggregation import Aggregation, aggregate
from qeframe.core.batch import FloatArray
from qeframe.core.errors import DataError, did_you_mean
from qeframe.core.metric import Metric
from qeframe.core.resolve import ResolvedProfile
from qeframe.core.result import Evaluation, Result
from qeframe.core.task import Dropped


def join_columns(
    board: Scoreboard,
    results: Sequence[Sequence[Result]],
    columns: Sequence[str],
    across: Aggregation,
    rule: Aggregation,
) -> list[Result]:
    """Return the aggregate of the columns for every submission, over all tasks and in each.

    `results` (metrics, submissions).
    `columns`: names of metrics of the scoreboard, and of numbers that submissions state, of which lower ones are
      better.
    `across`: the rule of the profile across tasks.
    `rule`: from the oriented values of the columns to one number, such as the mean of the ranks.

    Result: NaN in a task that a submission does not have, or where it lacks a column. Over all tasks: their aggregate.
    """
    names = board.names
    by_task = [_join_in_task(board, entry, results, columns, rule, names) for entry in board.entries]
    if len(by_task) == 1:
        return [Result(value=float(value)) for value in by_task[0]]
    better = rule.higher_is_better is not False
    weights = np.array([entry.weight for entry in board.entries])
    over_tasks = aggregate(across, np.stack(by_task, axis=-1), weights, better)
    return [
        Result(
            value=float(value),
            tasks={
                entry.name: Result(value=float(of_task[i]))
                for entry, of_task in zip(board.entries, by_task, strict=True)
                if names[i] in entry.names
            },
        )
        for i, value in enumerate(over_tasks)
    ]


def absent_columns(board: Scoreboard, columns: Sequence[str], *, set_by_user: bool) -> list[str]:
    """Return the columns that are neither metrics of the scoreboard nor stated by a submission.

    Raises DataError if there is such a column and the user set the columns.
    """
    names = {metric.name for metric in board.metrics}
    names |= {name for task in board.tasks for stated in task.stated.values() for name in stated}
    absent = [name for name in columns if name not in names]
    if absent and set_by_user:
        what = f"columns: '{absent[0]}' is neither a metric of the profile nor stated by a submission"
        raise DataError(what, remedy=did_you_mean(absent[0], names))
    return absent


def _join_in_task(
    board: Scoreboard,
    entry: Entry,
    results: Sequence[Sequence[Result]],
    columns: Sequence[str],
    rule: Aggregation,
    names: Sequence[str],
) -> FloatArray:
    """Return the aggregate of the columns in one task, (submissions,)."""
    whole, (task,) = len(board.entries) == 1, entry.tasks
    metrics: Mapping[str, tuple[Metric, Sequence[Result]]] = {
        metric.name: (metric, of_metric) for metric, of_metric in zip(board.metrics, results, strict=True)
    }
    table = np.empty((len(entry.positions), len(columns)))
    for k, column in enumerate(columns):
        if column in metrics:
            metric, of_metric = metrics[column]
            sign = 1.0 if metric.higher_is_better else -1.0
            of_positions = [of_metric[i] if whole else of_metric[i].tasks[task.name] for i in entry.positions]
            table[:, k] = [sign * result.value for result in of_positions]
        else:
            table[:, k] = [-task.stated.get(names[i], {}).get(column, np.nan) for i in entry.positions]
    values = np.full(len(names), np.nan)
    values[entry.positions] = aggregate(rule, table, np.ones(len(columns)), True)
    return values


def add_columns(
    evaluation: Evaluation, board: Scoreboard, results: Sequence[Sequence[Result]], resolved: ResolvedProfile
) -> Evaluation:
    """Return an evaluation with the aggregate over columns as one more score of every submission but attacks.

    `board`, `results` (metrics, submissions): of the submissions that are ranked. Nothing is added without columns.
    """
    rule, profile = resolved.across_columns, resolved.profile
    if rule is None:
        return evaluation
    absent = absent_columns(board, profile.columns, set_by_user=profile.set_by_user("columns"))
    if absent:
        reason = f"named by the profile, neither metrics nor stated by a submission: {', '.join(absent)}"
        note = Dropped("", "column", len(absent), f"{reason}; there is no {rule.name}")
        return attrs.evolve(evaluation, dropped=(*evaluation.dropped, note))
    values = join_columns(board, results, profile.columns, resolved.across, rule)
    by_name = dict(zip((scored.name for scored in board.submissions), values, strict=True))
    better = rule.higher_is_better is not False
    return attrs.evolve(
        evaluation,
        metrics=(*evaluation.metrics, rule.name),
        higher_is_better={**evaluation.higher_is_better, rule.name: better},
        higher_in_tasks={**evaluation.higher_in_tasks, rule.name: better},
        submissions=tuple(
            attrs.evolve(scored, scores={**scored.scores, rule.name: by_name.get(scored.name, Result(value=math.nan))})
            for scored in evaluation.submissions
        ),
    )
