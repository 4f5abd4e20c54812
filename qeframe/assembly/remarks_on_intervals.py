"""What intervals do not promise: scores that have none, and scores that few units carry."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from qeframe.core.batch import Batch
from qeframe.core.comparison import ComparisonRules
from qeframe.core.contest import Contest
from qeframe.core.errors import counted
from qeframe.core.findings import Comparison
from qeframe.core.metric import Metric
from qeframe.core.result import Result
from qeframe.core.significance import interval_details
from qeframe.core.task import Submission

_MOST = 3
"""The most metrics, or submissions, that a warning names."""


def on_few_units(metric: str, details: Mapping[str, Mapping[str, Any]]) -> Iterator[str]:
    """Yield which scores few units carry, by the details of each submission."""
    carried = [
        f"{name} ({counted(few['units'], 'unit')} with {few['share']:.2f} of its jackknife variance)"
        for name, of_score in details.items()
        if (few := of_score.get("few_units"))
    ]
    if carried:
        yield f"few units carry {metric} of {few_of(carried)}: look at them, another sample may have none like them"


def on_score(metric: str, name: str, gold: str, value: float, details: Mapping[str, Any]) -> Iterator[str]:
    """Yield what limits one score: its gold, that it is undefined, has no interval, or that few units carry it.

    `name`: of the submission.
    `gold`: `Batch.gold_warning` of its batch.
    `details`: of the score with its interval; empty without one.
    """
    if gold:
        yield gold
    if math.isnan(value):
        yield f"{metric} of {name} is undefined: {UNDEFINED}"
    elif why := details.get("no_interval"):
        yield f"no interval of {metric} for {name}: {why}"
    if draws := details.get("undefined_draws"):
        yield f"{metric} of {name} is undefined in {counted(draws, 'draw')}, which do not count for its interval"
    if skewed := details.get("skewed_gold"):
        yield skewed
    yield from on_few_units(metric, {name: details})


def why_undefined(batch: Batch) -> str:
    """Return why a score of a batch is undefined, as far as its numbers say."""
    for side, name in (("predicted", "its answers are"), ("gold", "the gold is")):
        values = getattr(batch, side, None)
        if isinstance(values, np.ndarray) and values.ndim == 1 and len(values) > 1 and (values == values[0]).all():
            return f"{name} constant"
    return UNDEFINED


UNDEFINED = "its answers or the gold are constant, no pair is decided, or there are too few units"
"""Why a score is undefined, where its metric does not say."""


def on_few_units_of_pairs(
    metric: str, rules: ComparisonRules, contest: Contest, comparisons: Sequence[Comparison]
) -> Iterator[str]:
    """Yield which of the compared scores few units carry."""
    names: dict[int, str] = {}
    for first, second, pair in zip(*contest.pairs, comparisons, strict=True):
        names[int(first)], names[int(second)] = pair.a, pair.b
    details = interval_details(rules.test, contest)
    yield from on_few_units(metric, {names[i]: details[i] for i in sorted(names)})


def on_missing_intervals(
    metrics: Sequence[Metric], submissions: Sequence[Submission], results: Sequence[Sequence[Result]]
) -> Iterator[str]:
    """Yield the reasons why defined scores have no interval, each with the metrics and the submissions.

    Before them come the scores that are undefined in some draws, which their intervals leave out.
    """
    for metric, metric_results in zip(metrics, results, strict=True):
        lost = {
            submission.name: max(part.details.get("undefined_draws", 0) for part in (result, *result.tasks.values()))
            for submission, result in zip(submissions, metric_results, strict=True)
        }
        listed = [f"{name} {counted(draws, 'draw')}" for name, draws in lost.items() if draws]
        if listed:
            yield f"{metric.name} is undefined in some draws, which do not count for its intervals: {few_of(listed)}"
    by_reason: dict[str, tuple[dict[str, None], dict[str, None]]] = {}
    for metric, metric_results in zip(metrics, results, strict=True):
        for submission, result in zip(submissions, metric_results, strict=True):
            for part in (result, *result.tasks.values()):
                if why := part.details.get("no_interval"):
                    of, names = by_reason.setdefault(why, ({}, {}))
                    of[metric.name] = names[submission.name] = None
    told = dict.fromkeys(
        skewed
        for metric_results in results
        for result in metric_results
        for part in (result, *result.tasks.values())
        if (skewed := part.details.get("skewed_gold"))
    )
    yield from told
    for why, (of, names) in by_reason.items():
        yield f"no interval of {few_of(list(of))} for {few_of(list(names))}: {why}"


def few_of(names: Sequence[str]) -> str:
    """Return the first names in a list, and the number of the others."""
    rest = len(names) - _MOST
    return ", ".join(names) if rest <= 0 else f"{', '.join(names[:_MOST])} and {counted(rest, 'other')}"
