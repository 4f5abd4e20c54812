"""The rows of a store: runs and scores, as they are written and as they are read."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from typing import Any

import attrs
from attrs import frozen

from qeframe.plugin.results import Evaluation


@frozen(kw_only=True)
class StoredRun:
    """One result in a store.

    Parameters
    ----------
    number : int
        From 1, in the order in which results were added.
    label : str
        A name for the table, such as "2026-47"; by default that of the folder.
    added : str
        When it was added, in UTC, as ISO 8601.
    profile, primary, signature : str
    submissions : int
    """

    number: int
    label: str
    added: str
    profile: str
    primary: str
    signature: str
    submissions: int


@frozen(kw_only=True)
class StoredScore:
    """One score of a submission in one run of a store.

    Parameters
    ----------
    run : int
        The number of the run.
    label, profile, submission, kind, metric : str
    task : str
        Empty for all tasks together.
    value, low, high : float
        NaN if undefined, or without an interval.
    rank, cluster : int or None
        Of the primary metric over all tasks; None elsewhere.
    """

    run: int
    label: str
    profile: str
    submission: str
    kind: str
    metric: str
    task: str
    value: float
    low: float
    high: float
    rank: int | None
    cluster: int | None


def score_rows(evaluation: Evaluation) -> Iterable[Sequence[object]]:
    """Yield the rows of the table ``score``: of each submission and metric the score over all tasks, and one a task.

    With a single task, the score over all tasks is also that of the task, so that it is found by its name.
    """
    single = next(iter(evaluation.tasks)) if len(evaluation.tasks) == 1 else ""
    for submission in evaluation.submissions:
        for metric, result in submission.scores.items():
            alone = {single: result} if single else {}
            ranked = (submission.rank, submission.cluster) if metric == evaluation.primary else (None, None)
            for task, score, places in (
                ("", result, ranked),
                *((task, score, (None, None)) for task, score in (result.tasks or alone).items()),
            ):
                numbers = (None if math.isnan(x) else x for x in (score.value, score.low, score.high))
                yield (submission.name, submission.kind, metric, task, *numbers, *places)


def stored_score(row: Sequence[Any]) -> StoredScore:
    """Return the score of a row that was read."""
    names = [a.name for a in attrs.fields(StoredScore)]
    values = dict(zip(names, row, strict=True))
    values |= {name: math.nan for name in ("value", "low", "high") if values[name] is None}
    return StoredScore(**values)
