"""The warnings of an evaluation: what limits its results."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from random import Random
from typing import TYPE_CHECKING

import attrs
import numpy as np

from qeframe.assembly.notices import notices, on_look_alike_names
from qeframe.assembly.remarks_on_intervals import (
    UNDEFINED,
    few_of,
    on_few_units_of_pairs,
    on_missing_intervals,
    why_undefined,
)
from qeframe.core.batch import FloatArray
from qeframe.core.comparison import ComparisonRules
from qeframe.core.component import full_name
from qeframe.core.contest import Contest
from qeframe.core.errors import QeframeError, counted
from qeframe.core.findings import Comparison
from qeframe.core.metric import Metric
from qeframe.core.profile_checks import missing_capability
from qeframe.core.registry import Registry
from qeframe.core.result import Result, ValidRules
from qeframe.core.sample import Sample
from qeframe.core.significance import Correction, SignificanceTest, adjust, remarks_of, remarks_on_significant

if TYPE_CHECKING:
    from qeframe.assembly.evaluate import Assembled
    from qeframe.assembly.scoreboard import Scoreboard

_GENERATED_UNITS = 24
"""How many units the inputs have on which a metric without any score is tried."""


def remarks_on_evaluation(of: Assembled, comparisons: Sequence[Comparison], valid: ValidRules | None) -> Iterator[str]:
    """Yield the warnings of an evaluation, the warnings on the gold first.

    `valid`: the rules of the rank sets, where those of the profile are not valid.
    """
    scoreboard, rules, results, overall = of.board, of.rules, of.results, of.whole.contests[0]
    registry = of.request.registry
    yield from _on_gold(scoreboard)
    yield from on_look_alike_names([submission.name for submission in scoreboard.submissions])
    yield from notices(scoreboard.tasks, signs=all(metric.vectors is None for metric in scoreboard.metrics))
    yield from _on_untested_aggregate(overall, rules, registry.all(SignificanceTest))
    if rules:
        without_gold = {task.name for task in scoreboard.tasks if not task.has_gold}
        yield from remarks_on_family(rules, [c for c in comparisons if c.task not in without_gold])
        yield from _on_test(scoreboard, overall, rules, valid)
        compared = [comparison for comparison in comparisons if not comparison.task]
        yield from remarks_on_claimed_pairs(rules, overall, compared)
    yield from _on_undefined(scoreboard, results, comparisons, registry)
    yield from on_missing_intervals(scoreboard.metrics, scoreboard.submissions, results)
    yield from _on_negative_correlations(scoreboard, results)


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
    if remark := remark_on_metric(metric, np.array([pair.difference for pair in comparisons]), registry):
        yield remark
    yield from remarks_on_family(rules, comparisons, metrics=metrics)
    batches = contest.terms[0].sample.batches
    names = dict(zip(contest.pairs[1].tolist(), (pair.b for pair in comparisons), strict=True))
    undefined = [at for at in sorted(names) if np.isnan(contest.oriented[at]) and not remark]
    yield from (f"{metric.name} of {names[at]} is undefined: {why_undefined(batches[at])}" for at in undefined)
    yield from remarks_on_side(rules)
    yield from remarks_on_test(rules, contest)
    yield from remarks_on_claimed_pairs(rules, contest, comparisons)
    yield from on_few_units_of_pairs(metric.name, rules, contest, comparisons)


def remarks_on_family(rules: ComparisonRules, comparisons: Sequence[Comparison], *, metrics: int = 1) -> Iterator[str]:
    """Yield the warnings on families of comparisons. A family is the pairs of one task, or of all tasks together.

    Under several `metrics` that are corrected together it is those of all of them.

    Yields one for each family in which pairs could not be tested because a score is undefined, and one for each reason
    for which the test is undefined for pairs of a family. One for each case in which no difference can be significant,
    because the correction makes the smallest possible p too large: once for the largest family among those with drawn
    exchanges, and once for the families with equally few exchanges, which were enumerated.
    """
    families: dict[str, list[Comparison]] = {}
    for comparison in comparisons:
        families.setdefault(comparison.task, []).append(comparison)
    for task, family in families.items():
        untested = [c for c in family if np.isnan(c.difference)]
        if untested:
            names = ", ".join(dict.fromkeys(c.b for c in untested))
            yield (
                f"{len(untested)} of {counted(len(family), 'pair')}{f' on {task}' if task else ''} cannot be tested "
                f"and do not count in the correction: there is no score of {names}"
            )
        reasons = Counter((c.reason, np.isnan(c.p)) for c in family if c.reason and not np.isnan(c.difference))
        for (reason, is_undefined), count in reasons.items():
            how = f" cannot be tested by '{rules.test.name}':" if is_undefined else ": tested"
            yield f"{count} of {counted(len(family), 'pair')}{f' on {task}' if task else ''}{how} {reason}"
    drawn, enumerated = dict[float, int](), dict[tuple[float, int], list[str]]()
    for task, family in families.items():
        tested = [c.least_p for c in family if not np.isnan(c.p)]
        if tested and max(tested) > rules.test.least_p:
            enumerated.setdefault((max(tested), len(tested)), []).append(task)
        elif tested:
            drawn[max(tested)] = max(drawn.get(max(tested), 0), len(tested))
    for least, pairs in drawn.items():
        yield from filter(None, [too_few_draws(rules, pairs, drawn=least, metrics=metrics)])
    for (least, pairs), tasks in enumerated.items():
        yield from filter(None, [too_few_draws(rules, pairs, least, tasks=tasks, metrics=metrics)])


def too_few_draws(
    rules: ComparisonRules,
    pairs: int,
    enumerated: float = 0.0,
    *,
    drawn: float | None = None,
    tasks: Sequence[str] = (),
    metrics: int = 1,
) -> str:
    """Return a warning if no difference in a family can be significant: too few draws, or units.

    `pairs`: the size of the family under one metric.
    `enumerated`: the smallest possible p if all exchanges of the few units were enumerated; 0 if exchanges were drawn.
    `drawn`: the smallest p of the draws that were taken, which are more than those of the rules where it is smaller.
    `tasks`: the tasks of the family, for the message; an empty name is left out.
    `metrics`: under how many metrics the pairs are corrected together.

    Result: empty if a difference can be significant.
    """
    least, correction = enumerated or (rules.test.least_p if drawn is None else drawn), rules.correction
    # where test and correction have drawn on, they have equally many draws
    joint = 0.0 if least < rules.test.least_p or pairs * metrics < 2 else correction.least_p
    corrected = _least_adjusted(correction, max(least, joint), pairs, metrics) if pairs else 0.0
    if rules.significant(np.array([corrected])).any():
        return ""
    tiny = 1e-12
    draws = round(_least_adjusted(correction, tiny, pairs, metrics) / tiny / rules.alpha)
    where = f" on {', '.join(tasks)}" if any(tasks) else ""
    of_test = f"the smallest p of {rules.test.name} is {least:.2g}, and " if least else "the smallest p is "
    together = counted(pairs, "pair") + (f" under {metrics} metrics" if metrics > 1 else "")
    remedy = f"ask for at least {draws} draws"
    return (
        f"no difference can be significant{where}: {of_test}{corrected:.2g} with the correction '{correction.name}' of "
        f"{together}, alpha is {rules.alpha:g}; "
        f"{'all exchanges were enumerated: there are too few units' if enumerated else remedy}"
    )


def _least_adjusted(correction: Correction, least: float, pairs: int, metrics: int) -> float:
    """Return the smallest adjusted p of a family whose p are not below `least`: of joint draws, whatever its size."""
    if correction.adjust_jointly is not None:
        return min(1.0, least * metrics)
    return float(adjust(correction, np.full(pairs * metrics, least)).min())


def _on_gold(scoreboard: Scoreboard) -> Iterator[str]:
    """Yield the warning on the gold of each task, if there is one."""
    for task in scoreboard.tasks:
        warning = next(iter(task.batches.values())).gold_warning()
        if warning:
            yield f"{task.name}: {warning}"


def _on_untested_aggregate(
    overall: Contest, rules: ComparisonRules | None, tests: Sequence[SignificanceTest]
) -> Iterator[str]:
    """Yield why there are no winners over several tasks, if the test cannot be run on an aggregate."""
    if rules and not rules.works_on(overall):
        able = [f"--set test={test.name}" for test in tests if _can_replace(test, rules, overall)]
        yield (
            f"there are no winners over all tasks: '{rules.test.name}' cannot compare aggregates, only each task; "
            f"{' or '.join(able) or 'no test of this metric'} can"
        )


def _can_replace(test: SignificanceTest, rules: ComparisonRules, overall: Contest) -> bool:
    """Return whether a test can be run on the aggregate, and on the metric in each task."""
    replaced = attrs.evolve(rules, test=test)
    return not missing_capability(overall.metric, test) and replaced.works_on(overall)


def remarks_on_test(rules: ComparisonRules, contest: Contest) -> Iterator[str]:
    """Yield what limits the p-values on the data of one contest: what the test and the correction say of them."""
    yield from (f"'{rules.test.name}': {remark}" for remark in remarks_of(rules.test, contest, rules.side))
    of_correction = remarks_of(rules.correction, contest)
    yield from (f"'{rules.correction.name}': {remark}" for remark in of_correction)


def remarks_on_side(rules: ComparisonRules) -> Iterator[str]:
    """Yield what is known of p-values in a direction that the data chose."""
    if rules.side == "one":
        yield (
            f"'{rules.test.name}' is one-sided in the direction that the data chose: it rejects up to twice as many "
            "true null hypotheses as alpha says; 'sided=two' does not"
        )


def remarks_on_validity(rules: ComparisonRules, valid: ValidRules | None) -> Iterator[str]:
    """Yield one sentence where the rules of a profile do not control the chance of a false claim, and which do not."""
    if rules.controls_any_error:
        return
    how = f"'{rules.test.name}', {rules.side}-sided, correction={rules.correction.name}"
    better = "'--set test=valid' compares by rules that limit it"
    if valid is not None:
        named = f"'{valid.test}', {valid.sided}-sided, correction={valid.correction}"
        better = f"who may be best, and the rank sets, are by {named}: --set test=valid"
    faults = ["the tests are one-sided"] if rules.side == "one" else []
    if not rules.correction.controls_any_error:
        faults.append(f"correction={rules.correction.name} does not limit it over all pairs")
    yield f"the rules do not limit the chance of a false claim ({how}), since {' and '.join(faults)}; {better}"


def _on_test(
    scoreboard: Scoreboard, overall: Contest, rules: ComparisonRules, valid: ValidRules | None
) -> Iterator[str]:
    """Yield what limits the p-values: a direction that the data chose, and what test and correction say of the data."""
    yield from remarks_on_validity(rules, valid)
    if len(scoreboard.entries) == 1:
        yield from remarks_on_test(rules, overall)
        return
    for entry in scoreboard.entries:
        if entry.tasks[0].has_gold:
            for remark in remarks_on_test(rules, entry.contest):
                name, _, what = remark.partition(": ")
                yield f"{name} on {entry.name}: {what}"


def remarks_on_claimed_pairs(
    rules: ComparisonRules, contest: Contest, comparisons: Sequence[Comparison]
) -> Iterator[str]:
    """Yield what is to be said of claims on the pairs of a contest, in the order of its pairs.

    That is what the test says of pairs that are claimed to differ, and which pairs one of its tests alone would claim.
    """
    claimed = np.flatnonzero([comparison.significant for comparison in comparisons])
    remarks = remarks_on_significant(rules.test, contest, claimed)
    for pair, remark in sorted(remarks.items())[:_MOST_PAIRS]:
        yield f"'{rules.test.name}': {comparisons[pair].a} and {comparisons[pair].b}: {remark}"
    if len(remarks) > _MOST_PAIRS:
        yield f"'{rules.test.name}': the same holds for {counted(len(remarks) - _MOST_PAIRS, 'other pair')}"
    yield from _on_two_sides(rules, comparisons)


def _on_two_sides(rules: ComparisonRules, comparisons: Sequence[Comparison]) -> Iterator[str]:
    """Yield the pairs that one test of several would claim by itself after the correction, and another would not."""
    split = [pair for pair in comparisons if _is_split(rules, pair, len(comparisons))]
    if not split:
        return
    told = [
        f"{pair.a} and {pair.b} ({', '.join(f'{name} {p:.3f}' for name, p in pair.p_of.items())})"
        for pair in split[:_MOST_PAIRS]
    ]
    rest = f" and {counted(len(split) - _MOST_PAIRS, 'other pair')}" if len(split) > _MOST_PAIRS else ""
    yield (
        f"'{rules.test.name}': of its tests, one alone would claim and the other not "
        f"{', '.join(told)}{rest}: few units decide; look at them by --influence, or take more units"
    )


def _is_split(rules: ComparisonRules, pair: Comparison, pairs: int) -> bool:
    """Return whether the p of a pair, corrected alike, lie on two sides of alpha by more than the error of draws."""
    p = np.array([*pair.p_of.values()]) * (max(pairs, pair.p_adjusted / pair.p) if pair.p > 0 else 1.0)
    return bool(len(p) and p.max() >= _APART * p.min() and len(set(rules.significant(p))) > 1)


_APART = 1.5
"""By which factor two p on two sides of alpha differ at least: of 1,000 draws, p = .05 has a standard error of .007."""

_MOST_PAIRS = 3
"""The most pairs that a warning names."""


def _on_undefined(
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


def _on_negative_correlations(scoreboard: Scoreboard, results: Sequence[Sequence[Result]]) -> Iterator[str]:
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
