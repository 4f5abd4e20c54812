"""Evaluate the submissions of tasks by the rules of a profile."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any

import attrs
from attrs import field, frozen

from qeframe.core.components.checks.metric import check_repeatable
from qeframe.core.components.checks.supplement import value_of_evaluation
from qeframe.core.components.checks.work import at_work
from qeframe.core.components.loading.registry import Registry
from qeframe.core.components.supplement import Supplement, SupplementInput
from qeframe.core.errors import DataError
from qeframe.core.evaluation.compared_pair import Comparison
from qeframe.core.evaluation.compared_tasks import compared_tasks
from qeframe.core.evaluation.comparison import Compared, compare_pairs
from qeframe.core.evaluation.comparison_rules import MOST_ANSWERS, ComparisonRules, check_capability, comparison_rules
from qeframe.core.evaluation.entered_alone import (
    absent_from,
    complete_scoreboard,
    listed_apart,
    ranked_alone,
    stated_in,
)
from qeframe.core.evaluation.places import place, sorted_by_rank
from qeframe.core.evaluation.result import Evaluation, Result, ScoredSubmission
from qeframe.core.evaluation.scoreboard import Scoreboard, scoreboard_of
from qeframe.core.evaluation.signature import make_signature
from qeframe.core.profiles.absent_names import with_names_of_tasks
from qeframe.core.profiles.resolved import ResolvedProfile
from qeframe.core.profiles.schema import Profile
from qeframe.core.resampling.parallel import Runner
from qeframe.core.resampling.return_checks import WrongReturnError, describe
from qeframe.core.tasks.task import Task, check_task_names


@frozen(kw_only=True, eq=False)
class Evaluated:
    """What scores, comparisons and ranks were computed from.

    `scoreboard`: of the submissions that are ranked.
    `overall`: the same without the submissions that lack a task: who is compared over all tasks.
    `rules`: how pairs were compared; None if they were not.
    `results` (metrics, submissions).
    """

    resolved: ResolvedProfile
    scoreboard: Scoreboard
    overall: Scoreboard
    rules: ComparisonRules | None
    results: Sequence[Sequence[Result]]
    registry: Registry


@frozen(kw_only=True, eq=False)
class EvaluationRequest:
    """What an evaluation of tasks is asked for besides the rules of the profile.

    Parameters
    ----------
    seed : int
        Equal seeds give equal evaluations, for any number of workers.
    registry : Registry
        The plugins that are in use.
    runner : Runner
        Runs the computation and reports its progress.
    additions : callable
        From an `Evaluation` and the `Evaluated` to the evaluation with warnings and what else it has.
    supplements : tuple of Supplement
        What is computed besides scores and comparisons.
    alone : str
        A submission that alone is compared with each other one, the family of pairs: `Scoreboard.compared_with_all`.
        Empty: all pairs are compared.
    """

    seed: int
    registry: Registry
    additions: Callable[[Evaluation, Evaluated], Evaluation]
    runner: Runner = field(factory=Runner)
    supplements: tuple[Supplement, ...] = ()
    alone: str = ""

    @property
    def of_pairs(self) -> list[Supplement]:
        """The supplements of comparisons."""
        return [supplement for supplement in self.supplements if supplement.of_pairs is not None]

    @property
    def of_scores(self) -> list[Supplement]:
        """The supplements of the details of scores."""
        return [supplement for supplement in self.supplements if supplement.of_scores is not None]

    def of_evaluation(self, given: SupplementInput) -> dict[str, Any]:
        """Return the values of the supplements of a whole evaluation, by name."""
        return {s.key: value_of_evaluation(s, given) for s in self.supplements if s.of_evaluation is not None}


def evaluate_tasks(resolved: ResolvedProfile, tasks: Sequence[Task], request: EvaluationRequest) -> Evaluation:
    """Evaluate tasks by the rules of a profile; no file is read or written.

    A profile that asks for an `Assembler` is evaluated by it. Submissions that are not ranked, such as attacks, have a
    score, and the rank that each takes when it is entered alone.

    Raises
    ------
    DataError, CapabilityError
        If the rules do not apply to the tasks.
    """
    # families near alpha get more draws: not with so many answers that these would take minutes
    answers = sum(task.units * len(task.batches) for task in tasks)
    resolved = attrs.evolve(resolved, adaptive=resolved.adaptive and answers <= MOST_ANSWERS)
    if resolved.assembler is None:
        return _with_files(_evaluate(resolved, tasks, request), tasks)
    with at_work(resolved.assembler, "evaluate", watched=False):
        evaluation = resolved.assembler.evaluate(resolved, tasks, request)
        if not isinstance(evaluation, Evaluation):
            raise WrongReturnError("evaluate", describe(evaluation), "an Evaluation")
        return _with_files(evaluation, tasks)


def _with_files(evaluation: Evaluation, tasks: Sequence[Task]) -> Evaluation:
    """Return an evaluation that names the files of each submission."""
    files: dict[str, dict[str, None]] = {}
    for task in tasks:
        for name, paths in task.files.items():
            files.setdefault(name, {}).update(dict.fromkeys(paths))
    return attrs.evolve(evaluation, files={name: tuple(of_name) for name, of_name in files.items()})


def _evaluate(resolved: ResolvedProfile, tasks: Sequence[Task], request: EvaluationRequest) -> Evaluation:
    """Evaluate tasks by the metrics and aggregations of the profile."""
    seed, runner = request.seed, request.runner
    check_task_names(tasks)
    # the evaluation states the profile as it was read: whoever repeats it has its names of absent tasks too
    as_read, signature = resolved.profile, make_signature(resolved, tasks, seed, request.registry)
    resolved, absent_names = with_names_of_tasks(resolved, [task.name for task in tasks])
    metrics = resolved.metrics
    rules = comparison_rules(resolved, resolved.test, supplements=request.of_pairs)
    if rules:
        check_capability(metrics[0], rules.test)
    ranked_tasks = [task.only(lambda s: s.is_ranked) for task in tasks]
    scoreboard = scoreboard_of(resolved, ranked_tasks, seed, runner, request.of_scores, compared_with_all=request.alone)
    unranked_tasks = [task.only(lambda s: not s.is_ranked) for task in tasks]
    unranked = scoreboard_of(resolved, unranked_tasks, seed, runner, request.of_scores)
    template = evaluation_of(
        as_read,
        {metric.name: metric.higher_is_better for metric in metrics},
        signature=signature,
        tasks={task.name: dict(task.counts) for task in tasks},
        dropped=(*(entry for task in tasks for entry in task.dropped), *absent_names),
    )
    if scoreboard is None:
        return _counts_alone(template, unranked)
    for metric in metrics:
        check_repeatable(metric, next(iter(scoreboard.tasks[0].batches.values())))
    results = [_by_task(scoreboard.results(nth), scoreboard, tasks) for nth in range(len(metrics))]
    overall, of_overall, results, apart = _over_all_tasks(resolved, ranked_tasks, scoreboard, results, request)
    of_tasks, compared = _compare(scoreboard, overall, rules)
    tested = compared is not None and not compared.is_untested
    places = place(resolved.ranking, overall.contests[0].oriented, compared, overall.scored[0].draws, is_tested=tested)
    scores = {metric.name: of_metric for metric, of_metric in zip(metrics, of_overall, strict=True)}
    ranked = [
        places.submission(
            nth,
            submission,
            {metric: of_metric[nth] for metric, of_metric in scores.items()},
            stated_in(scoreboard.tasks, submission.name),
        )
        for nth, submission in enumerate(overall.submissions)
    ]
    submissions = [*ranked, *apart, *ranked_alone(unranked, overall)]
    comparisons = (*(compared.comparisons if compared else ()), *of_tasks)
    scored = attrs.evolve(
        template,
        higher_is_better={m.name: c.sign > 0 for m, c in zip(metrics, scoreboard.contests, strict=True)},
        submissions=sorted_by_rank(submissions, metrics[0].name, overall.contests[0].sign),
        comparisons=comparisons,
        shares=_shares(scoreboard),
        supplements=request.of_evaluation(
            attrs.evolve(
                overall.supplement_input(rules, as_read.alpha),
                ranking=resolved.ranking,
                compared=partial(compared_tasks, resolved, scoreboard, comparisons, rules, request.registry),
            )
        ),
    )
    # after everything was computed: additions may look at all of it, and a metric that answers differently now is found
    evaluated = Evaluated(
        resolved=resolved,
        scoreboard=scoreboard,
        overall=overall,
        rules=rules,
        results=results,
        registry=request.registry,
    )
    added = request.additions(scored, evaluated)
    for sample in {id(task): task for task in (*scoreboard.samples, *overall.samples)}.values():
        sample.check_repeated()
    return added


def _counts_alone(template: Evaluation, unranked: Scoreboard | None) -> Evaluation:
    """Return the evaluation of tasks without ranked submissions, of which only the counts of the gold are reported.

    Raises DataError if there are no counts either.
    """
    if not any(template.tasks.values()):
        raise DataError("there is no submission to evaluate", remedy="give a task with submissions")
    warnings = ["there is no submission to evaluate: only the counts of the gold are reported"]
    if unranked is not None:
        names = ", ".join(f"'{submission.name}'" for submission in unranked.submissions)
        warnings.append(f"what is not ranked is scored beside ranked submissions only, and is left out: {names}")
    return attrs.evolve(template, warnings=tuple(warnings))


def evaluation_of(profile: Profile, higher_in_tasks: Mapping[str, bool], **fields: Any) -> Evaluation:
    """Return an evaluation by a profile, with further fields; without submissions and comparisons by default.

    `higher_in_tasks` has the metrics, the primary one first. By default a higher score is as good over all tasks.
    """
    stated = {
        "profile": profile.name,
        "title": profile.title,
        "primary": next(iter(higher_in_tasks)),
        "metrics": tuple(higher_in_tasks),
        "higher_is_better": dict(higher_in_tasks),
        "higher_in_tasks": dict(higher_in_tasks),
        "submissions": (),
        "comparisons": (),
        "unconfirmed": profile.unconfirmed,
    }
    return Evaluation(**{**stated, **fields})


def _over_all_tasks(
    resolved: ResolvedProfile,
    tasks: Sequence[Task],
    scoreboard: Scoreboard,
    results: list[list[Result]],
    request: EvaluationRequest,
) -> tuple[Scoreboard, list[list[Result]], list[list[Result]], list[ScoredSubmission]]:
    """Return the scoreboard of those who have all tasks, their results, those of everyone, and who lacks a task."""
    absent = absent_from(scoreboard.tasks, list(scoreboard.task_weights)) if len(scoreboard.tasks) > 1 else {}
    if not absent:
        return scoreboard, results, results, []
    overall = complete_scoreboard(resolved, tasks, absent, request.seed, request.runner, request.alone)
    of_overall = [_by_task(overall.results(nth), overall, tasks) for nth in range(len(scoreboard.metrics))]
    apart = list(listed_apart(resolved.profile.partial, absent, scoreboard, results, overall))
    return overall, of_overall, _with_overall(results, scoreboard, overall, of_overall, apart), apart


def _with_overall(
    results: Sequence[Sequence[Result]],
    everyone: Scoreboard,
    complete: Scoreboard,
    of_complete: Sequence[Sequence[Result]],
    apart: Sequence[ScoredSubmission],
) -> list[list[Result]]:
    """Return the results of everyone in the tasks, with those over all tasks of the complete and of those apart."""
    names = [metric.name for metric in everyone.metrics]
    over_tasks = {submission.name: submission.scores for submission in apart}
    for i, submission in enumerate(complete.submissions):
        over_tasks[submission.name] = {name: of_metric[i] for name, of_metric in zip(names, of_complete, strict=True)}
    return [
        [
            attrs.evolve(over_tasks[submission.name][name], tasks=result.tasks)
            for submission, result in zip(everyone.submissions, of_metric, strict=True)
        ]
        for name, of_metric in zip(names, results, strict=True)
    ]


def _shares(scoreboard: Scoreboard) -> dict[str, float]:
    """Return the share of each of several tasks in the aggregate."""
    if len(scoreboard.tasks) < 2:
        return {}
    shares = scoreboard.task_weights / scoreboard.task_weights.sum()
    return {task.name: float(share) for task, share in zip(scoreboard.tasks, shares, strict=True)}


def _by_task(results: list[Result], scoreboard: Scoreboard, tasks: Sequence[Task]) -> list[Result]:
    """Return results with an entry for each task, also if only one of several tasks has submissions."""
    if len(scoreboard.tasks) > 1 or len(tasks) == 1:
        return results
    return [attrs.evolve(result, tasks={scoreboard.tasks[0].name: result}) for result in results]


def _compare(
    everyone: Scoreboard, complete: Scoreboard, rules: ComparisonRules | None
) -> tuple[list[Comparison], Compared | None]:
    """Compare all pairs under the primary metric, in each task, and over all tasks those that have all of them.

    Returns the comparisons in each of several tasks, and the pairs over all tasks; None if these cannot be compared.
    """
    if rules is None:
        return [], None
    of_everyone, of_complete = everyone.contests[0], complete.contests[0]
    metric, by_task = everyone.metrics[0].name, list[Comparison]()
    for nth, contest in enumerate(of_everyone.in_tasks):
        task = everyone.tasks[nth]
        names = [submission.name for submission in task.batches]
        by_task += compare_pairs(contest, names, rules, metric=metric, task=task.name).comparisons
        # collect what the test over tasks needs before the task frees it: it is of no use to a part of the submissions
        if complete is everyone:
            of_complete.collect(nth)
        contest.release_exchanges()
    if not rules.works_on(of_complete):
        return by_task, None
    names = [submission.name for submission in complete.submissions]
    over_tasks = compare_pairs(of_complete, names, rules, metric=metric)
    of_complete.release_exchanges()
    return by_task, over_tasks
