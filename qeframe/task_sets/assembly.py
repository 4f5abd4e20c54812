"""The evaluation of a task set: scores, tests, ranks and intervals of all parts, and of the overall score."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import attrs
import numpy as np

from qeframe.additions.all_additions import on_untested_winners
from qeframe.core.batches.base import FloatArray
from qeframe.core.components.loading.registry import Registry
from qeframe.core.components.supplement import Supplement, SupplementInput, Unit
from qeframe.core.errors import CapabilityError
from qeframe.core.evaluation.compared_pair import Comparison
from qeframe.core.evaluation.compared_tasks import is_shown
from qeframe.core.evaluation.comparison import Compared, compare_pairs
from qeframe.core.evaluation.comparison_rules import ComparisonRules, check_capability, comparison_rules
from qeframe.core.evaluation.contest import UNIT_OF_SEVERAL_PARTS, Contest
from qeframe.core.evaluation.places import Places, place, sorted_by_rank, valid_clusters
from qeframe.core.evaluation.result import Evaluation, PartScore, Result, ScoredPart, ScoredSubmission, ValidClusters
from qeframe.core.evaluation.run import EvaluationRequest, evaluation_of
from qeframe.core.evaluation.scored import Scored, details_of, score_contest
from qeframe.core.evaluation.signature import make_signature
from qeframe.core.profiles.defaults import by_valid_rules
from qeframe.core.profiles.resolved import ResolvedProfile, resolve
from qeframe.core.profiles.schema import OVERALL
from qeframe.core.resampling.parallel import Runner
from qeframe.core.tasks.task import Task, check_task_names
from qeframe.task_sets.overall import apart_over_parts, complete_positions, overall_contest, ranked_alone
from qeframe.task_sets.parts import Part, TaskSet, bind_task_set, sample_names
from qeframe.task_sets.remarks import remarks_on_task_set


def evaluate_task_set(resolved: ResolvedProfile, tasks: Sequence[Task], request: EvaluationRequest) -> Evaluation:
    """Evaluate tasks by a profile with parts; no file is read or written.

    Raises DataError if the parts cannot be computed on the tasks. Raises CapabilityError if a test cannot be run on a
    part, or on the overall score.
    """
    check_task_names(tasks)
    seed, registry, runner = request.seed, request.registry, request.runner
    ranked_tasks = [task.only(lambda s: s.is_ranked) for task in tasks]
    unranked_tasks = [task.only(lambda s: not s.is_ranked) for task in tasks]
    task_set = bind_task_set(resolved, ranked_tasks, seed, runner, compared_with_all=request.alone)
    overall = overall_contest(
        task_set, complete_positions(task_set), exchanged=_adds_exchanges(resolved), compared_with_all=request.alone
    )
    samples = sample_names(task_set.parts)
    scored = [_scored_part(part, of, resolved, overall) for part, of in zip(task_set.parts, samples, strict=True)]
    parts, results = [part for part, _, _ in scored], [of_part for _, of_part, _ in scored]
    comparisons = [comparison for _, _, of_part in scored for comparison in of_part]
    ranked, whole = _overall(resolved, task_set, overall, parts, results, request.of_pairs)
    valid = _valid_clusters(resolved, ranked_tasks, seed, registry, runner)
    entered = ranked_alone(resolved, unranked_tasks, task_set, overall.oriented, seed, runner)
    for sample in {id(term.sample): term.sample for part in task_set.parts for term in part.contest.terms}.values():
        sample.check_repeated()
    return evaluation_of(
        resolved.profile,
        {OVERALL: True},
        higher_is_better={OVERALL: resolved.profile.overall == "mean"},
        signature=make_signature(resolved, tasks, seed, registry),
        submissions=sorted_by_rank([*ranked, *entered], OVERALL, 1.0 if resolved.profile.overall == "mean" else -1.0),
        comparisons=(*whole, *comparisons),
        tasks={part.name: _counts(part) for part in task_set.parts},
        dropped=tuple(dict.fromkeys([*(entry for task in tasks for entry in task.dropped), *task_set.dropped])),
        warnings=tuple(
            dict.fromkeys(
                [
                    *remarks_on_task_set(task_set, overall, resolved, [*whole, *comparisons], ranked, valid),
                    *on_untested_winners(ranked, whole),
                ]
            )
        ),
        parts=tuple(parts),
        valid_clusters=valid,
        supplements=request.of_evaluation(_supplement_input(resolved, task_set, overall)),
    )


def _valid_clusters(
    resolved: ResolvedProfile, tasks: Sequence[Task], seed: int, registry: Registry, runner: Runner
) -> ValidClusters | None:
    """Return the clusters of overall scores by the valid rules; None also where tasks are not read as they ask."""
    if resolved.profile.overall != "mean" or not is_shown(resolved, comparison_rules(resolved, resolved.test)):
        return None
    valid = resolve(by_valid_rules(resolved.profile, registry), registry, reads=False)
    valid = attrs.evolve(valid, adaptive=resolved.adaptive)
    rules, read = comparison_rules(valid, valid.test), {task.selection for task in tasks}
    if rules is None or any(part.rule.selection not in read for part in valid.parts):
        return None
    try:
        task_set = bind_task_set(valid, tasks, seed, runner)
        overall = overall_contest(task_set, complete_positions(task_set), exchanged=_adds_exchanges(valid))
        for part in task_set.parts:
            if part.weight and part.test is not None and part.test.needs == "exchange":
                check_capability(part.metric, part.test)
        names = [task_set.submissions[i].name for i in complete_positions(task_set)]
        compared = _compared(task_set, overall, names, rules)
    except CapabilityError:
        return None
    return None if compared is None else valid_clusters(valid, compared, is_tested=not compared.is_undefined)


def _supplement_input(resolved: ResolvedProfile, task_set: TaskSet, overall: Contest) -> SupplementInput:
    """Return what supplements of overall scores are given: a unit belongs to several parts, and has no name."""
    return SupplementInput(
        contest=overall,
        submissions=[task_set.submissions[i].name for i in complete_positions(task_set)],
        metric=OVERALL,
        unit="unit",
        describe=lambda position: Unit(name=str(position)),
        rules=comparison_rules(resolved, resolved.test),
        alpha=resolved.profile.alpha,
        not_left_out=UNIT_OF_SEVERAL_PARTS,
    )


def _scored_part(
    part: Part, samples: tuple[str, ...], resolved: ResolvedProfile, overall: Contest
) -> tuple[ScoredPart, list[Result], Sequence[Comparison]]:
    """Score and test one part; its exchanges are collected for the overall score if it has a weight there."""
    names = tuple(dict.fromkeys(s.name for task in part.tasks for s in task.batches))
    rules, compared = comparison_rules(resolved, part.test), None
    if rules is not None:
        check_capability(part.metric, rules.test)
        of_sum = {of.name: nth for nth, of in enumerate(overall.parts) if of.swap is not None}
        if part.name in of_sum:
            rules = attrs.evolve(rules, adaptive=False)  # the overall score does not draw on, and its parts do not
        compared = compare_pairs(part.contest, names, rules, metric=part.metric.name, task=part.name)
        if part.name in of_sum:
            overall.collect(of_sum[part.name])
    part.contest.release_exchanges()
    scores = _score(resolved, part.contest, details_of(part.contest), resampled=part.resampled)
    tested = compared is not None and not compared.is_undefined
    places = place(resolved.ranking, part.contest.oriented, compared, scores.draws, is_tested=tested)
    results = scores.results
    scored = ScoredPart(
        name=part.name,
        metric=part.metric.name,
        pairs=part.pairs,
        level=part.rule.level,
        selection=part.rule.selection,
        weight=part.weight,
        scale=part.scale,
        higher_is_better=part.contest.sign > 0,
        test=part.test.name if part.test else "",
        samples=samples,
        submissions={
            name: PartScore(
                value=result.value,
                low=result.low,
                high=result.high,
                rank=int(places.ranking.rank[i]),
                cluster=places.cluster(i),
            )
            for i, (name, result) in enumerate(zip(names, results, strict=True))
        },
    )
    return scored, results, () if compared is None else compared.comparisons


def _adds_exchanges(resolved: ResolvedProfile) -> bool:
    """Return whether the overall scores are tested by the exchanges of all parts, if their tests have some."""
    return resolved.profile.overall == "mean" and resolved.test is not None


def _score(
    resolved: ResolvedProfile, contest: Contest, details: Sequence[Mapping[str, Any]] = (), *, resampled: bool
) -> Scored:
    """Return scores with intervals, where there is something to draw."""
    chosen = resolved.interval_of(smooth=contest.smooth) if resampled else None
    return score_contest(contest, chosen, resolved.profile.confidence, details)


def _counts(part: Part) -> dict[str, int]:
    """Return what the reader counted in the tasks of a part."""
    counts: dict[str, int] = {}
    for task in part.tasks:
        for what, count in task.counts.items():
            counts[what] = counts.get(what, 0) + count
    return counts


def _overall(
    resolved: ResolvedProfile,
    task_set: TaskSet,
    overall: Contest,
    parts: Sequence[ScoredPart],
    results: Sequence[Sequence[Result]],
    supplements: Sequence[Supplement],
) -> tuple[list[ScoredSubmission], list[Comparison]]:
    """Return the submissions with their overall scores and ranks, and the comparisons of overall scores."""
    complete = complete_positions(task_set)
    names = [task_set.submissions[i].name for i in complete]
    if resolved.profile.overall == "cluster_ranks":
        values = _cluster_ranks(task_set, parts)[complete]
        undefined = np.full(len(names), np.nan)
        scores = Scored(values=values, low=undefined, high=undefined, details=[{}] * len(names), draws=None)
        places = place(resolved.ranking, -values, None, None, is_tested=False)
        return list(_ranked(resolved, task_set, results, scores, places)), []
    rules = comparison_rules(resolved, resolved.test, supplements=supplements)
    compared = _compared(task_set, overall, names, rules)
    scores = _score(resolved, overall, resampled=all(part.resampled for part in task_set.parts if part.weight))
    tested = compared is not None and len(compared.adjusted) > 0 and not compared.is_undefined
    places = place(resolved.ranking, overall.oriented, compared, scores.draws, is_tested=tested)
    scored = list(_ranked(resolved, task_set, results, scores, places))
    return scored, [] if compared is None else list(compared.comparisons)


def _compared(
    task_set: TaskSet, overall: Contest, names: Sequence[str], rules: ComparisonRules | None
) -> Compared | None:
    """Compare the overall scores of all pairs; None if a part has no test whose exchanges they need."""
    if rules is None or len(names) < 2:
        return None
    if rules.test.needs not in {"exchange", "bind", "smooth"}:
        raise CapabilityError(
            f"test '{rules.test.name}' cannot compare overall scores: {_WHY_NOT.get(rules.test.needs, _NO_VALUES)}; "
            "choose jackknife, bootstrap or a test of exchanges"
        )
    if rules.test.needs == "exchange":
        if any(part.test is None for part in task_set.parts if part.weight):
            return None
        rules = attrs.evolve(rules, adaptive=False)
    return compare_pairs(overall, names, rules, metric=OVERALL)


_NO_VALUES = "they are no correlation and no mean of one value per unit"
_WHY_NOT = {"grid": "parts of one language pair share segments and systems, so that their variances do not add up"}
"""By what a test needs, why overall scores do not have it."""


def _cluster_ranks(task_set: TaskSet, parts: Sequence[ScoredPart]) -> FloatArray:
    """Return the weighted mean of the clusters of each submission in all parts; undefined without one in a part."""
    total = np.zeros(len(task_set.submissions))
    for part, scored in zip(task_set.parts, parts, strict=True):
        clusters = np.full(len(total), np.nan)
        clusters[part.positions] = [score.cluster or np.nan for score in scored.submissions.values()]
        total += part.weight * clusters if part.weight else 0.0
    return total


def _ranked(
    resolved: ResolvedProfile, task_set: TaskSet, results: Sequence[Sequence[Result]], scores: Scored, places: Places
) -> Iterator[ScoredSubmission]:
    by_part: list[dict[str, Result]] = [{} for _ in task_set.submissions]
    for part, of_part in zip(task_set.parts, results, strict=True):
        for position, result in zip(part.positions, of_part, strict=True):
            by_part[position][part.name] = result
    complete = complete_positions(task_set)
    for i, (position, result) in enumerate(zip(complete, scores.results, strict=True)):
        submission, whole = task_set.submissions[position], attrs.evolve(result, tasks=by_part[position])
        yield places.submission(i, submission, {OVERALL: whole}, {})
    rule = resolved.profile.partial
    for position in np.setdiff1d(np.arange(len(task_set.submissions)), complete):
        yield apart_over_parts(rule, task_set, int(position), by_part[position], scores.values)
