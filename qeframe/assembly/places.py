"""The places of submissions: ranks, clusters, rank sets; the rank of one that is entered alone; averages over columns.

Entered alone are attacks, what the user enters, and who lacks a task or a part. A column is a metric, or a number that
submissions state about themselves, such as their size in bytes: of the ranks in columns there can be an average.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence

import attrs
import numpy as np
from attrs import frozen

from qeframe.assembly.scoreboard import Entry, Scoreboard
from qeframe.core.batch import FloatArray, IntArray
from qeframe.core.comparison import Compared
from qeframe.core.contest import Contest
from qeframe.core.errors import DataError, did_you_mean
from qeframe.core.findings import rank_sets
from qeframe.core.profile import Partial
from qeframe.core.ranking import Aggregation, Ranking, RankingInput, RankingRule, aggregate, rank, rounding_slack
from qeframe.core.resolve import ResolvedProfile
from qeframe.core.result import Evaluation, Result, ScoredSubmission
from qeframe.core.task import UNRANKED, Dropped, Submission


@frozen(kw_only=True, eq=False)
class Places:
    """The ranks of submissions by a rule, and clusters if they were tested.

    `sets`: the first and the last rank of each that all significant differences allow; None where the family of
      comparisons is not controlled or has no pair.
    """

    ranking: Ranking
    is_tested: bool
    sets: tuple[IntArray, IntArray] | None

    def cluster(self, nth: int) -> int | None:
        """Return the cluster of a submission; None without a test or a score."""
        return (int(self.ranking.cluster[nth]) or None) if self.is_tested else None

    def rank_set(self, nth: int) -> tuple[int, int] | None:
        """Return the first and the last rank of a submission; None where the family is not controlled, and unscored."""
        if self.sets is None or self.cluster(nth) is None:
            return None
        return int(self.sets[0][nth]), int(self.sets[1][nth])

    def submission(
        self, nth: int, of: Submission, scores: Mapping[str, Result], stated: Mapping[str, Mapping[str, float]]
    ) -> ScoredSubmission:
        """Return a submission with its scores by metric, and with what it states about itself by task."""
        shares, ranges = self.ranking.shares, self.ranking.ranges if self.is_tested else None
        return ScoredSubmission(
            name=of.name,
            kind=of.kind,
            scores=scores,
            rank=int(self.ranking.rank[nth]),
            cluster=self.cluster(nth),
            rank_shares=() if shares is None else tuple(map(float, shares[nth])),
            rank_set=self.rank_set(nth),
            rank_range=None if ranges is None or not ranges[0][nth] else (int(ranges[0][nth]), int(ranges[1][nth])),
            stated=stated,
        )


def place(
    rule: RankingRule, oriented: FloatArray, compared: Compared | None, draws: FloatArray | None, *, is_tested: bool
) -> Places:
    """Return the places of submissions by a rule.

    `oriented` (S,): their scores. `compared`: their pairs; None if they were not compared. `draws` (B, S): of their
    scores; None without intervals. `is_tested`: whether differences could be significant, so that there are clusters.
    """
    better = np.zeros((len(oriented), len(oriented)), dtype=np.bool_) if compared is None else compared.better
    controls = is_tested and compared is not None and len(better) > 1 and compared.rules.controls_any_error
    return Places(
        ranking=rank(rule, RankingInput(oriented=oriented, better=better, draws=draws)),
        is_tested=is_tested,
        sets=rank_sets(better) if controls else None,
    )


def sort_by_rank(submissions: Iterable[ScoredSubmission], metric: str, sign: float) -> tuple[ScoredSubmission, ...]:
    """Return submissions by rank, then by score, so that one that is not ranked precedes those that it beats."""

    def order(submission: ScoredSubmission) -> tuple[float, float, bool, str]:
        oriented = sign * submission.scores[metric].value
        descending = math.inf if np.isnan(oriented) else -oriented
        return submission.rank, descending, submission.kind in UNRANKED, submission.name

    return tuple(sorted(submissions, key=order))


def enter_alone(
    submission: Submission, scores: Mapping[str, Result], oriented: float, others: FloatArray
) -> ScoredSubmission:
    """Return a submission that is not ranked with the rank that it takes among the ranked ones.

    It has no cluster, since it is not compared. If its score is undefined, all defined scores precede it.

    `scores`: its score under each metric.
    `oriented`: its score under the primary metric, turned so that higher is better.
    `others` (S,): those of the ranked submissions.
    """
    return ScoredSubmission(
        name=submission.name, kind=submission.kind, scores=scores, rank=rank_among(oriented, others)
    )


def rank_among(oriented: float, others: FloatArray) -> int:
    """Return the rank of a score among those of others, all oriented."""
    ahead = ~np.isnan(others) if np.isnan(oriented) else others > oriented + rounding_slack(others, oriented)
    return 1 + int(ahead.sum())


def rank_alone(
    ranked: Scoreboard, unranked: Scoreboard, results: Sequence[Sequence[Result]], *, joins: bool
) -> Iterator[ScoredSubmission]:
    """Yield the submissions that are not ranked, such as attacks, with the rank of each entered alone among the ranked.

    `ranked`: the complete submissions.
    `unranked`: the others, under the same scores and rules.
    `results` (scores, submissions): those of `unranked`.
    `joins`: whether scores of entries have one over all; mean ranks of clusters do not, without a cluster.
    """
    for i, submission in enumerate(unranked.submissions):
        scores, places = {}, list[FloatArray]()
        for name, contest, of_score in zip(ranked.scores, ranked.contests, results, strict=True):
            scores[name], oriented = _enter(ranked, contest, unranked, of_score[i])
            places.append(oriented)
        if not joins:
            scores = {name: attrs.evolve(result, value=np.nan) for name, result in scores.items()}
            places[0][-1] = np.nan
        alone = enter_alone(submission, scores, float(places[0][-1]), places[0][:-1])
        yield attrs.evolve(alone, stated=unranked.stated(submission.name))


def _enter(ranked: Scoreboard, contest: Contest, unranked: Scoreboard, result: Result) -> tuple[Result, FloatArray]:
    """Enter one submission; return its result, and the oriented scores (S + 1,) of the ranked ones, then its own.

    An aggregate that depends on the other submissions, such as an average rank, is computed among these, without
    an interval. So is a sum over parts, and the aggregate of a submission without a task of ranked ones: what is made
    of a score that is lacking.
    """
    by_name = result.tasks or {task.name: result for task in unranked.tasks[:1]}
    entered = {entry.name: _find(entry, unranked.entries, by_name) for entry in ranked.entries}
    absent = Result(value=np.nan)
    if contest.is_single:
        (alone,) = entered.values()
        in_task = alone or absent
        return attrs.evolve(in_task, tasks=result.tasks), np.append(contest.oriented, contest.sign * in_task.value)
    scores = {name: (found or absent).value for name, found in entered.items()}
    oriented = join_scores(contest, scores)
    value = float(contest.sign * oriented[-1])
    if contest.is_sum:
        defined = {name: of.value for name, of in entered.items() if of is not None and not np.isnan(of.value)}
        return Result(value=value, tasks={name: Result(value=score) for name, score in defined.items()}), oriented
    lacks_task = None in entered.values()
    if lacks_task or not contest.linear:
        result = Result(value=value, details={} if lacks_task else result.details, tasks=by_name)
    return result, oriented


def _find(entry: Entry, others: Sequence[Entry], results: Mapping[str, Result]) -> Result | None:
    """Return the result in the entry of the same rule and tasks; names of parts depend on the other parts."""
    same = next((other for other in others if other.rule == entry.rule and other.pairs == entry.pairs), None)
    return None if same is None else results.get(same.name)


def join_scores(contest: Contest, scores: Mapping[str, float]) -> FloatArray:
    """Return the oriented scores of all submissions of a contest and of one more, (S + 1,); the new one is last.

    `scores`: of the new submission, by the names of the parts of the contest.
    """
    added = [np.append(part.of.oriented, part.of.sign * scores.get(part.name, np.nan)) for part in contest.parts]
    parts = [attrs.evolve(part, positions=np.append(part.positions, contest.submissions)) for part in contest.parts]
    return attrs.evolve(contest, submissions=contest.submissions + 1, parts=tuple(parts)).combine(added)


def list_apart(
    rule: Partial,
    board: Scoreboard,
    whole: Scoreboard,
    by_entry: Sequence[Sequence[Mapping[str, Result]]],
    *,
    joins: bool,
) -> Iterator[ScoredSubmission]:
    """Yield the submissions that lack a task or a part: scores without intervals, no cluster and no rank set.

    `rule`: as in `Profile`.
    `whole`: those who lack nothing.
    `by_entry` (scores, submissions): the results in the entries of each.
    `joins`: as in `rank_alone`.
    """
    for i, submission in enumerate(board.submissions):
        if submission in whole.submissions:
            continue
        results = [
            Result(value=_join_own(rule, board, contest, own[i]) if joins else np.nan, tasks=own[i])
            for contest, own in zip(whole.contests, by_entry, strict=True)
        ]
        scores, overall = dict(zip(board.scores, results, strict=True)), whole.contests[0]
        entered = enter_alone(submission, scores, overall.sign * results[0].value, overall.oriented)
        # apart: the rank only sorts, and tables do not show it
        rank = entered.rank if rule == "mean_of_own" else 1 + overall.submissions
        stated = board.stated(submission.name)
        yield attrs.evolve(entered, rank=rank, stated=stated, absent=board.absent_from(submission.name))


def _join_own(rule: Partial, board: Scoreboard, contest: Contest, own: Mapping[str, Result]) -> float:
    """Return what the score over all is for one that has some entries, entered alone among the complete submissions."""
    if contest.is_single:  # the only task with a weight, which it lacks
        return np.nan
    scores = {name: result.value for name, result in own.items()}
    if rule == "mean_of_own":
        total = sum(entry.weight for entry in board.entries if not np.isnan(scores.get(entry.name, np.nan)))
        if not total:
            return np.nan
        contest = _weigh_own(contest, scores, total)
    return float(contest.sign * join_scores(contest, scores)[-1])


def _weigh_own(contest: Contest, scores: Mapping[str, float], total: float) -> Contest:
    """Return a contest of the parts that a submission has a score in; `total` is the sum of their weights."""
    there = [not np.isnan(scores.get(part.name, np.nan)) for part in contest.parts]
    if not contest.is_sum:
        return attrs.evolve(contest, weights=np.where(there, contest.weights, 0.0))
    own = [part for part, has in zip(contest.parts, there, strict=True) if has]
    return attrs.evolve(contest, parts=tuple(attrs.evolve(p, factor=(p.factor or 0.0) / total) for p in own))


def join_columns(
    board: Scoreboard,
    results: Sequence[Sequence[Result]],
    columns: Sequence[str],
    across: Aggregation,
    rule: Aggregation,
) -> list[Result]:
    """Return the aggregate of the columns for every submission, over all tasks and in each.

    `results` (metrics, submissions).
    `columns`: names of metrics of the scoreboard, and of numbers that submissions state, of which lower ones are
      better.
    `across`: the rule of the profile across tasks.
    `rule`: from the oriented values of the columns to one number, such as the mean of the ranks.

    Result: NaN in a task that a submission does not have, or where it lacks a column. Over all tasks: their aggregate.
    """
    names, whole = board.names, len(board.entries) == 1
    metrics = {metric.name: (metric, of_metric) for metric, of_metric in zip(board.metrics, results, strict=True)}

    def join(entry: Entry) -> FloatArray:
        (task,) = entry.tasks
        table = np.empty((len(entry.positions), len(columns)))
        for k, column in enumerate(columns):
            if column in metrics:
                metric, of_metric = metrics[column]
                sign = 1.0 if metric.higher_is_better else -1.0
                of_positions = [of_metric[i] if whole else of_metric[i].tasks[task.name] for i in entry.positions]
                table[:, k] = [sign * result.value for result in of_positions]
            else:
                table[:, k] = [-task.stated.get(names[i], {}).get(column, np.nan) for i in entry.positions]
        values = np.full(len(names), np.nan)
        values[entry.positions] = aggregate(rule, table, np.ones(len(columns)), True)
        return values

    by_task = [join(entry) for entry in board.entries]
    if whole:
        return [Result(value=float(value)) for value in by_task[0]]
    better = rule.higher_is_better is not False
    weights = np.array([entry.weight for entry in board.entries])
    over_tasks = aggregate(across, np.stack(by_task, axis=-1), weights, better)
    return [
        Result(
            value=float(value),
            tasks={
                entry.name: Result(value=float(of_task[i]))
                for entry, of_task in zip(board.entries, by_task, strict=True)
                if names[i] in entry.names
            },
        )
        for i, value in enumerate(over_tasks)
    ]


def absent_columns(board: Scoreboard, columns: Sequence[str], *, set_by_user: bool) -> list[str]:
    """Return the columns that are neither metrics of the scoreboard nor stated by a submission.

    Raises DataError if there is such a column and the user set the columns.
    """
    names = {metric.name for metric in board.metrics}
    names |= {name for task in board.tasks for stated in task.stated.values() for name in stated}
    absent = [name for name in columns if name not in names]
    if absent and set_by_user:
        what = f"columns: '{absent[0]}' is neither a metric of the profile nor stated by a submission"
        raise DataError(what, remedy=did_you_mean(absent[0], names))
    return absent


def add_columns(
    evaluation: Evaluation, board: Scoreboard, results: Sequence[Sequence[Result]], resolved: ResolvedProfile
) -> Evaluation:
    """Return an evaluation with the aggregate over columns as one more score of every submission but attacks.

    `board`, `results` (metrics, submissions): of the submissions that are ranked. Nothing is added without columns.
    """
    rule, profile = resolved.across_columns, resolved.profile
    if rule is None:
        return evaluation
    absent = absent_columns(board, profile.columns, set_by_user=profile.set_by_user("columns"))
    if absent:
        reason = f"named by the profile, neither metrics nor stated by a submission: {', '.join(absent)}"
        note = Dropped("", "column", len(absent), f"{reason}; there is no {rule.name}")
        return attrs.evolve(evaluation, dropped=(*evaluation.dropped, note))
    values = join_columns(board, results, profile.columns, resolved.across, rule)
    by_name = dict(zip((scored.name for scored in board.submissions), values, strict=True))
    better = rule.higher_is_better is not False
    return attrs.evolve(
        evaluation,
        metrics=(*evaluation.metrics, rule.name),
        higher_is_better={**evaluation.higher_is_better, rule.name: better},
        higher_in_tasks={**evaluation.higher_in_tasks, rule.name: better},
        submissions=tuple(
            attrs.evolve(scored, scores={**scored.scores, rule.name: by_name.get(scored.name, Result(value=math.nan))})
            for scored in evaluation.submissions
        ),
    )
