"""What one panel of a page ranks: the scores of the submissions over all tasks, in one task or in one part."""

import math
from collections.abc import Sequence

from attrs import frozen

from qeframe.core.evaluation.result import Evaluation, PartScore, Result, ScoredPart
from qeframe.core.tasks.task import UNRANKED
from qeframe.report.tables.leaderboard import KIND_MARKS, central_ranks, ranked_submissions
from qeframe.report.tables.parts import scale_in_words
from qeframe.report.tables.task_columns import FEW_UNITS, few_units_sign, task_names

_ABSENT = Result(value=math.nan)


@frozen(kw_only=True)
class Ranked:
    """A submission in a panel: its score with an interval (NaN without one) and a sign, its cluster, and its ranks."""

    name: str
    mark: str = ""
    value: float
    low: float = math.nan
    high: float = math.nan
    sign: str = ""
    cluster: int | None = None
    ranks: tuple[int, int] | None = None


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
    rows = []
    for scored in ranked_submissions(evaluation):
        result = scored.scores.get(evaluation.primary, _ABSENT)
        rows.append(
            Ranked(
                name=scored.name,
                mark=KIND_MARKS[scored.kind],
                value=result.value,
                low=result.low,
                high=result.high,
                sign=few_units_sign(result),
                cluster=scored.cluster if scored.kind not in UNRANKED else None,
                ranks=scored.rank_set or central_ranks(scored.rank_shares),
            )
        )
    better_high = evaluation.higher_is_better.get(evaluation.primary, True)
    return Scores(name="", metric=evaluation.primary, higher_is_better=better_high, rows=tuple(rows))


def _task(evaluation: Evaluation, task: str) -> Scores:
    better_high = evaluation.higher_in_tasks.get(evaluation.primary, True)
    rows = []
    for scored in ranked_submissions(evaluation):
        result = scored.scores.get(evaluation.primary, _ABSENT).tasks.get(task)
        if result is not None:
            mark, sign = KIND_MARKS[scored.kind], few_units_sign(result)
            low, high = result.low, result.high
            rows.append(Ranked(name=scored.name, mark=mark, value=result.value, low=low, high=high, sign=sign))
    facts = [f"weight {evaluation.shares[task]:.4g}"] if task in evaluation.shares else []
    facts += [f"{kind} {number:,}" for kind, number in evaluation.tasks.get(task, {}).items()]
    facts += [f"{FEW_UNITS} few units carry the score"] if any(row.sign for row in rows) else []
    ordered = _sorted(rows, better_high)
    metric, note = evaluation.primary, ", ".join(facts)
    return Scores(name=task, metric=metric, higher_is_better=better_high, rows=ordered, note=note)


def _part(evaluation: Evaluation, part: ScoredPart) -> Scores:
    marks = {s.name: KIND_MARKS[s.kind] for s in evaluation.submissions}
    rows = [_in_part(name, marks.get(name, ""), score) for name, score in part.submissions.items()]
    scale = scale_in_words(part) if evaluation.signature.rules.get("overall", "mean") == "mean" else ""
    scaled = f"in the overall score scaled {scale}" if scale else ""
    facts = [f"weight {part.weight:.4g}", ", ".join(part.pairs), part.level, part.selection, scaled]
    return Scores(
        name=part.name,
        metric=part.metric,
        higher_is_better=part.higher_is_better,
        rows=_sorted(rows, part.higher_is_better),
        note="; ".join(filter(None, facts)),
    )


def _in_part(name: str, mark: str, score: PartScore) -> Ranked:
    return Ranked(name=name, mark=mark, value=score.value, low=score.low, high=score.high, cluster=score.cluster)


def _sorted(rows: Sequence[Ranked], better_high: bool) -> tuple[Ranked, ...]:
    """Return the rows by score, the best first and undefined ones last; equal scores keep their order."""
    return tuple(sorted(rows, key=lambda r: math.inf if math.isnan(r.value) else -r.value if better_high else r.value))
