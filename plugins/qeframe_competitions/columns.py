"""The columns of a leaderboard: the metrics of a profile over all tasks, and in each task."""

from __future__ import annotations

import re
from collections.abc import Sequence

import attrs
import numpy as np
from attrs import frozen

from qeframe.plugin import Aggregation
from qeframe.plugin.competitions import aggregate
from qeframe.plugin.results import ResolvedProfile


@frozen(kw_only=True)
class ScoreColumn:
    """A column of a leaderboard, and the score in it.

    Parameters
    ----------
    key : str
        In ``scores.json``: lower-case letters, digits and underscores.
    metric : str
        With its parameters.
    task : str
        Empty: over all tasks.
    higher_is_better : bool
    primary : bool
        Whether the metric is the one that ranks submissions.
    """

    key: str
    metric: str
    task: str = ""
    higher_is_better: bool = True
    primary: bool = False

    @property
    def title(self) -> str:
        """The heading: the task, if there is one, and the metric."""
        return f"{self.task} {self.metric}".strip()


def is_of_one(aggregation: Aggregation) -> bool:
    """Return whether the result of a submission over all tasks depends on its own scores alone: not an average rank."""
    alone = np.array([[0.2, 0.6, 0.3]])
    among = np.concatenate([alone, [[0.1, 0.9, 0.5], [0.4, 0.5, 0.1]]])
    weights = np.ones(3)
    one, several = (aggregate(aggregation, scores, weights, True)[0] for scores in (alone, among))
    return bool(np.isclose(one, several))


def score_columns(resolved: ResolvedProfile, tasks: Sequence[str]) -> list[ScoreColumn]:
    """Return all columns: for each metric the score over all tasks, then the scores of each task.

    A profile with one task has its columns alone. So has one whose scores over all tasks depend on other submissions:
    a platform scores each submission by itself.
    """
    metrics = [(metric, nth == 0) for nth, metric in enumerate(resolved.metrics)]
    columns = []
    if len(tasks) > 1 and is_of_one(resolved.across):
        own = resolved.across.higher_is_better
        columns = [
            ScoreColumn(
                key=_key(m.name), metric=m.name, higher_is_better=m.higher_is_better if own is None else own, primary=p
            )
            for m, p in metrics
        ]
    columns += [
        ScoreColumn(
            key=_key(f"{task}_{m.name}" if len(tasks) > 1 else m.name),
            metric=m.name,
            task=task if len(tasks) > 1 else "",
            higher_is_better=m.higher_is_better,
            primary=p,
        )
        for task in tasks
        for m, p in metrics
    ]
    return _distinct(columns)


def _key(text: str) -> str:
    return re.sub("[^a-z0-9]+", "_", text.lower()).strip("_") or "score"


def _distinct(columns: Sequence[ScoreColumn]) -> list[ScoreColumn]:
    """Return the columns with keys that differ: a number is added to one that another column has."""
    taken: set[str] = set()
    titles = []
    for column in columns:
        keys = (column.key if n == 1 else f"{column.key}_{n}" for n in range(1, len(columns) + 1))
        key = next(key for key in keys if key not in taken)
        taken.add(key)
        titles.append(attrs.evolve(column, key=key))
    return titles
