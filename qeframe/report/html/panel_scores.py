"""What the panels of a page rank: the scores over all tasks, in one task or in one part, and those of a heat map.

A heat map has the scores of all submissions in each of many tasks, or in each section of one.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence

import attrs
import numpy as np
from attrs import frozen

from qeframe.core.batch import FloatArray
from qeframe.core.result import Evaluation, Result, ScoredPart, ScoredSubmission
from qeframe.core.task import UNRANKED
from qeframe.report.tables.leaderboard import KIND_MARKS, ranked_submissions, shows_clusters
from qeframe.report.tables.parts import details_in, scale_in_words
from qeframe.report.tables.rank_ranges import set_or_range
from qeframe.report.tables.task_columns import ABSENT, FEW_UNITS, few_units_sign, name_over_tasks, task_names
from qeframe.report.tables.written_names import written_name


@frozen(kw_only=True)
class Ranked:
    """A submission in a panel: its score with an interval (NaN without one) and a sign, its cluster, and its ranks.

    `best`: whether it may be best.
    """

    name: str
    mark: str = ""
    value: float
    low: float = math.nan
    high: float = math.nan
    sign: str = ""
    cluster: int | None = None
    ranks: tuple[int, int] | None = None
    best: bool = False


@frozen(kw_only=True)
class Scores:
    """The submissions of one panel, best first.

    `name`: the name of the task or part; empty for all of them together, or for the only one. `note`: what a part is:
    its weight, pairs and level.
    """

    name: str
    metric: str
    higher_is_better: bool
    rows: tuple[Ranked, ...]
    note: str = ""


def scores_of_panels(evaluation: Evaluation) -> list[Scores]:
    """Return the scores over all tasks, then those in each of several tasks, or in each part."""
    whole = _whole(evaluation)
    if evaluation.parts:
        return [whole, *(_part(evaluation, part) for part in evaluation.parts)]
    return [whole, *(_task(evaluation, task) for task in task_names(evaluation))]


def _whole(evaluation: Evaluation) -> Scores:
    official = shows_clusters(evaluation.submissions)
    rows = [
        attrs.evolve(
            _row_of(scored, scored.scores.get(evaluation.primary, ABSENT)),
            cluster=scored.cluster if scored.kind not in UNRANKED and official else None,
            ranks=set_or_range(scored),
            best=bool(scored.may_be_best),
        )
        for scored in ranked_submissions(evaluation)
    ]
    better_high = evaluation.higher_is_better.get(evaluation.primary, True)
    metric = name_over_tasks(evaluation, evaluation.primary, written_name(evaluation.primary))
    return Scores(name="", metric=metric, higher_is_better=better_high, rows=tuple(rows))


def _row_of(scored: ScoredSubmission, result: Result) -> Ranked:
    mark, sign = KIND_MARKS[scored.kind], few_units_sign(result)
    return Ranked(name=scored.name, mark=mark, value=result.value, low=result.low, high=result.high, sign=sign)


def _task(evaluation: Evaluation, task: str) -> Scores:
    better_high = evaluation.higher_in_tasks.get(evaluation.primary, True)
    rows = [
        _row_of(scored, result)
        for scored in ranked_submissions(evaluation)
        if (result := scored.scores.get(evaluation.primary, ABSENT).tasks.get(task)) is not None
    ]
    facts = [f"weight {evaluation.shares[task]:.4g}"] if task in evaluation.shares else []
    facts += [f"{kind} {number:,}" for kind, number in evaluation.tasks.get(task, {}).items()]
    facts += [f"{FEW_UNITS} few units carry the score"] if any(row.sign for row in rows) else []
    ordered = _sorted(rows, better_high)
    metric, note = written_name(evaluation.primary), ", ".join(facts)
    return Scores(name=task, metric=metric, higher_is_better=better_high, rows=ordered, note=note)


def _ranges(details: Iterable[Mapping[str, float]]) -> Iterator[str]:
    """Yield what the metric reports beside the scores, each number from the smallest to the largest."""
    values: dict[str, list[float]] = {}
    for of_submission in details:
        for name, value in of_submission.items():
            values.setdefault(name, []).append(value)
    for name, numbers in values.items():
        ends = dict.fromkeys(f"{end:.6g}" for end in (min(numbers), max(numbers)))
        yield f"{name} {' to '.join(ends)}"


def _part(evaluation: Evaluation, part: ScoredPart) -> Scores:
    marks = {s.name: KIND_MARKS[s.kind] for s in evaluation.submissions}
    rows = [
        Ranked(name=name, mark=marks.get(name, ""), value=s.value, low=s.low, high=s.high, cluster=s.cluster)
        for name, s in part.submissions.items()
    ]
    scale = scale_in_words(part) if evaluation.signature.rules.get("overall", "mean") == "mean" else ""
    scaled = f"in the overall score scaled {scale}" if scale else ""
    facts = [f"weight {part.weight:.4g}", ", ".join(part.pairs), part.level, part.selection, scaled]
    facts += _ranges(details_in(evaluation, part).values())
    return Scores(
        name=part.name,
        metric=written_name(part.metric),
        higher_is_better=part.higher_is_better,
        rows=_sorted(rows, part.higher_is_better),
        note="; ".join(filter(None, facts)),
    )


def _sorted(rows: Sequence[Ranked], better_high: bool) -> tuple[Ranked, ...]:
    """Return the rows by score, the best first and undefined ones last; equal scores keep their order."""
    return tuple(sorted(rows, key=lambda r: math.inf if math.isnan(r.value) else -r.value if better_high else r.value))


_LEAST_ROWS = 4
"""A table says as much about fewer tasks or sections."""
_SECTIONS = ("sections", "subsets")
"""The details of metrics that score sections, such as the phenomena of a challenge set: a number by name."""


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
    submissions = ranked_submissions(evaluation)
    results = [submission.scores.get(evaluation.primary, ABSENT) for submission in submissions]
    in_tasks = [{name: result.value for name, result in of_all.tasks.items()} for of_all in results]
    maps = [_heat_map(evaluation, "task", task_names(evaluation), in_tasks)]
    for key in _SECTIONS:
        names = dict.fromkeys(
            name for s in evaluation.submissions for name in _sections(s.scores.get(evaluation.primary, ABSENT), key)
        )
        maps.append(
            _heat_map(evaluation, key.removesuffix("s"), list(names), [_sections(result, key) for result in results])
        )
    by_rows: dict[tuple[str, ...], HeatMap] = {}
    for heat_map in filter(None, maps):
        by_rows.setdefault(heat_map.rows, heat_map)
    return list(by_rows.values())


def _sections(result: Result, key: str) -> Mapping[str, float]:
    section = result.details.get(key)
    return section if isinstance(section, Mapping) and all(isinstance(v, float | int) for v in section.values()) else {}


def _heat_map(
    evaluation: Evaluation, by: str, names: list[str], scores: Sequence[Mapping[str, float]]
) -> HeatMap | None:
    """Return the scores of the submissions, the best first, in what `names` lists; None where a table says as much."""
    submissions = ranked_submissions(evaluation)
    if len(names) < _LEAST_ROWS or len(submissions) < 2:
        return None
    values = np.array([[of_one.get(name, math.nan) for of_one in scores] for name in names], np.float64)
    scored = np.asarray(np.isfinite(values).any(axis=1))
    if scored.sum() < _LEAST_ROWS:
        return None
    return HeatMap(
        by=by,
        metric=written_name(evaluation.primary),
        better_high=evaluation.higher_in_tasks.get(evaluation.primary, True),
        rows=tuple(name for name, kept in zip(names, scored, strict=True) if kept),
        columns=tuple(submission.name for submission in submissions),
        values=values[scored],
        without=int((~scored).sum()),
    )
