"""What limits scores and comparisons of arrays: what is undefined, few units that carry a score, claims of tests."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from qeframe.assembly.remarks_on_scores import UNDEFINED, few_of, remark_on_metric
from qeframe.core.batch import Batch
from qeframe.core.comparison import ComparisonRules
from qeframe.core.contest import Contest
from qeframe.core.errors import counted
from qeframe.core.findings import Comparison
from qeframe.core.metric import Metric
from qeframe.core.registry import Registry
from qeframe.core.significance import interval_details


def remarks_on_comparisons(
    metric: Metric,
    rules: ComparisonRules,
    contest: Contest,
    comparisons: Sequence[Comparison],
    registry: Registry,
    *,
    metrics: int = 1,
) -> Iterator[str]:
    """Yield what limits the comparisons of the submissions of one task under a metric, corrected with other metrics."""
    from qeframe.assembly.remarks import remarks_on_claimed_pairs, remarks_on_family, remarks_on_test  # not for a score

    if remark := remark_on_metric(metric, np.array([pair.difference for pair in comparisons]), registry):
        yield remark
    yield from remarks_on_family(rules, comparisons, metrics=metrics)
    batches = contest.terms[0].sample.batches
    names = dict(zip(contest.pairs[1].tolist(), (pair.b for pair in comparisons), strict=True))
    undefined = [at for at in sorted(names) if np.isnan(contest.oriented[at]) and not remark]
    yield from (f"{metric.name} of {names[at]} is undefined: {why_undefined(batches[at])}" for at in undefined)
    if rules.side == "one":
        yield (
            f"'{rules.test.name}' is one-sided in the direction that the data chose: its false-positive rate is up to "
            "twice alpha; 'sided=two' keeps alpha"
        )
    yield from remarks_on_test(rules, contest)
    yield from remarks_on_claimed_pairs(rules, contest, comparisons)
    yield from on_few_units_of_pairs(metric.name, rules, contest, comparisons)


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


def on_few_units_of_pairs(
    metric: str, rules: ComparisonRules, contest: Contest, comparisons: Sequence[Comparison]
) -> Iterator[str]:
    """Yield which of the compared scores few units carry."""
    names: dict[int, str] = {}
    for first, second, pair in zip(*contest.pairs, comparisons, strict=True):
        names[int(first)], names[int(second)] = pair.a, pair.b
    details = interval_details(rules.test, contest)
    yield from on_few_units(metric, {names[i]: details[i] for i in sorted(names)})
