"""The scores of all submissions in each of many tasks, or in each section of one: what a heat map shows."""

import math
from collections.abc import Callable, Mapping

import numpy as np
from attrs import frozen

from qeframe.core.batches.base import FloatArray
from qeframe.core.evaluation.result import Evaluation, Result, ScoredSubmission
from qeframe.report.tables.leaderboard import ranked_submissions
from qeframe.report.tables.task_columns import task_names

_LEAST_ROWS = 4
"""A table says as much about fewer tasks or sections."""
_SECTIONS = ("sections", "subsets")
"""The details of metrics that score sections, such as the phenomena of a challenge set: a number by name."""
_ABSENT = Result(value=math.nan)


@frozen(eq=False)
class HeatMap:
    """Scores by task or section.

    `by`: what a row is: task, section or subset.
    `rows`, `columns`: the tasks or sections with a score, and the submissions, the best first.
    `values` (rows, columns): NaN without a score.
    `without`: the number of tasks or sections without a score of any submission, which have no row.
    """

    by: str
    metric: str
    better_high: bool
    rows: tuple[str, ...]
    columns: tuple[str, ...]
    values: FloatArray
    without: int = 0


def heat_maps(evaluation: Evaluation) -> list[HeatMap]:
    """Return a heat map over the tasks of a result, and one over each kind of section of its primary metric."""
    maps = [_heat_map(evaluation, "task", task_names(evaluation), _in_task)]
    for key in _SECTIONS:
        names: dict[str, None] = {}
        for submission in evaluation.submissions:
            names |= dict.fromkeys(_sections(evaluation, submission, key))
        maps.append(_heat_map(evaluation, key.removesuffix("s"), list(names), _in_section(key)))
    by_rows: dict[tuple[str, ...], HeatMap] = {}
    for heat_map in filter(None, maps):
        by_rows.setdefault(heat_map.rows, heat_map)
    return list(by_rows.values())


def _in_task(evaluation: Evaluation, submission: ScoredSubmission, name: str) -> float:
    return submission.scores.get(evaluation.primary, _ABSENT).tasks.get(name, _ABSENT).value


def _sections(evaluation: Evaluation, submission: ScoredSubmission, key: str) -> Mapping[str, float]:
    section = submission.scores.get(evaluation.primary, _ABSENT).details.get(key)
    return section if isinstance(section, Mapping) and all(isinstance(v, float | int) for v in section.values()) else {}


def _in_section(key: str) -> Callable[[Evaluation, ScoredSubmission, str], float]:
    def score(evaluation: Evaluation, submission: ScoredSubmission, name: str) -> float:
        return _sections(evaluation, submission, key).get(name, math.nan)

    return score


def _heat_map(
    evaluation: Evaluation, by: str, names: list[str], score: Callable[[Evaluation, ScoredSubmission, str], float]
) -> HeatMap | None:
    submissions = ranked_submissions(evaluation)
    if len(names) < _LEAST_ROWS or len(submissions) < 2:
        return None
    values = np.array(
        [[score(evaluation, submission, name) for submission in submissions] for name in names], np.float64
    )
    scored = np.asarray(np.isfinite(values).any(axis=1))
    if scored.sum() < _LEAST_ROWS:
        return None
    return HeatMap(
        by=by,
        metric=evaluation.primary,
        better_high=evaluation.higher_in_tasks.get(evaluation.primary, True),
        rows=tuple(name for name, kept in zip(names, scored, strict=True) if kept),
        columns=tuple(submission.name for submission in submissions),
        values=values[scored],
        without=int((~scored).sum()),
    )
