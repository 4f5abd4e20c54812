"""Histories over runs: how one score of one submission went from run to run."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise

from attrs import frozen

from qeframe.plugin.report import Cell, Column, Table, cluster_column, decimals_for, format_interval, format_number
from qeframe.plugin.results import Evaluation, Result, ScoredSubmission
from qeframe_store.changes import with_task_of
from qeframe_store.store import StoredRun, StoredScore


@frozen
class StoredResult:
    """A run of a store with its whole result."""

    run: StoredRun
    evaluation: Evaluation


@frozen(kw_only=True)
class Moment:
    """A score in one run.

    Parameters
    ----------
    at : int
        The position of the run among those of its profile, from 0.
    result : Result
    rank : int or None
        Of the primary metric over all tasks; None elsewhere.
    """

    at: int
    result: Result
    rank: int | None = None


@frozen(kw_only=True)
class History:
    """The scores of one submission under one metric, in the runs of one profile that have them.

    Parameters
    ----------
    submission, metric : str
    task : str
        Empty for all tasks together.
    moments : tuple of Moment
        In the order of the runs, at least one.
    """

    submission: str
    metric: str
    task: str
    moments: tuple[Moment, ...]


def histories(results: Sequence[StoredResult]) -> list[History]:
    """Return every history in the runs of one profile.

    Scores of single tasks are those of the primary metric of each run; a run of one task has them over all tasks only.

    Returns
    -------
    list of History
        By metric and task in the order in which runs have them, the submissions by their rank in the last run that has
        them.
    """
    found: dict[tuple[str, str, str], list[Moment]] = {}
    for at, one in enumerate(results):
        for scored in one.evaluation.submissions:
            for metric, task, result, rank in _scores(one.evaluation, scored):
                moment = Moment(at=at, result=result, rank=rank)
                found.setdefault((metric, task, scored.name), []).append(moment)
    order = _last_places(results)
    groups = list(dict.fromkeys((metric, task) for metric, task, _ in found))
    return [
        History(submission=name, metric=metric, task=task, moments=tuple(found[metric, task, name]))
        for metric, task in groups
        for name in order
        if (metric, task, name) in found
    ]


def same_rules(results: Sequence[StoredResult]) -> list[bool]:
    """Return for each run but the first whether it has the rules and the numbers of units of the run before it.

    The name of a single task does not matter: see `with_task_of`.
    """
    evaluations = [result.evaluation for result in results]
    signatures = [(with_task_of(new, old).signature, new.signature) for old, new in pairwise(evaluations)]
    return [old.rules == new.rules and old.units == new.units for old, new in signatures]


def _scores(evaluation: Evaluation, scored: ScoredSubmission) -> Iterator[tuple[str, str, Result, int | None]]:
    several = len(evaluation.parts or evaluation.tasks) > 1
    for metric in evaluation.metrics:
        if (result := scored.scores.get(metric)) is None:
            continue
        primary = metric == evaluation.primary
        yield metric, "", result, scored.rank if primary else None
        if primary and several:
            for task, score in result.tasks.items():
                yield metric, task, score, None


def _last_places(results: Sequence[StoredResult]) -> list[str]:
    """Return all submissions: those of the last run in their order there, then those that only earlier runs have."""
    return list(dict.fromkeys(scored.name for result in reversed(results) for scored in result.evaluation.submissions))


def run_table(runs: Sequence[StoredRun], title: str) -> Table:
    """Return a row for each run of a store."""
    columns = [
        (Column("run", key=True), [Cell(str(run.number)) for run in runs]),
        (Column("label", "left", key=True), [Cell(run.label) for run in runs]),
        (Column("added", "left"), [Cell(run.added) for run in runs]),
        (Column("profile", "left"), [Cell(run.profile) for run in runs]),
        (Column("primary", "left"), [Cell(run.primary) for run in runs]),
        (Column("submissions"), [Cell(str(run.submissions)) for run in runs]),
    ]
    return Table.from_columns(title, columns, notes=[] if runs else ["the store is empty"])


def history_table(scores: Sequence[StoredScore], title: str) -> Table:
    """Return a row for each score, run by run; what all scores share is in a note."""
    digits = decimals_for(score.value for score in scores)
    columns = [
        (Column("run", key=True), [Cell(str(score.run)) for score in scores]),
        (Column("label", "left", key=True), [Cell(score.label) for score in scores]),
    ]
    shared = []
    for name in ("profile", "submission", "metric", "task"):
        values = [getattr(score, name) or "all" for score in scores]
        if len(set(values)) == 1:
            shared.append(f"{name}: {values[0]}")
        else:
            columns.append((Column(name, "left"), [Cell(value) for value in values]))
    columns.append((Column("score"), [Cell(format_number(score.value, digits)) for score in scores]))
    intervals = [format_interval(score.low, score.high, digits) for score in scores]
    if any(intervals):
        columns.append((Column("interval"), list(map(Cell, intervals))))
    if any(score.rank is not None for score in scores):
        columns.append((Column("rank"), [Cell("" if score.rank is None else str(score.rank)) for score in scores]))
    name, in_words = cluster_column(score.cluster for score in scores)
    if any(score.cluster is not None for score in scores):
        columns.append((Column(name), [Cell(in_words(score.cluster)) for score in scores]))
    notes = [", ".join(shared)] if shared else []
    return Table.from_columns(title, columns, notes=notes if scores else ["no score of this kind"])
