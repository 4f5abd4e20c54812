"""Evaluate the submissions of tasks by the rules of a profile, with parts and without: the one way to an evaluation."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from typing import Any

import attrs
import numpy as np
from attrs import field, frozen

from qeframe.assembly.compare import compare_entries, compare_overall, compare_tasks, score_entry, whole_evaluation
from qeframe.assembly.places import list_apart, place, rank_alone, sort_by_rank
from qeframe.assembly.remarks import add_remarks
from qeframe.assembly.scoreboard import Entry, Scoreboard, name_samples, scoreboard_of
from qeframe.core.batch import FloatArray
from qeframe.core.comparison import (
    MOST_ANSWERS,
    Compared,
    ComparisonRules,
    Scored,
    TestOfEquivalence,
    comparison_rules,
    score_contest,
)
from qeframe.core.contest import Contest
from qeframe.core.errors import DataError
from qeframe.core.profile import OVERALL
from qeframe.core.registry import Registry
from qeframe.core.resolve import ResolvedProfile, make_signature, with_names_of_tasks
from qeframe.core.result import Evaluation, PartScore, Result, ScoredPart, ScoredSubmission
from qeframe.core.runner import Runner, step
from qeframe.core.task import Task, check_task_names
from qeframe.supplements.given import Explain, SupplementInput


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
    explain : callable, optional
        What is added to the details of primary scores: from the `TaskScores` of a task to more details of each.
    equivalence : callable, optional
        What tests each pair for equivalence: `ComparisonRules.equivalence`.
    on_answers : callable
        Yields what is remarkable about answers: from tasks, the names of their submissions, and whether signs are
        looked at. By default nothing is.
    asked : mapping of str to callable
        What else is computed, by the field of `Evaluation` that has it: from a `SupplementInput` to its value.
    alone : str
        A submission that alone is compared with each other one, the family of pairs. Empty: all pairs are compared.
    """

    seed: int
    registry: Registry
    runner: Runner = field(factory=Runner)
    explain: Explain | None = None
    equivalence: TestOfEquivalence | None = None
    on_answers: Callable[..., Iterable[str]] = lambda *_, **__: ()
    asked: Mapping[str, Callable[[SupplementInput], Any]] = field(factory=dict)
    alone: str = ""


@frozen(kw_only=True, eq=False)
class Assembled:
    """What an evaluation was made of, for what is added to it.

    `resolved`: without the names of tasks that are not there.
    `tasks`: with the submissions that are ranked.
    `board`: all of them. `whole`: the complete ones, that lack no task or part.
    `rules`: how pairs are compared; None if they are not.
    `results` (scores, submissions): of all that are ranked.
    """

    resolved: ResolvedProfile
    request: EvaluationRequest
    tasks: Sequence[Task]
    board: Scoreboard
    whole: Scoreboard
    rules: ComparisonRules | None
    results: Sequence[Sequence[Result]]


def evaluate_tasks(resolved: ResolvedProfile, tasks: Sequence[Task], request: EvaluationRequest) -> Evaluation:
    """Evaluate tasks by the rules of a profile; no file is read or written.

    Submissions that are not ranked, such as attacks, have a score, and the rank that each takes when it is entered
    alone.

    Raises
    ------
    DataError, CapabilityError
        If the rules do not apply to the tasks.
    """
    evaluation, made = assemble(resolved, tasks, request)
    if made is None:
        return evaluation
    evaluation = add_remarks(evaluation, made)
    # after everything was computed: a metric of third parties that answers differently now is found
    of_whole = [term.sample for term in made.whole.contests[0].terms]
    for sample in {id(sample): sample for sample in (*made.board.samples, *of_whole)}.values():
        sample.check_repeated()
    return evaluation


def assemble(
    resolved: ResolvedProfile, tasks: Sequence[Task], request: EvaluationRequest
) -> tuple[Evaluation, Assembled | None]:
    """Return the evaluation of tasks without remarks, and what it was made of; None if nothing is ranked.

    The steps: bind; score each task or part; compare in each and over all; rank; enter alone what is not ranked.
    """
    # families near alpha get more draws: not with so many answers that these would take minutes
    answers = sum(task.units * len(task.batches) for task in tasks)
    resolved = attrs.evolve(resolved, adaptive=resolved.adaptive and answers <= MOST_ANSWERS)
    check_task_names(tasks)
    seed, runner, has_parts = request.seed, request.runner, bool(resolved.parts)
    # the evaluation states the profile as it was read: whoever repeats it has its names of absent tasks too
    as_read, signature = resolved.profile, make_signature(resolved, tasks, seed, request.registry)
    resolved, absent_names = with_names_of_tasks(resolved, [task.name for task in tasks])
    rules = comparison_rules(resolved, resolved.test, equivalence=request.equivalence)
    ranked_tasks = [task.only(lambda submission: submission.is_ranked) for task in tasks]
    board = scoreboard_of(resolved, ranked_tasks, seed, runner, compared_with_all=request.alone)
    unranked_tasks = [task.only(lambda submission: not submission.is_ranked) for task in tasks]
    unranked = scoreboard_of(resolved, unranked_tasks, seed, runner, complete=False)
    dropped = [*(entry for task in tasks for entry in task.dropped), *absent_names]
    rising = {OVERALL: True} if has_parts else {each.name: each.higher_is_better for each in resolved.metrics}
    template = Evaluation(
        profile=as_read.name,
        title=as_read.title,
        primary=next(iter(rising)),
        metrics=tuple(rising),
        higher_is_better=rising,
        higher_in_tasks=rising,
        submissions=(),
        comparisons=(),
        unconfirmed=as_read.unconfirmed,
        signature=signature,
        tasks={task.name: dict(task.counts) for task in tasks},
        dropped=tuple(dropped),
        files=_files_of(tasks),
    )
    if board is None:
        return _count_alone(template, unranked), None

    whole, known = board.only_complete(), dict[Contest, Scored]()
    overall, ranks_clusters = whole.contests[0], resolved.profile.overall == "cluster_ranks"
    scored = _score_entries(resolved, board, request.explain, known)
    of_whole = _score_entries(resolved, whole, request.explain, known)
    in_entries = [] if board.contests[0].is_single else compare_entries(resolved, board, overall, rules)
    compared = compare_overall(resolved, whole, rules)
    if compared is not None and not overall.is_sum:  # the remarks on a sum look at its exchanges
        compared.finish()
    parts = _list_parts(resolved, board, scored[0], in_entries) if has_parts else ()
    if ranks_clusters:
        scores = [_average_clusters(whole, parts)]
    else:
        scores = [_score_whole(resolved, whole, nth, of_whole[nth]) for nth in range(len(whole.contests))]
    several = len(tasks) > 1 or has_parts
    results = [_join(resolved, whole, *of, several=several) for of in zip(scores, of_whole, strict=True)]
    tested = compared is not None and not compared.is_untested
    oriented = -scores[0].values if ranks_clusters else overall.oriented
    places = place(resolved.ranking, oriented, compared, scores[0].draws, is_tested=tested)
    ranked = [
        places.submission(
            nth,
            submission,
            {name: of_score[nth] for name, of_score in zip(board.scores, results, strict=True)},
            board.stated(submission.name),
        )
        for nth, submission in enumerate(whole.submissions)
    ]
    joins, by_entry = not ranks_clusters, [_by_submission(board, of_entries) for of_entries in scored]
    apart = list(list_apart(resolved.profile.partial, board, whole, by_entry, joins=joins))
    alone = _enter_alone(resolved, whole, unranked, request.explain, joins=joins)
    comparisons = (
        *(compared.comparisons if compared else ()),
        *(pair for of_entry in in_entries if of_entry for pair in of_entry.comparisons),
    )
    given = whole_evaluation(whole, rules, as_read.alpha)
    if not has_parts:
        find = partial(compare_tasks, resolved, board, in_entries or [compared], rules, request.registry)
        given = attrs.evolve(given, ranking=resolved.ranking, compared=find)
    sign = -1.0 if ranks_clusters else overall.sign
    primary = template.primary
    evaluation = attrs.evolve(
        template,
        higher_is_better={
            name: contest.sign > 0 and not ranks_clusters
            for name, contest in zip(board.scores, board.contests, strict=True)
        },
        submissions=sort_by_rank([*ranked, *apart, *alone], primary, sign),
        comparisons=comparisons,
        shares=_shares(board),
        parts=parts,
        **{name: function(given) for name, function in request.asked.items()},
        tasks={entry.name: _count(entry) for entry in board.entries} if has_parts else template.tasks,
        dropped=tuple(dict.fromkeys([*dropped, *board.dropped])),
    )
    by_name = {submission.name: submission.scores for submission in (*ranked, *apart)}
    return evaluation, Assembled(
        resolved=resolved,
        request=request,
        tasks=ranked_tasks,
        board=board,
        whole=whole,
        rules=rules,
        results=[[by_name[submission.name][name] for submission in board.submissions] for name in board.scores],
    )


def _files_of(tasks: Sequence[Task]) -> dict[str, tuple[str, ...]]:
    """Return the files of each submission."""
    files: dict[str, dict[str, None]] = {}
    for task in tasks:
        for name, paths in task.files.items():
            files.setdefault(name, {}).update(dict.fromkeys(paths))
    return {name: tuple(of_name) for name, of_name in files.items()}


def _count_alone(template: Evaluation, unranked: Scoreboard | None) -> Evaluation:
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


def _score_entries(
    resolved: ResolvedProfile, board: Scoreboard, explain: Explain | None, known: dict[Contest, Scored]
) -> list[list[Scored]]:
    """Return the scores of each task or part, for each score of the board; what is `known` is not computed again."""
    wanted = {contest: (entry, nth) for entry in board.entries for nth, contest in enumerate(entry.contests)}
    wanted = {contest: place for contest, place in wanted.items() if contest not in known}
    for number, (contest, (entry, nth)) in enumerate(wanted.items(), 1):
        with step(f"intervals of {contest.metric.name}, {number} of {len(wanted)}"):
            known[contest] = score_entry(entry, nth, resolved, explain)
    return [[known[entry.contests[nth]] for entry in board.entries] for nth in range(len(board.scores))]


def _by_submission(board: Scoreboard, scored: Sequence[Scored]) -> list[dict[str, Result]]:
    """Return the results of each submission by the names of the tasks or parts that it has."""
    found: list[dict[str, Result]] = [{} for _ in board.submissions]
    for entry, of_entry in zip(board.entries, scored, strict=True):
        for position, result in zip(entry.positions, of_entry.results, strict=True):
            if position >= 0:
                found[position][entry.name] = result
    return found


def _score_whole(resolved: ResolvedProfile, board: Scoreboard, nth: int, of_entries: Sequence[Scored]) -> Scored:
    """Return the scores over all tasks or parts with their intervals; those of a single task are its own."""
    contest = board.contests[nth]
    if contest.is_single:
        return of_entries[0]
    resampled = all(entry.resampled for entry in board.entries if entry.weight)
    test = resolved.interval_of(smooth=contest.smooth) if resampled else None
    return score_contest(contest, test, resolved.profile.confidence)


def _join(
    resolved: ResolvedProfile, board: Scoreboard, scores: Scored, of_entries: Sequence[Scored], *, several: bool
) -> list[Result]:
    """Return the scores over all of each submission, with those in each task or part if there are `several`."""
    if not several:
        return scores.results
    by_entry = _by_submission(board, of_entries)
    joined = [attrs.evolve(whole, tasks=own) for whole, own in zip(scores.results, by_entry, strict=True)]
    if len(board.entries) < 2 or resolved.parts or resolved.across.interval == "joint":
        return joined
    return [_with_mean_width(board, result) for result in joined]


def _with_mean_width(board: Scoreboard, whole: Result) -> Result:
    """Return a result over tasks with an interval of the mean width of the intervals of its tasks."""
    weighted = {entry.name for entry in board.entries if entry.weight}
    defined = [result for name, result in whole.tasks.items() if name in weighted and not np.isnan(result.value)]
    widths = [result.high - result.low for result in defined]
    half = float(np.mean(widths)) / 2 if widths else np.nan
    return attrs.evolve(whole, low=whole.value - half, high=whole.value + half)


def _list_parts(
    resolved: ResolvedProfile, board: Scoreboard, scored: Sequence[Scored], compared: Sequence[Compared | None]
) -> tuple[ScoredPart, ...]:
    """Return the parts of a task set with the scores, the ranks and the clusters of their submissions."""
    found = []
    columns = zip(board.entries, scored, compared, name_samples(board.entries), strict=True)
    for entry, scores, pairs, samples in columns:
        assert entry.rule is not None, "a part"
        tested = pairs is not None and not pairs.is_untested
        places = place(resolved.ranking, entry.contest.oriented, pairs, scores.draws, is_tested=tested)
        found.append(
            ScoredPart(
                name=entry.name,
                metric=entry.contest.metric.name,
                pairs=entry.pairs,
                level=entry.rule.level,
                selection=entry.rule.selection,
                weight=entry.weight,
                scale=entry.scale,
                higher_is_better=entry.contest.sign > 0,
                test=entry.test.name if entry.test else "",
                samples=samples,
                submissions={
                    name: PartScore(
                        value=result.value,
                        low=result.low,
                        high=result.high,
                        rank=int(places.ranking.rank[i]),
                        cluster=places.cluster(i),
                    )
                    for i, (name, result) in enumerate(zip(entry.names, scores.results, strict=True))
                },
            )
        )
    return tuple(found)


def _average_clusters(whole: Scoreboard, parts: Sequence[ScoredPart]) -> Scored:
    """Return the weighted mean of the clusters of each submission in all parts; undefined without one in a part."""
    total: FloatArray = np.zeros(len(whole.submissions))
    for entry, scored in zip(whole.entries, parts, strict=True):
        clusters = np.array([score.cluster or np.nan for score in scored.submissions.values()])
        if entry.weight:
            there = entry.positions >= 0
            total[entry.positions[there]] += entry.weight * clusters[there]
    undefined = np.full(len(total), np.nan)
    return Scored(values=total, low=undefined, high=undefined, details=[{}] * len(total), draws=None)


def _enter_alone(
    resolved: ResolvedProfile, whole: Scoreboard, unranked: Scoreboard | None, explain: Explain | None, *, joins: bool
) -> Iterator[ScoredSubmission]:
    """Yield the submissions that are not ranked, among the complete ones: those of tasks with intervals of their own.

    `joins`: as in `rank_alone`.
    """
    if unranked is None:
        return
    if resolved.parts:
        resolved = attrs.evolve(resolved, interval=None, interval_otherwise=None)
    results, several = [], len(unranked.entries) > 1
    for nth, of_entries in enumerate(_score_entries(resolved, unranked, explain, {})):
        if resolved.parts:  # they have no weights, and so no score over all of their own
            results.append([Result(value=np.nan, tasks=own) for own in _by_submission(unranked, of_entries)])
        else:
            scores = _score_whole(resolved, unranked, nth, of_entries)
            results.append(_join(resolved, unranked, scores, of_entries, several=several))
    yield from rank_alone(whole, unranked, results, joins=joins)


def _shares(board: Scoreboard) -> dict[str, float]:
    """Return the share of each of several tasks in the aggregate."""
    if len(board.entries) < 2 or board.entries[0].rule:
        return {}
    weights = np.array([entry.weight for entry in board.entries])
    return {entry.name: float(share) for entry, share in zip(board.entries, weights / weights.sum(), strict=True)}


def _count(part: Entry) -> dict[str, int]:
    """Return what the reader counted in the tasks of a part."""
    counts: dict[str, int] = {}
    for task in part.tasks:
        for what, count in task.counts.items():
            counts[what] = counts.get(what, 0) + count
    return counts
