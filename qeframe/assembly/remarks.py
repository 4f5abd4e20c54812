"""What an evaluation has besides scores, comparisons and ranks: warnings, rank sets by valid rules, columns."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING

import attrs
import numpy as np

from qeframe.assembly.compare import compare_by_valid_rules
from qeframe.assembly.places import add_columns
from qeframe.assembly.remarks_on_scores import (
    few_of,
    on_different_units,
    on_ends,
    on_ids,
    on_missing_intervals,
    on_negative_correlations,
    on_scores_of_parts,
    on_undefined,
    remarks_on_groups,
)
from qeframe.core.calls import Call, parse_call
from qeframe.core.comparison import Compared, ComparisonRules, comparison_rules, least_adjusted
from qeframe.core.contest import Contest
from qeframe.core.errors import counted
from qeframe.core.findings import Comparison, rank_sets
from qeframe.core.profile_checks import missing_capability
from qeframe.core.result import Evaluation, ScoredSubmission, ValidRules
from qeframe.core.significance import SignificanceTest, remarks_of, remarks_on_significant
from qeframe.core.task import UNRANKED

if TYPE_CHECKING:
    from qeframe.assembly.evaluate import Assembled


def add_remarks(evaluation: Evaluation, of: Assembled) -> Evaluation:
    """Return an evaluation with warnings, valid rank sets, and the aggregate over columns if asked for."""
    submissions, valid = evaluation.submissions, None
    found = compare_by_valid_rules(of)
    if found is not None and len(found[0].names) > 1:
        compared, _ = found
        of_valid = compared.rules
        valid = ValidRules(test=of_valid.test.name, sided=of_valid.side, correction=of_valid.correction.name)
        submissions = _set_rank_sets(submissions, compared)
    metrics = [entry.contest.metric for entry in of.board.entries] if of.resolved.parts else of.board.metrics
    signs = all(metric.vectors is None for metric in metrics)  # negative correlations are told anyway
    remarks = [*of.request.on_answers(of.board.tasks, of.board.names, signs=signs)]
    remarks += (_on_parts if of.resolved.parts else _on_tasks)(of, evaluation, valid)
    ranked_by = [pair for pair in evaluation.comparisons if pair.metric == evaluation.metrics[0]]
    remarks += on_untested_winners(submissions, ranked_by)
    warnings = tuple(dict.fromkeys(remarks))
    added = attrs.evolve(evaluation, submissions=submissions, warnings=warnings, valid_rules=valid)
    return add_columns(added, of.board, of.results, of.resolved)


def _on_tasks(of: Assembled, evaluation: Evaluation, valid: ValidRules | None) -> Iterator[str]:
    """Yield what limits the comparisons and the scores of tasks, and how their units depend."""
    yield from on_tests_of_tasks(of, evaluation.comparisons, valid)
    yield from on_undefined(of.board, of.results, evaluation.comparisons, of.request.registry)
    yield from on_missing_intervals(of.board.metrics, of.board.submissions, of.results)
    yield from on_negative_correlations(of.board, of.results)
    if of.rules is not None:
        yield from remarks_on_groups(of.board, of.resolved)


def _on_parts(of: Assembled, evaluation: Evaluation, valid: ValidRules | None) -> Iterator[str]:
    """Yield what limits the scores and the comparisons of a task set, and which units its parts have in common."""
    yield from on_scores_of_parts(of.board, of.resolved)
    yield from on_negative_correlations(of.board, of.results)
    ranked = [each for each in evaluation.submissions if each.kind not in UNRANKED]
    yield from on_ends(ranked, smooth=all(entry.contest.metric.smooth for entry in of.board.entries))
    yield from on_different_units(of.board, of.resolved)
    yield from on_ids(of.board)
    yield from on_tests_of_parts(of, evaluation.comparisons, valid)


def _set_rank_sets(submissions: Sequence[ScoredSubmission], compared: Compared) -> tuple[ScoredSubmission, ...]:
    """Return submissions with the rank sets that a comparison allows; None without a score."""
    low, high = rank_sets(compared.better)
    scored = ~np.isnan(compared.contest.oriented)
    sets = {name: (int(low[nth]), int(high[nth])) for nth, name in enumerate(compared.names) if scored[nth]}
    return tuple(attrs.evolve(submission, rank_set=sets.get(submission.name)) for submission in submissions)


def on_untested_winners(submissions: Sequence[ScoredSubmission], comparisons: Iterable[Comparison]) -> Iterator[str]:
    """Yield a warning for marked submissions whose difference from one at rank 1 could not be tested."""
    marked = [s for s in submissions if (s.winner if s.may_be_best is None else s.may_be_best)]
    first = {submission.name for submission in marked if submission.rank == 1}
    others = {submission.name for submission in marked} - first
    untested: dict[str, set[str]] = {}
    for pair in comparisons:
        if not pair.task and pair.p != pair.p:
            for name, other in ((pair.a, pair.b), (pair.b, pair.a)):
                if name in others and other in first:
                    untested.setdefault(pair.reason or "no reason is given", set()).add(name)
    for reason, names in untested.items():
        listed = ", ".join(sorted(names))
        differ = "differences could" if len(names) > 1 else "difference could"
        yield f"marked only because the {differ} not be tested: {listed}; {reason}"


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
            without = f"there is no score of {', '.join(dict.fromkeys(c.b for c in untested))}"
            why = without if len(untested) < len(family) or len(family) == 1 else "no two submissions have a score"
            yield (
                f"{len(untested)} of {counted(len(family), 'pair')}{f' on {task}' if task else ''} cannot be tested "
                f"and do not count in the correction: {why}"
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

    Result: empty if a difference can be significant, or could be after as many draws as are taken where one needs them.
    """
    least, correction = enumerated or (rules.test.least_p if drawn is None else drawn), rules.correction
    # where test and correction have drawn on, they have equally many draws
    joint = 0.0 if least < rules.test.least_p or pairs * metrics < 2 else correction.least_p
    corrected = least_adjusted(correction, max(least, joint), pairs, metrics) if pairs else 0.0
    if rules.significant(np.array([corrected])).any() or (not enumerated and rules.with_enough_draws(pairs, metrics)):
        return ""
    tiny = 1e-12
    draws = round(least_adjusted(correction, tiny, pairs, metrics) / tiny / rules.alpha)
    where = f" on {', '.join(tasks)}" if any(tasks) else ""
    of_test = f"the smallest p of {rules.test.name} is {least:.2g}, and " if least else "the smallest p is "
    together = counted(pairs, "pair") + (f" under {metrics} metrics" if metrics > 1 else "")
    drawing = rules.test if least >= joint else correction
    asked, remedy = parse_call(drawing.name), f"ask for at least {draws} draws"
    if drawing.more is not None or "draws" in asked.parameters:
        remedy += f": {Call(asked.name, {**asked.parameters, 'draws': draws})}"
    return (
        f"no difference can be significant{where}: {of_test}{corrected:.2g} with the correction '{correction.name}' of "
        f"{together}, alpha is {rules.alpha:g}; "
        f"{'all exchanges were enumerated: there are too few units' if enumerated else remedy}"
    )


def remarks_on_test(rules: ComparisonRules, contest: Contest) -> Iterator[str]:
    """Yield what limits the p-values on the data of one contest: what the test and the correction say of them."""
    yield from (f"'{rules.test.name}': {remark}" for remark in remarks_of(rules.test, contest, rules.side))
    of_correction = remarks_of(rules.correction, contest)
    yield from (f"'{rules.correction.name}': {remark}" for remark in of_correction)


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


def on_tests_of_tasks(of: Assembled, comparisons: Sequence[Comparison], valid: ValidRules | None) -> Iterator[str]:
    """Yield what limits the comparisons of tasks, and why there are no winners over several of them.

    `valid`: the rules of the rank sets, where those of the profile are not valid.
    """
    board, rules, overall = of.board, of.rules, of.whole.contests[0]
    if rules is None:
        return
    if not rules.works_on(overall):
        tests = of.request.registry.all(SignificanceTest)
        tests = [test for test in tests if not missing_capability(overall.metric, test)]
        able = [f"--set test={test.name}" for test in tests if attrs.evolve(rules, test=test).works_on(overall)]
        yield (
            f"there are no winners over all tasks: '{rules.test.name}' cannot compare aggregates, only each task; "
            f"{' or '.join(able) or 'no test of this metric'} can"
        )
    without_gold = {task.name for task in board.tasks if not task.has_gold}
    yield from remarks_on_family(rules, [c for c in comparisons if c.task not in without_gold])
    yield from remarks_on_validity(rules, valid)
    if len(board.entries) == 1:
        yield from remarks_on_test(rules, overall)
    else:
        for entry in board.entries:
            for remark in remarks_on_test(rules, entry.contest) if entry.tasks[0].has_gold else ():
                name, _, what = remark.partition(": ")
                yield f"{name} on {entry.name}: {what}"
    yield from remarks_on_claimed_pairs(rules, overall, [c for c in comparisons if not c.task])


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
    told = [
        f"{pair.a} and {pair.b} ({', '.join(f'{name} {_p_in_words(p)}' for name, p in pair.p_of.items())})"
        for pair in comparisons
        if _is_split(rules, pair, len(comparisons))
    ]
    if told:
        of_tests = f"'{rules.test.name}': of its tests, one alone is significant and the other not"
        yield f"{of_tests}: {few_of(told, 'other pair')}; few units decide, and --influence shows them"


def _is_split(rules: ComparisonRules, pair: Comparison, pairs: int) -> bool:
    """Return whether the p of a pair, corrected alike, lie on two sides of alpha by more than the error of draws.

    Where even the smallest p of the draws, corrected, is above alpha, the draws are too few: p must then lie so as they
    are too.
    """
    p, factor = np.array([*pair.p_of.values()]), max(pairs, pair.p_adjusted / pair.p) if pair.p > 0 else 1.0
    few_draws = not rules.significant(np.array([pair.least_p * factor])).any()
    on_two_sides = [len(set(rules.significant(p * by))) > 1 for by in ((factor, 1.0) if few_draws else (factor,))]
    return bool(len(p) and p.max() >= _APART * p.min() and all(on_two_sides))


def _p_in_words(p: float) -> str:
    return f"{p:.3f}" if p >= 0.0005 else "<0.001"


_APART = 1.5
"""By which factor two p on two sides of alpha differ at least: of 1,000 draws, p = .05 has a standard error of .007."""


_MOST_PAIRS = 3
"""The most pairs that a warning names."""


def on_tests_of_parts(of: Assembled, comparisons: Sequence[Comparison], valid: ValidRules | None) -> Iterator[str]:
    """Yield what limits the comparisons in the parts of a task set and of the overall scores.

    What tests say of the data comes once for all parts of which they say the same. Of what the rules control there is
    one sentence, on the test of the overall scores.
    """
    resolved, board = of.resolved, of.board
    is_mean = resolved.profile.overall == "mean"
    untested = [part.name for part in board.entries if part.weight and part.test is None]
    if untested and resolved.test is not None and is_mean:
        yield f"the overall scores are not compared: there is no test of {few_of(untested, 'other part')}"
    rules_of = {part.name: comparison_rules(resolved, part.test) for part in board.entries} | {"": of.rules}
    contests = {part.name: part.contest for part in board.entries} | {"": of.whole.contests[0]}
    for name in dict.fromkeys(comparison.task for comparison in comparisons):
        rules, family = rules_of[name], [comparison for comparison in comparisons if comparison.task == name]
        assert rules is not None, "compared, hence tested"
        yield from remarks_on_family(attrs.evolve(rules, adaptive=False), family)  # parts may not draw on
        for remark in remarks_on_claimed_pairs(rules, contests[name], family):
            yield f"{name}: {remark}" if name else remark
    if of.rules is not None:
        yield from remarks_on_validity(of.rules, valid)
        if resolved.profile.exchanges == "official" and is_mean:
            yield _EACH_BY_ITSELF
    parts_of: dict[str, list[str]] = {}
    for part in board.entries:
        if (rules := rules_of[part.name]) is not None:
            for remark in remarks_on_test(rules, part.contest):
                parts_of.setdefault(remark, []).append(part.name)
    for remark, names in parts_of.items():
        yield f"{few_of(names, 'other part')}: {remark}"


_EACH_BY_ITSELF = (
    "'exchanges=official' exchanges each part by itself, though parts are computed from the same scores: the "
    "false-positive rate of the overall test is .14 to .15, not .05 (two-sided, data as in wmt23_metrics); "
    "with 'exchanges=joint' and whole segments .05 to .06, but .55 where metrics have effects of their own on segments "
    "and systems"
)
