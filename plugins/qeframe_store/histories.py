"""Histories over runs: how one score of one submission went from run to run."""

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
    """A score in one run."""

    at: int  # the position of the run among those of its profile, from 0
    result: Result
    rank: int | None = None  # of the primary metric over all tasks; None elsewhere


@frozen(kw_only=True)
class History:
    """The scores of one submission under one metric, in the runs of one profile that have them."""

    submission: str
    metric: str
    task: str  # empty for all tasks together
    moments: tuple[Moment, ...]  # in the order of the runs, at least one


def histories(results: Sequence[StoredResult]) -> list[History]:
    """Return every history in the runs of one profile: by metric and task, the submissions by their last rank.

    Scores of single tasks are those of the primary metric of each run; a run of one task has them over all tasks only.
    """
    moments: dict[tuple[str, str, str], list[Moment]] = {}
    for at, stored in enumerate(results):
        for scored in stored.evaluation.submissions:
            for metric, task, result, rank in _scores(stored.evaluation, scored):
                moment = Moment(at=at, result=result, rank=rank)
                moments.setdefault((metric, task, scored.name), []).append(moment)
    # the submissions of the last run in their order there, then those that only earlier runs have
    names = dict.fromkeys(scored.name for stored in reversed(results) for scored in stored.evaluation.submissions)
    return [
        History(submission=name, metric=metric, task=task, moments=tuple(moments[metric, task, name]))
        for metric, task in dict.fromkeys((metric, task) for metric, task, _ in moments)
        for name in names
        if (metric, task, name) in moments
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
