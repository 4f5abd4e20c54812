"""An evaluation with all additions, averages of ranks over columns, and what was left out on request.

A column is a metric, or a number that submissions state about themselves, such as their size in bytes.
"""

from __future__ import annotations

import hashlib
import math
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence

import attrs
import numpy as np

from qeframe.additions.valid_clusters import valid_clusters_of
from qeframe.additions.warnings_on_results import remarks_on_evaluation
from qeframe.core.batches.base import FloatArray
from qeframe.core.components.aggregation import Aggregation
from qeframe.core.components.checks.aggregation import aggregate
from qeframe.core.components.metric import Metric
from qeframe.core.errors import DataError, did_you_mean
from qeframe.core.evaluation.canonical_json import canonical_json
from qeframe.core.evaluation.compared_pair import Comparison
from qeframe.core.evaluation.result import Evaluation, Result, ScoredSubmission
from qeframe.core.evaluation.run import Evaluated
from qeframe.core.evaluation.scoreboard import Scoreboard
from qeframe.core.profiles.resolved import ResolvedProfile
from qeframe.core.tasks.task import Dropped, LeftOut, Task


def column_results(
    scoreboard: Scoreboard, results: Sequence[Sequence[Result]], columns: Sequence[str], rule: Aggregation
) -> list[Result]:
    """Return the aggregate of the columns for every submission, over all tasks and in each.

    `results` (metrics, submissions).
    `columns`: names of metrics of the scoreboard, and of numbers that submissions state, of which lower ones are
      better.
    `rule`: from the oriented values of the columns to one number, such as the mean of the ranks.

    Result: NaN in a task that a submission does not have, or where it lacks a column. Over all tasks: their aggregate
    by the rule of the profile across tasks.
    """
    names = [submission.name for submission in scoreboard.submissions]
    by_task = [_of_task(scoreboard, task, results, columns, rule, names) for task in scoreboard.tasks]
    if len(by_task) == 1:
        return [Result(value=float(value)) for value in by_task[0]]
    better = rule.higher_is_better is not False
    over_tasks = aggregate(scoreboard.across, np.stack(by_task, axis=-1), scoreboard.task_weights, better)
    return [
        Result(
            value=float(value),
            tasks={
                task.name: Result(value=float(of_task[i]))
                for task, of_task in zip(scoreboard.tasks, by_task, strict=True)
                if names[i] in {submission.name for submission in task.batches}
            },
        )
        for i, value in enumerate(over_tasks)
    ]


def absent_columns(scoreboard: Scoreboard, columns: Sequence[str], *, set_by_user: bool) -> list[str]:
    """Return the columns that are neither metrics of the scoreboard nor stated by a submission.

    Raises DataError if there is such a column and the user set the columns.
    """
    names = {metric.name for metric in scoreboard.metrics}
    names |= {name for task in scoreboard.tasks for stated in task.stated.values() for name in stated}
    absent = [name for name in columns if name not in names]
    if absent and set_by_user:
        what = f"columns: '{absent[0]}' is neither a metric of the profile nor stated by a submission"
        raise DataError(what, remedy=did_you_mean(absent[0], names))
    return absent


def _of_task(
    scoreboard: Scoreboard,
    task: Task,
    results: Sequence[Sequence[Result]],
    columns: Sequence[str],
    rule: Aggregation,
    names: Sequence[str],
) -> FloatArray:
    """Return the aggregate of the columns in one task, (submissions,)."""
    whole = len(scoreboard.tasks) == 1
    metrics: Mapping[str, tuple[Metric, Sequence[Result]]] = {
        metric.name: (metric, of_metric) for metric, of_metric in zip(scoreboard.metrics, results, strict=True)
    }
    positions = [i for i, name in enumerate(names) if name in {submission.name for submission in task.batches}]
    table = np.empty((len(positions), len(columns)))
    for k, column in enumerate(columns):
        if column in metrics:
            metric, of_metric = metrics[column]
            sign = 1.0 if metric.higher_is_better else -1.0
            of_positions = [of_metric[i] if whole else of_metric[i].tasks[task.name] for i in positions]
            table[:, k] = [sign * result.value for result in of_positions]
        else:
            table[:, k] = [-task.stated.get(names[i], {}).get(column, np.nan) for i in positions]
    values = np.full(len(names), np.nan)
    values[positions] = aggregate(rule, table, np.ones(len(columns)), True)
    return values


def with_columns(
    evaluation: Evaluation, scoreboard: Scoreboard, results: Sequence[Sequence[Result]], resolved: ResolvedProfile
) -> Evaluation:
    """Return an evaluation with the aggregate over columns as one more score of every submission but attacks."""
    rule, profile = resolved.across_columns, resolved.profile
    assert rule is not None, "the caller checks it"
    absent = absent_columns(scoreboard, profile.columns, set_by_user=profile.set_by_user("columns"))
    if absent:
        reason = f"named by the profile, neither metrics nor stated by a submission: {', '.join(absent)}"
        note = Dropped("", "column", len(absent), f"{reason}; there is no {rule.name}")
        return attrs.evolve(evaluation, dropped=(*evaluation.dropped, note))
    values = column_results(scoreboard, results, profile.columns, rule)
    by_name = dict(zip((scored.name for scored in scoreboard.submissions), values, strict=True))
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


def with_additions(evaluation: Evaluation, of: Evaluated) -> Evaluation:
    """Return an evaluation with its warnings, with valid clusters, and with the aggregate over columns if asked for."""
    board, rules, registry = of.scoreboard, of.rules, of.registry
    valid = valid_clusters_of(of.resolved, of.overall, rules, registry)
    ranked_by = [pair for pair in evaluation.comparisons if pair.metric == evaluation.metrics[0]]
    remarks = [
        *remarks_on_evaluation(board, rules, of.results, evaluation.comparisons, registry, valid, overall=of.overall),
        *on_untested_winners(evaluation.submissions, ranked_by),
    ]
    added = attrs.evolve(evaluation, warnings=tuple(remarks), valid_clusters=valid)
    return added if of.resolved.across_columns is None else with_columns(added, board, of.results, of.resolved)


def on_untested_winners(submissions: Sequence[ScoredSubmission], comparisons: Iterable[Comparison]) -> Iterator[str]:
    """Yield a warning for winners whose difference from one at rank 1 could not be tested."""
    first = {submission.name for submission in submissions if submission.rank == 1 and submission.winner}
    others = {submission.name for submission in submissions if submission.winner} - first
    untested: dict[str, set[str]] = {}
    for pair in comparisons:
        if not pair.task and pair.p != pair.p:
            for name, other in ((pair.a, pair.b), (pair.b, pair.a)):
                if name in others and other in first:
                    untested.setdefault(pair.reason or "no reason is given", set()).add(name)
    for reason, names in untested.items():
        listed = ", ".join(sorted(names))
        differ = "differences could" if len(names) > 1 else "difference could"
        yield f"among the winners only because the {differ} not be tested: {listed}; {reason}"


def with_left_out(evaluation: Evaluation, left_out: Sequence[LeftOut]) -> Evaluation:
    """Return an evaluation that says who was left out; its signature has the number, and a digest of which files."""
    if not left_out:
        return evaluation
    which = canonical_json(sorted([exclusion.submission, *exclusion.files] for exclusion in left_out))
    digest = hashlib.sha256(which.encode("utf-8", "surrogatepass")).hexdigest()[:8]
    counted = f"{len({exclusion.submission for exclusion in left_out})}:{digest}"
    signature = attrs.evolve(evaluation.signature, left_out=counted)
    dropped = tuple(_without_names(evaluation.dropped, {exclusion.submission for exclusion in left_out}))
    return attrs.evolve(evaluation, left_out=tuple(left_out), signature=signature, dropped=dropped)


def _without_names(dropped: Iterable[Dropped], names: Collection[str]) -> Iterator[Dropped]:
    """Yield what was dropped without the submissions that were left out: a reader sees no file of theirs."""
    for entry in dropped:
        reason, _, listed = entry.reason.rpartition(": ")
        all_names = listed.split(", ")
        kept = [name for name in all_names if name not in names]
        if entry.what not in ("submission", "baseline name") or len(all_names) != entry.count or kept == all_names:
            yield entry
        elif kept:
            yield attrs.evolve(entry, count=len(kept), reason=f"{reason}: {', '.join(kept)}")
