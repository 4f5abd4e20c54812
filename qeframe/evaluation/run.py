"""Evaluate the submissions of a shared task by the rules of a profile."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from os import PathLike

import attrs
import numpy as np

from qeframe.batches.base import Batch, BoolArray, FloatArray
from qeframe.components.attack import Attack
from qeframe.components.checks.metric import check_repeatable
from qeframe.components.checks.ranking import rank
from qeframe.components.checks.tampering import nothing_replaced, untouched
from qeframe.components.loading.loader import load
from qeframe.components.loading.registry import Registry
from qeframe.components.ranking import RankingInput, RankingRule, rank_sets
from qeframe.errors import DataError
from qeframe.evaluation.column_ranks import with_columns
from qeframe.evaluation.comparable_in_task import ComparableInTask
from qeframe.evaluation.comparison import better_of, compare_pairs
from qeframe.evaluation.comparison_rules import ComparisonRules, check_capability, comparison_rules, detectable_under
from qeframe.evaluation.remarks import remarks_on_evaluation, works_across
from qeframe.evaluation.result import Comparison, Evaluation, Result, ScoredSubmission
from qeframe.evaluation.scoreboard import Scoreboard, scoreboard_of
from qeframe.evaluation.signature import make_signature
from qeframe.evaluation.submissions.attacks import enter_attacks, ranked_attacks
from qeframe.evaluation.submissions.read import as_tasks, check_answered, choose_profile, read_tasks
from qeframe.evaluation.supplements.detectable import Detectable
from qeframe.evaluation.supplements.requests import Requests, requests_of
from qeframe.evaluation.task_sets.assembly import evaluate_task_set
from qeframe.evaluation.valid_clusters import valid_clusters_of
from qeframe.profiles.resolved import ResolvedProfile, resolve
from qeframe.profiles.schema import Profile
from qeframe.profiles.unmatched import with_names_of_tasks
from qeframe.resampling.draws import checked_seed
from qeframe.resampling.parallel import Runner
from qeframe.tasks.task import UNRANKED, Submission, Task, check_task_names

__all__ = ["evaluate", "in_order", "ranked"]


def evaluate(
    profile: str | PathLike[str] | Profile,
    task: str | PathLike[str] | Task | Sequence[Task],
    *,
    settings: Sequence[str] = (),
    attacks: bool | Sequence[str | Attack] = (),
    explain: bool = False,
    equivalence: float | None = None,
    detectable: bool | float = False,
    influence: int = 0,
    seed: int = 0,
    registry: Registry | None = None,
    runner: Runner | None = None,
) -> Evaluation:
    """Evaluate all submissions of a shared task by the rules of a profile.

    Parameters
    ----------
    profile : str, path or Profile
        A registered name, the path of a TOML file, or a profile made by hand.
    task : path, Task, or sequence of Task
        A path with the files that the profile's reader expects; or tasks, read by `read_tasks` or made by hand. Several
        tasks (language pairs) are evaluated one by one and combined.
    settings : sequence of str
        Changed rules, ``KEY=VALUE`` each: see `change_profile`.
    attacks : bool or sequence of str or Attack
        Attacks to enter as submissions of the kind "attack": see `enter_attacks`. True enters all attacks of the
        registry.
    explain : bool
        Whether the details of primary scores have an explanation: the score in every slice, and the units that lower
        the score most. It can take longer than the scores themselves.
    equivalence : float, optional
        The smallest difference that matters. Every comparison then says whether the pair is equivalent.
    detectable : bool or float
        Whether the result has the smallest differences that could have been detected with a chance of .8, or with the
        chance that is given.
    influence : int
        How many units the result has that change the winner, and that move each score most; 0 for none.
    seed : int
        Equal seeds give equal evaluations, for any number of workers.
    registry : Registry, optional
        By default all installed plugins.
    runner : Runner, optional
        Runs the computation and reports its progress.

    Returns
    -------
    Evaluation
        An attack among the submissions has a score, and the rank that it takes when it is entered alone. Attacks do not
        change the ranks, comparisons and clusters of other submissions.

    Raises
    ------
    UnknownNameError, ProfileError
        If there is no such profile, or its rules contradict each other.
    DataError, CapabilityError
        If a file or a value cannot be used, or the rules do not apply to the task.
    """
    seed = checked_seed(seed)
    requests = requests_of(equivalence=equivalence, detectable=detectable, influence=influence)
    known = registry or load()
    chosen = choose_profile(profile, settings, known)
    if isinstance(task, (str, PathLike)):
        resolved = resolve(chosen, known)
        tasks = read_tasks(resolved, task, runner=runner)
        check_answered(tasks, task)
    else:
        resolved, tasks = resolve(chosen, known, reads=False), as_tasks(task)
    if attacks:
        tasks = enter_attacks(tasks, _attacks(attacks, known), seed=seed)
    origins = [plugin.origin for plugin in known.plugins]
    with nothing_replaced(*origins), untouched(_named_batches(tasks), origins):
        return _evaluate(resolved, tasks, seed, known, runner or Runner(), explain=explain, requests=requests)


def _named_batches(tasks: Sequence[Task]) -> dict[str, Batch]:
    """Return all batches of tasks, by what messages call them."""
    return {
        f"'{submission.name}' in task '{task.name}'": batch
        for task in tasks
        for submission, batch in task.batches.items()
    }


def _attacks(attacks: object, registry: Registry) -> list[Attack]:
    """Return the attacks that were asked for by name, by component, or all of them."""
    if attacks is True:
        return registry.all(Attack)
    if isinstance(attacks, str) or not isinstance(attacks, Iterable):
        raise DataError(f"attacks cannot be {attacks!r}", remedy="give True, or a list of names or of attacks")
    return [registry.get(Attack, attack) for attack in attacks]


def _evaluate(
    resolved: ResolvedProfile,
    tasks: Sequence[Task],
    seed: int,
    registry: Registry,
    runner: Runner,
    *,
    explain: bool,
    requests: Requests,
) -> Evaluation:
    """Evaluate tasks; no file is read or written."""
    if resolved.parts:
        return evaluate_task_set(resolved, tasks, seed=seed, registry=registry, runner=runner, requests=requests)
    check_task_names(tasks)
    stated = resolved
    resolved, absent = with_names_of_tasks(resolved, [task.name for task in tasks])
    profile, metrics = resolved.profile, resolved.metrics
    rules = comparison_rules(resolved, resolved.test, equivalence=requests.equivalence)
    if rules:
        check_capability(metrics[0], rules.test)
    real = scoreboard_of(resolved, _honest(tasks), seed, runner, explained=explain)
    attacks = scoreboard_of(resolved, _attacking(tasks), seed, runner, explained=explain)
    without = Evaluation(
        profile=profile.name,
        title=profile.title,
        primary=metrics[0].name,
        metrics=tuple(m.name for m in metrics),
        higher_is_better={m.name: m.higher_is_better for m in metrics},
        higher_in_tasks={m.name: m.higher_is_better for m in metrics},
        signature=make_signature(stated, tasks, seed, registry),
        submissions=(),
        comparisons=(),
        tasks={task.name: dict(task.counts) for task in tasks},
        dropped=(*(entry for task in tasks for entry in task.dropped), *absent),
        warnings=("there is no submission to evaluate: only the counts of the gold are reported",),
        unconfirmed=stated.profile.unconfirmed,
    )
    if real is None and any(task.counts for task in tasks):
        return without
    if real is None:
        raise DataError("there is no submission to evaluate", remedy="give a task with submissions")
    for metric in metrics:
        check_repeatable(metric, next(iter(real.tasks[0].batches.values())))
    results = [_by_task(real.results(nth), real, tasks) for nth in range(len(metrics))]
    comparisons, better = _comparisons(real, rules, runner)
    by_rank = ranked(
        real.submissions,
        {metric.name: of_metric for metric, of_metric in zip(metrics, results, strict=True)},
        resolved.ranking,
        real.comparables[0].oriented,
        real.draws(0),
        better,
        sets=rules is not None and rules.controls_any_error,
        tasks=real.tasks,
    )
    valid = valid_clusters_of(resolved, real, rules, registry)
    scored = attrs.evolve(
        without,
        higher_is_better={m.name: c.higher_is_better for m, c in zip(metrics, real.comparables, strict=True)},
        submissions=in_order([*by_rank, *ranked_attacks(attacks, real)], metrics[0].name, real.comparables[0].sign),
        comparisons=tuple(comparisons),
        warnings=tuple(remarks_on_evaluation(real, rules, results, comparisons, registry, valid)),
        valid_clusters=valid,
        detectable=_detectable(real, rules, profile, requests),
        influence=real.influence(requests.influence) if requests.influence else None,
    )
    for scored_task in real.scored_tasks:
        scored_task.check_repeated()
    return scored if resolved.across_columns is None else with_columns(scored, real, results, resolved)


def _detectable(
    scoreboard: Scoreboard, rules: ComparisonRules | None, profile: Profile, requests: Requests
) -> Detectable | None:
    """Return the smallest differences that could have been detected; None if they were not asked for."""
    if requests.power is None:
        return None
    names = [submission.name for submission in scoreboard.submissions]
    return detectable_under(rules, profile.alpha, scoreboard.comparables[0], names, requests.power)


def in_order(submissions: Iterable[ScoredSubmission], metric: str, sign: float) -> tuple[ScoredSubmission, ...]:
    """Return submissions by rank, then by score, so that one that is not ranked precedes those that it beats."""

    def order(submission: ScoredSubmission) -> tuple[float, float, bool, str]:
        oriented = sign * submission.scores[metric].value
        descending = math.inf if np.isnan(oriented) else -oriented
        return submission.rank, descending, submission.kind in UNRANKED, submission.name

    return tuple(sorted(submissions, key=order))


def _by_task(results: list[Result], scoreboard: Scoreboard, tasks: Sequence[Task]) -> list[Result]:
    """Return results with an entry for each task, also if only one of several tasks has submissions."""
    if len(scoreboard.tasks) > 1 or len(tasks) == 1:
        return results
    return [attrs.evolve(result, tasks={scoreboard.tasks[0].name: result}) for result in results]


def _honest(tasks: Sequence[Task]) -> list[Task]:
    return [task.only(lambda s: s.is_ranked) for task in tasks]


def _attacking(tasks: Sequence[Task]) -> list[Task]:
    return [task.only(lambda s: not s.is_ranked) for task in tasks]


def _comparisons(
    scoreboard: Scoreboard, rules: ComparisonRules | None, runner: Runner
) -> tuple[list[Comparison], BoolArray | None]:
    """Compare all pairs under the primary metric, over all tasks and in each; `runner` is given those of single tasks.

    Returns
    -------
    comparisons : list of Comparison
    better : (S, S) bool, optional
        ``better[i, j]``: i is significantly better than j over all tasks. None if that was not tested, or if the test
        is undefined for every pair.
    """
    if rules is None:
        return [], None
    overall, metric = scoreboard.comparables[0], scoreboard.metrics[0].name
    names = [submission.name for submission in scoreboard.submissions]
    if isinstance(overall, ComparableInTask):
        whole = compare_pairs(overall, names, rules, metric=metric)
        return whole, better_of(whole, names)
    by_task: list[Comparison] = []
    for task, comparable in zip(scoreboard.tasks, overall.comparables, strict=True):
        compared = compare_pairs(comparable, [s.name for s in task.batches], rules, metric=metric, task=task.name)
        for comparison in compared:
            runner.on_result(comparison)
        by_task += compared
    if not works_across(rules, overall):
        return by_task, None
    whole = compare_pairs(overall, names, rules, metric=metric)
    return [*whole, *by_task], better_of(whole, names)


def ranked(
    submissions: Sequence[Submission],
    results: Mapping[str, Sequence[Result]],
    rule: RankingRule,
    oriented: FloatArray,
    draws: FloatArray | None,
    better: BoolArray | None,
    *,
    sets: bool,
    tasks: Sequence[Task] = (),
) -> Iterator[ScoredSubmission]:
    """Yield the submissions with their ranks and clusters, and with rank sets if the claims hold together."""
    untested = np.zeros((len(oriented), len(oriented)), dtype=np.bool_)
    significant = untested if better is None else better
    ranking = rank(rule, RankingInput(oriented=oriented, better=significant, draws=draws))
    first, last = rank_sets(significant)
    for i, submission in enumerate(submissions):
        yield ScoredSubmission(
            name=submission.name,
            kind=submission.kind,
            scores={metric: of_metric[i] for metric, of_metric in results.items()},
            rank=int(ranking.rank[i]),
            cluster=None if better is None else int(ranking.cluster[i]) or None,
            rank_shares=() if ranking.shares is None else tuple(map(float, ranking.shares[i])),
            rank_set=(int(first[i]), int(last[i])) if sets and better is not None else None,
            stated={task.name: s for task in tasks if (s := task.stated.get(submission.name))},
        )
