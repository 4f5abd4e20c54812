"""Score and compare the submissions of a scoreboard: in each task or part, over all of them, and by valid rules.

What computes more of an evaluation than that is given what was scored and compared.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING

import attrs
import numpy as np

from qeframe.assembly.places import Places, place
from qeframe.assembly.scoreboard import Entry, Scoreboard, scoreboard_of
from qeframe.core.comparison import (
    Compared,
    ComparisonRules,
    Scored,
    check_capability,
    compare_pairs,
    comparison_rules,
    details_of,
    score_contest,
)
from qeframe.core.component import StatisticError, failure_of, full_name
from qeframe.core.contest import UNIT_OF_SEVERAL_PARTS, Contest
from qeframe.core.errors import CapabilityError, counted
from qeframe.core.findings import Unit
from qeframe.core.profile_checks import by_valid_rules
from qeframe.core.registry import Registry
from qeframe.core.resolve import ResolvedProfile, resolve
from qeframe.core.runner import step
from qeframe.core.sample import Sample
from qeframe.core.statistic_stack import StatisticStack
from qeframe.core.task import Task
from qeframe.supplements.given import ComparedTask, Explain, SupplementInput, TaskScores

if TYPE_CHECKING:
    from qeframe.assembly.evaluate import Assembled

_MOST_WEIGHTS = 2**27
"""The largest number of weights times scores for which scores are computed without each unit: about 20 seconds."""


def score_entry(entry: Entry, nth: int, resolved: ResolvedProfile, explain: Explain | None = None) -> Scored:
    """Return the scores of a task or of a part with their intervals, where there is something to draw.

    `nth`: the score. `explain`: what adds to the details of primary scores of tasks.
    """
    contest = entry.contests[nth]
    test = resolved.interval_of(smooth=contest.smooth) if entry.resampled else None
    details = details_of(contest)
    if explain is not None and nth == 0 and entry.rule is None:
        (term,) = contest.terms
        scores = TaskScores(
            contest=contest,
            stack=term.sample.stack_of_units(term.nth),
            ids=term.sample.batches[0].ids,
            groups=term.sample.groups,
            unit_name=entry.tasks[0].unit_name,
        )
        try:
            details = [{**values, **more} for values, more in zip(details, explain(scores), strict=True)]
        except StatisticError as error:
            raise failure_of(full_name(term.metric), "score", error.cause) from error.cause
    return score_contest(contest, test, resolved.profile.confidence, details)


def compare_entries(
    resolved: ResolvedProfile, board: Scoreboard, overall: Contest, rules: ComparisonRules | None
) -> list[Compared | None]:
    """Compare all pairs in each task under the primary metric, or in each part; None for one without a test.

    What an entry has exchanged is collected for the contest over all before its memory is freed.

    `rules`: those of tasks; a part has a test of its own.
    """
    found: list[Compared | None] = []
    of_overall = {part.name: nth for nth, part in enumerate(overall.parts)}
    for number, entry in enumerate(board.entries, 1):
        own, compared = rules if entry.rule is None else comparison_rules(resolved, entry.test), None
        if own is not None:
            check_capability(entry.contest.metric, own.test)
            nth = of_overall.get(entry.name)
            is_summed = nth is not None and overall.parts[nth].swap is not None
            if is_summed:  # the overall score does not draw on, and its parts do not
                own = attrs.evolve(own, adaptive=False)
            with step(f"tests of {entry.name}, {number} of {len(board.entries)}"):
                name = entry.contest.metric.name
                compared = compare_pairs(entry.contest, entry.names, own, metric=name, task=entry.name)
            # of no use to a contest of some of the submissions, which has samples of its own
            same = nth is not None and overall.parts[nth].of.terms[0].sample is entry.contest.terms[0].sample
            if nth is not None and (is_summed or (same and not overall.is_sum)):
                overall.collect(nth)
            compared.finish()
        found.append(compared)
    return found


def compare_overall(resolved: ResolvedProfile, whole: Scoreboard, rules: ComparisonRules | None) -> Compared | None:
    """Compare all pairs of the complete submissions, `whole`; None if they cannot be compared over all.

    Raises CapabilityError if no test of this kind compares a sum over parts.
    """
    overall, names = whole.contests[0], whole.names
    if rules is None or (overall.is_sum and (resolved.profile.overall != "mean" or len(names) < 2)):
        return None
    if not overall.is_sum and not rules.works_on(overall):
        return None
    if overall.is_sum:
        if rules.test.needs not in {"exchange", "bind", "smooth"}:
            why = _WHY_NOT.get(rules.test.needs, _NO_VALUES)
            what = f"test '{rules.test.name}' cannot compare overall scores: {why}"
            raise CapabilityError(f"{what}; choose jackknife, bootstrap or a test of exchanges")
        if rules.test.needs == "exchange":
            if any(entry.test is None for entry in whole.entries if entry.weight):
                return None
            rules = attrs.evolve(rules, adaptive=False)
    return compare_pairs(overall, names, rules, metric=whole.scores[0])


_NO_VALUES = "they are no correlation and no mean of one value per unit"
_WHY_NOT = {"grid": "parts of one language pair share segments and systems, so that their variances do not add up"}
"""By what a test needs, why overall scores do not have it."""


def is_shown(resolved: ResolvedProfile, rules: ComparisonRules | None) -> bool:
    """Return whether there are clusters by other rules: those of the profile claim differences, some of them false."""
    return rules is not None and not rules.controls_any_error and bool(resolved.profile.valid.get("shown", True))


def valid_profile(
    resolved: ResolvedProfile, rules: ComparisonRules | None, registry: Registry
) -> ResolvedProfile | None:
    """Return a profile with its valid rules in place of its own; None where they are not shown."""
    if not is_shown(resolved, rules):
        return None
    valid = resolve(by_valid_rules(resolved.profile, registry), registry, reads=False)
    return attrs.evolve(valid, adaptive=resolved.adaptive)


def compare_by_valid_rules(of: Assembled) -> tuple[Compared, Places] | None:
    """Return the comparisons and the ranks by the valid rules of a profile; None where these are not shown or refused.

    Parts are bound to their tasks anew, since the valid rules may read and swap otherwise, unless they ask for what was
    not read.
    """
    whole, tasks, request = of.whole, of.tasks, of.request
    valid = valid_profile(of.resolved, of.rules, request.registry)
    chosen = None if valid is None else comparison_rules(valid, valid.test)
    if valid is None or chosen is None:
        return None
    try:
        if valid.parts:
            read = {task.selection for task in tasks}
            if valid.profile.overall != "mean" or any(part.rule.selection not in read for part in valid.parts):
                return None
            bound = scoreboard_of(valid, tasks, request.seed, request.runner, compared_with_all=request.alone)
            assert bound is not None, "parts that have no submission are refused"
            whole = bound.only_complete()
            for entry in whole.entries:
                if entry.weight and entry.test and entry.test.needs == "exchange":
                    check_capability(entry.contest.metric, entry.test)
        elif chosen.test.needs == "smooth" and not ((overall := whole.contests[0]).is_single or overall.smooth):
            return None  # such as ranks, which are steps
        compared = compare_overall(valid, whole, chosen)
    except CapabilityError:
        return None
    if compared is None or compared.is_untested:
        return None
    return compared, place(valid.ranking, whole.contests[0].oriented, compared, None, is_tested=True)


def compare_tasks(
    resolved: ResolvedProfile,
    board: Scoreboard,
    in_tasks: Sequence[Compared | None],
    rules: ComparisonRules | None,
    registry: Registry,
) -> list[ComparedTask]:
    """Return the submissions of each task under the primary metric, and which is better than which.

    `in_tasks`: their comparisons by the rules of the profile, which are `rules`; None without a test.
    """
    profile = valid_profile(resolved, rules, registry)
    valid = None if profile is None else comparison_rules(profile, profile.test)
    found = list[ComparedTask]()
    for entry, compared in zip(board.entries, in_tasks, strict=True):
        names, by_valid = list(entry.names), None
        with suppress(CapabilityError):
            if valid is not None:
                of_valid = compare_pairs(entry.contest, names, valid, metric=board.metrics[0].name)
                by_valid = None if of_valid.is_untested else of_valid.better
        found.append(
            ComparedTask(
                name=entry.name,
                submissions=names,
                contest=entry.contest,
                groups=entry.tasks[0].groups,
                better=None if compared is None or compared.is_untested else compared.better,
                valid=by_valid,
            )
        )
    return found


def describe_units(tasks: Sequence[Task], samples: Sequence[Sample]) -> Callable[[int], Unit]:
    """Return a function from the position of a unit that is resampled, task after task, to what it is.

    `samples`: of the same tasks.
    """
    starts = np.cumsum([0, *(sample.stack.units for sample in samples)])

    def describe(position: int) -> Unit:
        nth = int(np.searchsorted(starts, position, side="right")) - 1
        task, sample, inside = tasks[nth], samples[nth], position - int(starts[nth])
        name = task.name if len(tasks) > 1 else ""
        if sample.grouping is not None:
            return Unit(task=name, name=sample.grouping[1][inside])
        return Unit(task=name, name=task.unit_name(sample.batches[0].ids[inside]), texts=task.contents(inside))

    return describe


def whole_evaluation(whole: Scoreboard, rules: ComparisonRules | None, alpha: float) -> SupplementInput:
    """Return what functions of an evaluation are given, from its complete submissions.

    A unit of several parts has no name.
    """
    overall, samples = whole.contests[0], [term.sample for term in whole.contests[0].terms]
    of_parts = overall.is_sum
    return SupplementInput(
        contest=overall,
        submissions=whole.names,
        metric=whole.scores[0],
        unit="unit" if of_parts else samples[0].stack.unit,
        describe=(lambda position: Unit(name=str(position))) if of_parts else describe_units(whole.tasks, samples),
        rules=rules,
        alpha=alpha,
        not_left_out=UNIT_OF_SEVERAL_PARTS if of_parts else _say_too_much([sample.stack for sample in samples]),
    )


def _say_too_much(stacks: Sequence[StatisticStack]) -> str:
    """Return why scores are not computed without each unit; empty if they are."""
    weights = sum(stack.units**2 * stack.recomputed for stack in stacks)
    if weights <= _MOST_WEIGHTS:
        return ""
    units = counted(sum(stack.units for stack in stacks), "unit")
    return f"a metric that is not additive would be computed again without each of {units}, which takes too long"
