"""What a reader of an evaluation should know: the warnings that stand beside its results."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from qeframe.errors import counted
from qeframe.evaluation.comparable_across_tasks import ComparableAcrossTasks
from qeframe.evaluation.comparison import ComparisonRules
from qeframe.evaluation.result import Comparison, Result
from qeframe.evaluation.scoreboard import Scoreboard
from qeframe.tasks.task import Submission

__all__ = ["remarks_on_evaluation", "remarks_on_family", "too_few_draws", "works_across"]


def remarks_on_evaluation(
    scoreboard: Scoreboard,
    rules: ComparisonRules | None,
    results: Sequence[Sequence[Result]],
    comparisons: Sequence[Comparison],
) -> Iterator[str]:
    """Yield the warnings of an evaluation, those on the gold first.

    Parameters
    ----------
    rules : ComparisonRules or None
        How pairs were compared, if they were.
    results : (metrics, submissions) sequence of Result
    """
    yield from _remarks(scoreboard)
    yield from _untested(scoreboard, rules)
    if rules:
        yield from remarks_on_family(rules, comparisons)
    yield from _undefined(scoreboard, results, comparisons)
    yield from _warnings(scoreboard, results)


def remarks_on_family(rules: ComparisonRules, comparisons: Sequence[Comparison]) -> Iterator[str]:
    """Say what a reader of comparisons under a correction should know.

    Yields
    ------
    str
        For each family, the pairs of a task or of all tasks together: if some of its pairs could not be tested, since a
        score is undefined. If the correction of a family makes even the smallest p that the test can give too large, so
        that no difference could ever be significant: once for the largest family where exchanges are drawn, and for
        all families whose few exchanges were enumerated.
    """
    families: dict[str, list[Comparison]] = {}
    for comparison in comparisons:
        families.setdefault(comparison.task, []).append(comparison)
    for task, family in families.items():
        without = [c for c in family if np.isnan(c.difference)]
        if without:
            names = ", ".join(dict.fromkeys(c.b for c in without))
            yield (
                f"{len(without)} of {counted(len(family), 'pair')}{f' on {task}' if task else ''} cannot be tested and "
                f"do not count in the correction: there is no score of {names}"
            )
    drawn, enumerated = 0, dict[tuple[float, int], list[str]]()
    for task, family in families.items():
        tested = [c.least_p for c in family if not np.isnan(c.p)]
        if tested and max(tested) > rules.test.least_p:
            enumerated.setdefault((max(tested), len(tested)), []).append(task)
        else:
            drawn = max(drawn, len(tested))
    yield from filter(None, [too_few_draws(rules, drawn)])
    for (least, pairs), tasks in enumerated.items():
        yield from filter(None, [too_few_draws(rules, pairs, least, tasks=tasks)])


def too_few_draws(rules: ComparisonRules, pairs: int, enumerated: float = 0.0, *, tasks: Sequence[str] = ()) -> str:
    """Say if no difference among so many pairs can ever be significant: the test has too few draws, or units.

    Parameters
    ----------
    rules : ComparisonRules
    pairs : int
    enumerated : float
        The smallest p where all exchanges of the few units were enumerated; 0: that of the test's draws.
    tasks : sequence of str
        Where that was; an empty name is not told.
    """
    least = enumerated or rules.test.least_p
    if not (pairs and least):
        return ""
    corrected = rules.correction.adjust(np.full(pairs, least))
    if rules.significant(corrected).any():
        return ""
    tiny = 1e-12
    factor = float(rules.correction.adjust(np.full(pairs, tiny)).min()) / tiny
    where = f" on {', '.join(tasks)}" if any(tasks) else ""
    remedy = f"ask for at least {round(factor / rules.alpha)} draws"
    return (
        f"no difference can be significant{where}: the smallest p of {rules.test.name} is {least:.2g}, and "
        f"{corrected.min():.2g} with the correction '{rules.correction.name}' of {counted(pairs, 'pair')}, alpha is "
        f"{rules.alpha:g}; {'all exchanges were enumerated: there are too few units' if enumerated else remedy}"
    )


def works_across(rules: ComparisonRules, overall: ComparableAcrossTasks) -> bool:
    """Say whether a test can be run on the aggregate over several tasks."""
    needs = rules.test.needs
    return needs == "bind" or (needs == "exchange" and overall.aggregation.linear)


def _remarks(scoreboard: Scoreboard) -> Iterator[str]:
    """Yield what the gold of each task calls for."""
    for task in scoreboard.tasks:
        remark = next(iter(task.batches.values())).gold_warning()
        if remark:
            yield f"{task.name}: {remark}"


def _untested(scoreboard: Scoreboard, rules: ComparisonRules | None) -> Iterator[str]:
    """Say why there are no winners over several tasks, if their test cannot be run on an aggregate."""
    overall = scoreboard.comparables[0]
    if rules and isinstance(overall, ComparableAcrossTasks) and not works_across(rules, overall):
        yield (
            f"there are no winners over all tasks: '{rules.test.name}' cannot compare aggregates, only each task; "
            "'bootstrap' can"
        )


def _undefined(
    scoreboard: Scoreboard, results: Sequence[Sequence[Result]], comparisons: Sequence[Comparison]
) -> Iterator[str]:
    """Say which primary scores and tests are undefined, and why that happens."""
    metric = scoreboard.metrics[0].name
    for submission, result in zip(scoreboard.submissions, results[0], strict=True):
        if np.isnan(result.value) and not result.tasks:
            why = "its answers or the gold are constant, no pair is decided, or there are too few units"
            yield f"{metric} of {submission.name} is undefined: {why}"
    dark = [c for c in comparisons if np.isnan(c.p) and not np.isnan(c.difference)]
    if dark:
        pairs = counted(len(comparisons), "pair")
        yield f"'{dark[0].test}' is undefined for {len(dark)} of {pairs}: too few units for it"


def _warnings(scoreboard: Scoreboard, results: Sequence[Sequence[Result]]) -> Iterator[str]:
    """Warn of submissions whose correlation with the gold is below 0, with its whole interval."""
    for metric, of_metric in zip(scoreboard.metrics, results, strict=True):
        for submission, result in zip(scoreboard.submissions, of_metric, strict=True):
            for where, one in (result.tasks or {"": result}).items():
                if metric.vectors is not None and one.value < 0 and not one.high > 0:
                    yield _against(submission, metric.name, where, one.value)


def _against(submission: Submission, metric: str, task: str, value: float) -> str:
    where = f" on {task}" if task else ""
    return (
        f"{submission.name} runs against the gold{where}: its {metric} is {value:.6f}, below 0; "
        "is the sign of its scores right?"
    )
