"""The evaluation of a task set: scores, tests, ranks and intervals of all parts, and of the overall score."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import attrs
import numpy as np

from qeframe.additions.all_additions import on_untested_winners
from qeframe.core.batches.base import BoolArray, FloatArray, IntArray
from qeframe.core.components.checks.ranking import rank
from qeframe.core.components.checks.significance import interval, interval_details
from qeframe.core.components.loading.registry import Registry
from qeframe.core.components.ranking import Ranking, RankingInput, RankingRule
from qeframe.core.components.supplement import Supplement, SupplementInput, Unit
from qeframe.core.errors import CapabilityError
from qeframe.core.evaluation.compared_pair import Comparison, rank_sets
from qeframe.core.evaluation.compared_tasks import is_shown
from qeframe.core.evaluation.comparison import compare_pairs
from qeframe.core.evaluation.comparison_rules import ComparisonRules, check_capability, comparison_rules
from qeframe.core.evaluation.contest import UNIT_OF_SEVERAL_PARTS, Contest
from qeframe.core.evaluation.result import Evaluation, PartScore, Result, ScoredPart, ScoredSubmission, ValidClusters
from qeframe.core.evaluation.run import EvaluationRequest, evaluation_of, sorted_by_rank
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
    ranking = _ranking(valid.ranking, overall.oriented, compared, names, None)
    tested = bool(compared) and not _all_undefined(compared)
    return ValidClusters(
        test=rules.test.name,
        sided=rules.side,
        correction=rules.correction.name,
        ranking=valid.ranking.name,
        clusters={name: (int(ranking.cluster[i]) or None) if tested else None for i, name in enumerate(names)},
    )


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
) -> tuple[ScoredPart, list[Result], list[Comparison]]:
    """Score and test one part; its exchanges are collected for the overall score if it has a weight there."""
    names = tuple(dict.fromkeys(s.name for task in part.tasks for s in task.batches))
    rules, comparisons = comparison_rules(resolved, part.test), list[Comparison]()
    if rules is not None:
        check_capability(part.metric, rules.test)
        of_sum = {of.name: nth for nth, of in enumerate(overall.parts) if of.swap is not None}
        if part.name in of_sum:
            rules = attrs.evolve(rules, adaptive=False)  # all parts have as many draws
        comparisons = compare_pairs(part.contest, names, rules, metric=part.metric.name, task=part.name)
        if part.name in of_sum:
            overall.collect(of_sum[part.name])
    part.contest.release_exchanges()
    low, high, draws = _ends(resolved, part.contest if part.resampled else None, len(names))
    higher, values = part.contest.sign > 0, part.contest.sign * part.contest.oriented
    low, high = (low, high) if higher else (-high, -low)
    limits = _limits(resolved, part.contest, resampled=part.resampled)
    results = [
        Result(value=float(value), low=float(low[i]), high=float(high[i]), details=limits[i])
        for i, value in enumerate(values)
    ]
    ranking = _ranking(resolved.ranking, part.contest.oriented, comparisons, names, draws)
    tested = rules is not None and not _all_undefined(comparisons)
    scored = ScoredPart(
        name=part.name,
        metric=part.metric.name,
        pairs=part.pairs,
        level=part.rule.level,
        selection=part.rule.selection,
        weight=part.weight,
        scale=part.scale,
        higher_is_better=higher,
        test=part.test.name if part.test else "",
        samples=samples,
        submissions={
            name: PartScore(
                value=result.value,
                low=result.low,
                high=result.high,
                rank=int(ranking.rank[i]),
                cluster=(int(ranking.cluster[i]) or None) if tested else None,
            )
            for i, (name, result) in enumerate(zip(names, results, strict=True))
        },
    )
    return scored, results, comparisons


def _all_undefined(comparisons: Sequence[Comparison]) -> bool:
    """Return whether the test is undefined for every pair with both scores, and there is such a pair."""
    scored = [comparison for comparison in comparisons if not np.isnan(comparison.difference)]
    return bool(scored) and all(np.isnan(comparison.p) for comparison in scored)


def _adds_exchanges(resolved: ResolvedProfile) -> bool:
    """Return whether the overall scores are tested by the exchanges of all parts, if their tests have some."""
    return resolved.profile.overall == "mean" and resolved.test is not None


def _ends(
    resolved: ResolvedProfile, contest: Contest | None, submissions: int
) -> tuple[FloatArray, FloatArray, FloatArray | None]:
    """Return the ends of the intervals of oriented scores and their draws; none if nothing can be drawn."""
    chosen = None if contest is None else resolved.interval_of(smooth=contest.smooth)
    if contest is None or chosen is None or chosen.interval is None:
        undefined = np.full(submissions, np.nan)
        return undefined, undefined, None
    return interval(chosen, contest, resolved.profile.confidence)


def _limits(resolved: ResolvedProfile, contest: Contest, *, resampled: bool) -> Sequence[Mapping[str, Any]]:
    """Return the details of each score that say what its interval does not promise."""
    return interval_details(resolved.interval_of(smooth=contest.smooth) if resampled else None, contest)


def _better(comparisons: Sequence[Comparison], names: Sequence[str]) -> BoolArray:
    """Return which submission is significantly better than which, (S, S)."""
    position = {name: i for i, name in enumerate(names)}
    better = np.zeros((len(names), len(names)), dtype=np.bool_)
    for comparison in comparisons:
        better[position[comparison.a], position[comparison.b]] = comparison.significant
    return better


def _ranking(
    rule: RankingRule,
    oriented: FloatArray,
    comparisons: Sequence[Comparison],
    names: Sequence[str],
    draws: FloatArray | None,
) -> Ranking:
    return rank(rule, RankingInput(oriented=oriented, better=_better(comparisons, names), draws=draws))


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
        ranking = _ranking(resolved.ranking, -values, [], names, None)
        undefined = np.full(len(names), np.nan)
        return list(_ranked(resolved, task_set, results, values, (undefined, undefined), ranking, tested=False)), []
    rules = comparison_rules(resolved, resolved.test, supplements=supplements)
    comparisons = _compared(task_set, overall, names, rules)
    resampled = all(part.resampled for part in task_set.parts if part.weight)
    low, high, draws = _ends(resolved, overall if resampled else None, len(names))
    limits = _limits(resolved, overall, resampled=resampled)
    ranking = _ranking(resolved.ranking, overall.oriented, comparisons, names, draws)
    tested = bool(comparisons) and not _all_undefined(comparisons)
    sets = rank_sets(_better(comparisons, names)) if tested and rules is not None and rules.controls_any_error else None
    scored = _ranked(
        resolved, task_set, results, overall.oriented, (low, high), ranking, tested=tested, sets=sets, limits=limits
    )
    return list(scored), comparisons


def _compared(
    task_set: TaskSet, overall: Contest, names: Sequence[str], rules: ComparisonRules | None
) -> list[Comparison]:
    """Compare the overall scores of all pairs; none if a part has no test whose exchanges they need."""
    if rules is None or len(names) < 2:
        return []
    if rules.test.needs not in {"exchange", "bind", "smooth"}:
        raise CapabilityError(
            f"test '{rules.test.name}' cannot compare overall scores: {_WHY_NOT.get(rules.test.needs, _NO_VALUES)}; "
            "choose jackknife, bootstrap or a test of exchanges"
        )
    if rules.test.needs == "exchange":
        if any(part.test is None for part in task_set.parts if part.weight):
            return []
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
    resolved: ResolvedProfile,
    task_set: TaskSet,
    results: Sequence[Sequence[Result]],
    values: FloatArray,
    ends: tuple[FloatArray, FloatArray],
    ranking: Ranking,
    *,
    tested: bool,
    sets: tuple[IntArray, IntArray] | None = None,
    limits: Sequence[Mapping[str, Any]] = (),
) -> Iterator[ScoredSubmission]:
    by_part: list[dict[str, Result]] = [{} for _ in task_set.submissions]
    for part, of_part in zip(task_set.parts, results, strict=True):
        for position, result in zip(part.positions, of_part, strict=True):
            by_part[position][part.name] = result
    complete = complete_positions(task_set)
    for i, position in enumerate(complete):
        submission, of_parts = task_set.submissions[position], by_part[position]
        low, high, details = float(ends[0][i]), float(ends[1][i]), limits[i] if limits else {}
        whole = Result(value=float(values[i]), low=low, high=high, details=details, tasks=of_parts)
        yield ScoredSubmission(
            name=submission.name,
            kind=submission.kind,
            scores={OVERALL: whole},
            rank=int(ranking.rank[i]),
            cluster=(int(ranking.cluster[i]) or None) if tested else None,
            rank_shares=() if ranking.shares is None else tuple(map(float, ranking.shares[i])),
            rank_set=None if sets is None else (int(sets[0][i]), int(sets[1][i])),
        )
    rule = resolved.profile.partial
    for position in np.setdiff1d(np.arange(len(task_set.submissions)), complete):
        yield apart_over_parts(rule, task_set, int(position), by_part[position], values)
