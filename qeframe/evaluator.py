"""The main job: the rules of a profile applied to the tasks of a shared task. Pure: no file is read or written."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence

import attrs
import numpy as np

from qeframe.across import AcrossTrial
from qeframe.batch import BoolArray, FloatArray
from qeframe.bench import TaskTrial
from qeframe.comparison import Rules, check_capability, compare_pairs, remarks_on_family
from qeframe.components import Aggregation, Correction, Metric, RankingRule, SignificanceTest, Standing
from qeframe.contest import Contest
from qeframe.errors import DataError, counted
from qeframe.evaluation import Comparison, Evaluation, Result, Scored
from qeframe.parallel import Runner
from qeframe.profile import Profile, check_profile, chosen_metrics, find_profile
from qeframe.registry import Registry, load
from qeframe.signature import sign
from qeframe.task import Submission, Task, check_task_names
from qeframe.weights import seed_key

__all__ = ["evaluate"]


def evaluate(
    profile: str | Profile,
    task: Task | Sequence[Task],
    *,
    seed: int = 0,
    registry: Registry | None = None,
    runner: Runner | None = None,
) -> Evaluation:
    """Evaluate tasks that were read by a profile that was read: `qeframe.evaluate` without paths and settings.

    Parameters
    ----------
    profile : str or Profile
        A registered name, or a profile made by hand.
    task : Task or sequence of Task
    seed, registry, runner
        As for `qeframe.evaluate`.

    Returns
    -------
    Evaluation

    Raises
    ------
    ProfileError, UnknownNameError, CapabilityError, DataError
        If the rules do not hold together, or do not fit the task.
    """
    known = registry or load()
    rules = find_profile(profile, known) if isinstance(profile, str) else profile
    check_profile(rules, known, reads=False)
    tasks = (task,) if isinstance(task, Task) else tuple(task)
    check_task_names(tasks)
    metrics = chosen_metrics(rules.metrics, known)
    pairwise = _pairwise(rules, known)
    if pairwise:
        check_capability(metrics[0], pairwise.test)
    real = _contest(rules, _honest(tasks), metrics, seed, known, runner or Runner())
    attacks = _contest(rules, _attacking(tasks), metrics, seed, known, runner or Runner())
    if real is None:
        raise DataError("there is no submission to evaluate", remedy="give a task with submissions")
    results = [_by_task(real.results(nth), real, tasks) for nth in range(len(metrics))]
    comparisons, better = _comparisons(real, pairwise)
    scored = _ranked(real, results, known.get(RankingRule, rules.ranking), better)
    return Evaluation(
        profile=rules.name,
        title=rules.title,
        primary=metrics[0].name,
        metrics=tuple(m.name for m in metrics),
        higher_is_better={m.name: t.higher_is_better for m, t in zip(metrics, real.trials, strict=True)},
        higher_in_tasks={m.name: m.higher_is_better for m in metrics},
        signature=sign(rules, tasks, seed, known),
        submissions=_in_order([*scored, *_placed(attacks, real)], metrics[0].name, real.trials[0].sign),
        comparisons=tuple(comparisons),
        tasks={each.name: dict(each.counts) for each in tasks},
        dropped=tuple(entry for each in tasks for entry in each.dropped),
        warnings=(
            *_remarks(real),
            *_untested(real, pairwise),
            *(remarks_on_family(pairwise, comparisons) if pairwise else ()),
            *_undefined(real, results, comparisons),
            *_warnings(real, results),
        ),
    )


def _in_order(submissions: Iterable[Scored], metric: str, sign: float) -> tuple[Scored, ...]:
    """Return submissions by rank, of the same rank by score: an attack stands above those that it beats."""

    def place(scored: Scored) -> tuple[float, float, bool, str]:
        goodness = sign * scored.scores[metric].value
        return scored.rank, math.inf if np.isnan(goodness) else -goodness, scored.kind == "attack", scored.name

    return tuple(sorted(submissions, key=place))


def _by_task(results: list[Result], contest: Contest, tasks: Sequence[Task]) -> list[Result]:
    """Return results that tell of the single tasks also where only one of several has submissions."""
    if len(contest.tasks) > 1 or len(tasks) == 1:
        return results
    return [attrs.evolve(result, tasks={contest.tasks[0].name: result}) for result in results]


def _honest(tasks: Sequence[Task]) -> list[Task]:
    return [each.only(lambda s: s.kind != "attack") for each in tasks]


def _attacking(tasks: Sequence[Task]) -> list[Task]:
    return [each.only(lambda s: s.kind == "attack") for each in tasks]


def _contest(
    rules: Profile, tasks: Sequence[Task], metrics: tuple[Metric, ...], seed: int, registry: Registry, runner: Runner
) -> Contest | None:
    """Return the contest of the given tasks, None if they have no submission."""
    rng = np.random.default_rng(seed)
    keyed = [(task, seed_key(rng)) for task in tasks]
    filled = [(task, key) for task, key in keyed if task.batches]
    if not filled:
        return None
    return Contest(
        tasks=tuple(task for task, _ in filled),
        keys=tuple(key for _, key in filled),
        metrics=metrics,
        within=registry.get(Aggregation, rules.within),
        across=registry.get(Aggregation, rules.across),
        weights=rules.weights,
        resample=rules.resample,
        interval=registry.get(SignificanceTest, rules.interval) if rules.interval else None,
        confidence=rules.confidence,
        runner=runner,
    )


def _pairwise(rules: Profile, registry: Registry) -> Rules | None:
    """Return how the profile compares pairs, if it does."""
    if not rules.test:
        return None
    return Rules(
        test=registry.get(SignificanceTest, rules.test),
        sided=rules.sided,
        correction=registry.get(Correction, rules.correction),
        alpha=rules.alpha,
        strict=rules.strict,
    )


def _comparisons(contest: Contest, pairwise: Rules | None) -> tuple[list[Comparison], BoolArray | None]:
    """Compare all pairs under the primary metric, over all tasks and in each.

    Returns
    -------
    comparisons : list of Comparison
    better : (S, S) bool, optional
        Who is significantly better than whom over all tasks; None where that was not tested, or the test is undefined
        for every pair.
    """
    if pairwise is None:
        return [], None
    overall, metric = contest.trials[0], contest.metrics[0].name
    names = [submission.name for submission in contest.submissions]
    if isinstance(overall, TaskTrial):
        whole = compare_pairs(overall, names, pairwise, metric=metric)
        return whole, _better(whole, names)
    apart = [
        comparison
        for task, trial in zip(contest.tasks, overall.trials, strict=True)
        for comparison in compare_pairs(trial, [s.name for s in task.batches], pairwise, metric=metric, task=task.name)
    ]
    if not _works_across(pairwise, overall):
        return apart, None
    whole = compare_pairs(overall, names, pairwise, metric=metric)
    return [*whole, *apart], _better(whole, names)


def _works_across(pairwise: Rules, overall: AcrossTrial) -> bool:
    """Say whether a test can be run on the aggregate over several tasks."""
    needs = pairwise.test.needs
    return needs == "bind" or (needs == "exchange" and overall.aggregation.linear)


def _better(comparisons: Sequence[Comparison], names: Sequence[str]) -> BoolArray | None:
    if comparisons and all(np.isnan(comparison.p) for comparison in comparisons):
        return None
    position = {name: i for i, name in enumerate(names)}
    better = np.zeros((len(names), len(names)), dtype=np.bool_)
    for comparison in comparisons:
        better[position[comparison.a], position[comparison.b]] = comparison.significant
    return better


def _ranked(
    contest: Contest, results: Sequence[Sequence[Result]], rule: RankingRule, better: BoolArray | None
) -> Iterator[Scored]:
    """Yield the submissions with their ranks and clusters."""
    goodness = contest.trials[0].goodness
    nobody = np.zeros((len(goodness), len(goodness)), dtype=np.bool_)
    standing = Standing(goodness=goodness, better=nobody if better is None else better, draws=contest.draws(0))
    ranking = rule.rank(standing)
    for i, submission in enumerate(contest.submissions):
        yield Scored(
            name=submission.name,
            kind=submission.kind,
            scores={m.name: of[i] for m, of in zip(contest.metrics, results, strict=True)},
            rank=int(ranking.rank[i]),
            cluster=None if better is None else int(ranking.cluster[i]) or None,
            rank_shares=() if ranking.shares is None else tuple(map(float, ranking.shares[i])),
        )


def _placed(attacks: Contest | None, real: Contest) -> Iterator[Scored]:
    """Yield the attacks with the ranks that they would have taken, each entered alone among the real submissions."""
    if attacks is None:
        return
    results = [attacks.results(nth) for nth in range(len(attacks.metrics))]
    for i, submission in enumerate(attacks.submissions):
        entered = [_entered(real, nth, attacks, of[i]) for nth, of in enumerate(results)]
        theirs, mine = entered[0][1][:-1], entered[0][1][-1]
        ahead = ~np.isnan(theirs) if np.isnan(mine) else theirs > mine
        yield Scored(
            name=submission.name,
            kind=submission.kind,
            scores={m.name: result for m, (result, _) in zip(attacks.metrics, entered, strict=True)},
            rank=1 + int(ahead.sum()),
        )


def _entered(real: Contest, nth: int, attacks: Contest, result: Result) -> tuple[Result, FloatArray]:
    """Enter one attack among the real submissions.

    Returns
    -------
    result : Result
        Its result under a metric. Where aggregates depend on who else is there, as average ranks do, its own is that
        among the real submissions, and has no interval.
    goodness : (S + 1,) float64
        Of the real submissions beside it, and its own.
    """
    overall = real.trials[nth]
    if isinstance(overall, TaskTrial):
        return result, np.append(overall.goodness, overall.sign * result.value)
    by_task = result.tasks or {attacks.tasks[0].name: result}
    absent = Result(value=np.nan)
    goodness = overall.goodness_with([by_task.get(task.name, absent).value for task in real.tasks])
    if not overall.aggregation.linear:
        result = attrs.evolve(result, value=float(overall.sign * goodness[-1]), low=np.nan, high=np.nan)
    return result, goodness


def _remarks(contest: Contest) -> Iterator[str]:
    """Yield what the gold of each task calls for."""
    for task in contest.tasks:
        remark = next(iter(task.batches.values())).remark()
        if remark:
            yield f"{task.name}: {remark}"


def _untested(contest: Contest, pairwise: Rules | None) -> Iterator[str]:
    """Say why there are no winners over several tasks, if their test cannot be run on an aggregate."""
    overall = contest.trials[0]
    if pairwise and isinstance(overall, AcrossTrial) and not _works_across(pairwise, overall):
        yield (
            f"there are no winners over all tasks: '{pairwise.test.name}' cannot compare aggregates, only each task; "
            "'bootstrap' can"
        )


def _undefined(
    contest: Contest, results: Sequence[Sequence[Result]], comparisons: Sequence[Comparison]
) -> Iterator[str]:
    """Say which primary scores and tests are undefined, and why that happens."""
    metric = contest.metrics[0].name
    for submission, result in zip(contest.submissions, results[0], strict=True):
        if np.isnan(result.value) and not result.tasks:
            why = "its answers or the gold are constant, no pair is decided, or there are too few units"
            yield f"{metric} of {submission.name} is undefined: {why}"
    dark = [c for c in comparisons if np.isnan(c.p) and not np.isnan(c.difference)]
    if dark:
        pairs = counted(len(comparisons), "pair")
        yield f"'{dark[0].test}' is undefined for {len(dark)} of {pairs}: too few units for it"


def _warnings(contest: Contest, results: Sequence[Sequence[Result]]) -> Iterator[str]:
    """Warn of submissions whose correlation with the gold is below 0, with its whole interval."""
    for metric, of_metric in zip(contest.metrics, results, strict=True):
        for submission, result in zip(contest.submissions, of_metric, strict=True):
            for where, one in (result.tasks or {"": result}).items():
                if metric.vectors is not None and one.value < 0 and not one.high > 0:
                    yield _against(submission, metric.name, where, one.value)


def _against(submission: Submission, metric: str, task: str, value: float) -> str:
    where = f" on {task}" if task else ""
    return (
        f"{submission.name} runs against the gold{where}: its {metric} is {value:.6f}, below 0; "
        "is the sign of its scores right?"
    )
