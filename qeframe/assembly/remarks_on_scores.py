"""What limits scores: what is undefined, few units that carry a score, intervals that are not there."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from random import Random
from typing import Any

import numpy as np

from qeframe.assembly.scoreboard import Scoreboard
from qeframe.core.batch import Batch, FloatArray
from qeframe.core.comparison import ComparisonRules
from qeframe.core.component import full_name
from qeframe.core.contest import Contest
from qeframe.core.errors import QeframeError, counted
from qeframe.core.findings import Comparison
from qeframe.core.metric import Metric
from qeframe.core.profile import OVERALL
from qeframe.core.registry import Registry
from qeframe.core.resolve import ResolvedProfile
from qeframe.core.result import Result, ScoredSubmission
from qeframe.core.sample import Sample
from qeframe.core.significance import interval_details
from qeframe.core.task import Submission

_MOST = 3
"""The most metrics, submissions, parts or pairs that a warning names."""


_GENERATED_UNITS = 24
"""How many units the inputs have on which a metric without any score is tried."""


def remark_on_metric(metric: Metric, scores: FloatArray, registry: Registry) -> str:
    """Return a warning if a metric has no score at all and has none on generated ordinary data of its kind either.

    `scores`: its scores of all submissions; NaN where undefined. `registry`: it has the kinds of batch. Result: empty
    if there is a score, if the metric is defined on the generated data, or if its kind generates none.
    """
    kind = registry.find_kind(metric.kind) if np.isnan(scores).all() else None  # it is imported if it is needed
    if kind is None or kind.fixed_submissions is None:
        return ""
    batches = tuple(kind.fixed_submissions(Random("a metric without scores"), _GENERATED_UNITS))
    try:
        tried = Sample(metrics=(metric,), batches=batches, key=()).scores
    except QeframeError:
        return ""
    if not np.isnan(tried).all():
        return ""
    return (
        f"{full_name(metric)} is undefined everywhere: also for {len(batches)} submissions of {_GENERATED_UNITS} "
        "generated units; the reason is the metric, not the data"
    )


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


def few_of(names: Sequence[str], others: str = "other") -> str:
    """Return the first names in a list, and the number of the others."""
    rest = len(names) - _MOST
    return ", ".join(names) if rest <= 0 else f"{', '.join(names[:_MOST])} and {counted(rest, others)}"


def on_undefined(
    scoreboard: Scoreboard, results: Sequence[Sequence[Result]], comparisons: Sequence[Comparison], registry: Registry
) -> Iterator[str]:
    """Yield which primary scores and which tests are undefined, with the possible reasons.

    Tests that state their reason are those of `remarks_on_family`.
    """
    on_metrics = [
        remark_on_metric(
            metric,
            np.array([scored.value for result in of_submissions for scored in (result, *result.tasks.values())]),
            registry,
        )
        for metric, of_submissions in zip(scoreboard.metrics, results, strict=True)
    ]
    yield from filter(None, on_metrics)
    if on_metrics[0]:
        return
    metric = scoreboard.metrics[0].name
    for submission, result in zip(scoreboard.submissions, results[0], strict=True):
        if np.isnan(result.value) and not result.tasks:
            yield f"{metric} of {submission.name} is undefined: {UNDEFINED}"
    untested = [c for c in comparisons if np.isnan(c.p) and not np.isnan(c.difference) and not c.reason]
    if untested:
        pairs = counted(len(comparisons), "pair")
        yield f"'{untested[0].test}' is undefined for {len(untested)} of {pairs}: there are too few units for it"


def on_negative_correlations(scoreboard: Scoreboard, results: Sequence[Sequence[Result]]) -> Iterator[str]:
    """Yield in one line the submissions whose correlation with the gold is below 0, with its whole interval."""
    found = [
        f"{submission.name}{f' on {task}' if task else ''} ({metric.name} {task_result.value:.6f})"
        for metric, metric_results in zip(scoreboard.metrics, results, strict=True)
        for submission, result in zip(scoreboard.submissions, metric_results, strict=True)
        for task, task_result in (result.tasks or {"": result}).items()
        if metric.vectors is not None and task_result.value < 0 and not task_result.high > 0
    ]
    if found:
        yield f"negative correlation with the gold of {few_of(found)}: check the sign of the scores"


def on_scores_of_parts(board: Scoreboard, resolved: ResolvedProfile) -> Iterator[str]:
    """Yield which submissions have no overall score, and which parts no interval.

    No overall score have those whose score in a part is undefined; `absent` says who lacks a part.
    """
    weighted = [part for part in board.entries if part.weight]
    for position, submission in enumerate(board.submissions):
        absent = [part for part in weighted if position not in part.positions]
        undefined = [
            part.name for part in weighted if np.isnan(part.contest.oriented[part.positions == position]).any()
        ]
        if undefined and not absent:
            where = few_of(undefined, "other part")
            yield f"{submission.name} has no overall score: its score is undefined in {where}"
    not_resampled = [part.name for part in board.entries if not part.resampled]
    if not_resampled and resolved.interval is not None:
        of, whole = few_of(not_resampled, "other part"), "; the overall score has none either"
        why = "there is one unit only, system scores without segments"
        yield f"no interval of {of}: {why}{whole if resolved.profile.overall == 'mean' else ''}"


def on_ends(ranked: Sequence[ScoredSubmission]) -> Iterator[str]:
    """Yield for which parts scores lie outside their own intervals, and why that can be."""
    outside: dict[str, int] = {}
    for submission in ranked:
        whole = submission.scores[OVERALL]
        for name, result in {"the overall score": whole, **whole.tasks}.items():
            if result.value < result.low or result.value > result.high:
                outside[name] = outside.get(name, 0) + 1
    if outside:
        counts = [f"{name} ({count} of {len(ranked)})" for name, count in outside.items()]
        yield (
            f"scores outside their own intervals: {few_of(counts, 'other part')}: in every draw, some metrics compute "
            "p-values or thresholds again on segments that occur several times, which moves scores in one direction; "
            "intervals of percentiles are not corrected for it"
        )
