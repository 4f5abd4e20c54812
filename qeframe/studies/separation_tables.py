"""Which metric separates submissions, and which one attacks can fool: table 1 of Logacheva et al. (2016)."""

import math
from collections.abc import Mapping, Sequence

import numpy as np
from attrs import frozen
from numpy.typing import ArrayLike

from qeframe.api.attacks import enter_attacks
from qeframe.assembly.scoreboard import Scoreboard, bind_tasks
from qeframe.core.batch import BoolArray, FloatArray, IntArray
from qeframe.core.calls import Call
from qeframe.core.contest import Contest
from qeframe.core.draws import checked_seed, seed_key
from qeframe.core.errors import DataError, counted
from qeframe.core.metric import Attack, Metric
from qeframe.core.profile import Profile
from qeframe.core.ranking import RankingInput, RankingRule, rank
from qeframe.core.registry import Registry
from qeframe.core.resolve import ResolvedProfile, chosen_metrics, resolve, with_names_of_tasks
from qeframe.core.runner import Runner
from qeframe.core.significance import SignificanceTest, run
from qeframe.core.task import Task, check_task_names


@frozen
class Distinction:
    """The share of pairs of submissions that differ significantly.

    Parameters
    ----------
    d : float
        Among all pairs; NaN if no pair could be tested.
    d_top, d_bottom : float
        Within the better and within the worse half of the submissions that have a score. Of an odd number, the middle
        one is in the worse half. NaN if no pair of the half was tested.
    """

    d: float
    d_top: float
    d_bottom: float


def distinction_coefficient(oriented: ArrayLike, p: ArrayLike, *, alpha: float = 0.05) -> Distinction:
    """Return the system distinction coefficient.

    Parameters
    ----------
    oriented : (S,) array_like
        Scores turned so that higher is better. Ties keep their order. Undefined scores (NaN) are left out.
    p : (S, S) array_like
        The unadjusted p-value of every pair, symmetric. A pair with NaN was not tested and does not count.
    alpha : float
        The level of each family. Bonferroni's correction divides it by the number of tested pairs: of all submissions
        for d, of a half for d_top and d_bottom.

    Returns
    -------
    Distinction
        Shares in [0, 1].

    Raises
    ------
    DataError
        If the shapes do not fit.

    References
    ----------
    Logacheva, Lukasik and Specia (2016), Metrics for Evaluation of Word-level Machine Translation Quality Estimation.
    """
    scores, values = np.asarray(oriented, dtype=np.float64), np.asarray(p, dtype=np.float64)
    if values.shape != (len(scores), len(scores)):
        what = f"{len(scores)} scores need p-values of shape {(len(scores),) * 2}, not {values.shape}"
        raise DataError(what, remedy="give one p-value for each pair of submissions")
    scored = np.flatnonzero(~np.isnan(scores))
    order = scored[np.argsort(-scores[scored], kind="stable")]
    half = len(order) // 2
    return Distinction(*(_share(values, part, alpha) for part in (order, order[:half], order[half:])))


def _share(p: FloatArray, members: IntArray, alpha: float) -> float:
    """Return the share of the tested pairs among `members` whose p is below alpha divided by their number."""
    first, second = np.triu_indices(len(members), 1)
    pairs: FloatArray = p[np.ix_(members, members)][first, second]
    pairs = pairs[~np.isnan(pairs)]
    if not len(pairs):
        return float("nan")
    significant: BoolArray = pairs < alpha / len(pairs)
    return float(significant.mean())


@frozen(kw_only=True)
class MetricRow:
    """How one metric separates the submissions, and how many of them each attack beats.

    Parameters
    ----------
    metric : str
    distinction : Distinction
        Shares of the pairs of submissions that differ significantly, with Bonferroni's correction.
    groups : int
        The number of significantly different groups of the ranking. A new group opens at a submission that an earlier
        member of the group beats significantly.
    beaten : mapping of str to int
        For each attack, the number of submissions with a strictly lower score.
    submissions : int
        The number of submissions with a score: those that an attack could beat.
    """

    metric: str
    distinction: Distinction
    groups: int
    beaten: Mapping[str, int]
    submissions: int

    @property
    def total(self) -> int:
        """The number of submissions that all attacks beat together: the lower, the better the metric."""
        return sum(self.beaten.values())


def distinguish_by_attacks(
    profile: Profile,
    tasks: Sequence[Task],
    attacks: Sequence[Attack],
    registry: Registry,
    *,
    metrics: Sequence[str] = (),
    draws: int = 10_000,
    seed: int = 0,
    runner: Runner | None = None,
) -> list[MetricRow]:
    """Test all pairs of submissions under several metrics, and count the submissions that attacks beat.

    Parameters
    ----------
    profile : Profile
        Gives the aggregations, the unit of resampling, the task weights and alpha.
    tasks : sequence of Task
    attacks : sequence of Attack
        Entered as by `enter_attacks`.
    registry : Registry
    metrics : sequence of str
        By default those of the profile.
    draws : int
        Of the randomization test. Bonferroni's threshold must exceed 1 / (1 + draws): otherwise no pair could be
        significant, which is an error.
    seed : int
        Equal seeds give equal results.
    runner : Runner, optional
        Runs the computation and reports its progress.

    Returns
    -------
    list of MetricRow
        One for each metric, in the order given.

    Raises
    ------
    DataError
        If there are fewer than two submissions, too few draws for the number of pairs, if the profile is a task set, or
        if the user set a weight or an exclusion of a task that is not there.
    """
    seed, honest = checked_seed(seed), ranked_tasks(profile, tasks)
    resolved, _ = with_names_of_tasks(resolve(profile, registry, reads=False), [task.name for task in tasks])
    compared = chosen_metrics(metrics or profile.metrics, registry)
    check_draws(draws, profile.alpha, math.comb(len(_names(honest)), 2))
    attacked = [task.only(lambda s: s.kind == "attack") for task in enter_attacks(honest, attacks, seed=seed)]
    real = _scoreboard(resolved, honest, compared, seed, runner)
    fake = _scoreboard(resolved, attacked, compared, seed, runner)
    test = registry.get(SignificanceTest, Call("randomization", {"draws": draws}))
    rule = registry.get(RankingRule, "clusters")
    return [_row(real, fake, nth, test, rule, profile.alpha) for nth in range(len(compared))]


def ranked_tasks(profile: Profile, tasks: Sequence[Task]) -> list[Task]:
    """Return tasks with their ranked submissions.

    Raises DataError if the profile is a task set, or there are fewer than two submissions.
    """
    if profile.parts:
        raise DataError(
            f"profile '{profile.name}' is a task set", remedy="give a profile of one metric, as by_selection makes"
        )
    check_task_names(tasks)
    ranked = [task.only(lambda submission: submission.is_ranked) for task in tasks]
    if (count := len(_names(ranked))) < 2:
        raise DataError(f"{counted(count, 'submission')} cannot be compared", remedy="at least two are needed")
    return ranked


def _names(tasks: Sequence[Task]) -> set[str]:
    return {submission.name for task in tasks for submission in task.batches}


def check_draws(draws: int, alpha: float, pairs: int = 0) -> None:
    """Raise DataError for draws that cannot reach alpha, or alpha divided by a number of pairs."""
    if 1 / (1 + draws) >= alpha / max(pairs, 1):
        level = f"{alpha:g} / {counted(pairs, 'pair')}" if pairs else f"{alpha:g}"
        remedy = f"ask for at least {int(max(pairs, 1) / alpha)} draws"
        raise DataError(f"{counted(draws, 'draw')} cannot reach {level}", remedy=remedy)


def _scoreboard(
    resolved: ResolvedProfile, tasks: Sequence[Task], metrics: tuple[Metric, ...], seed: int, runner: Runner | None
) -> Scoreboard:
    rng = np.random.default_rng(seed)
    return bind_tasks(
        tasks,
        [seed_key(rng) for _ in tasks],
        metrics,
        within=resolved.within,
        across=resolved.across,
        weights=resolved.profile.weights,
        resample=resolved.profile.resample,
        runner=runner or Runner(),
    )


def _row(
    real: Scoreboard, fake: Scoreboard, nth: int, test: SignificanceTest, ranking: RankingRule, alpha: float
) -> MetricRow:
    """Return the row of one metric, by its position in both scoreboards."""
    contest = real.contests[nth]
    p, better = _tested(contest, test, alpha)
    ranked = rank(ranking, RankingInput(oriented=contest.oriented, better=better))
    attacks = fake.contests[nth].oriented if fake.submissions else np.empty(0)
    return MetricRow(
        metric=real.metrics[nth].name,
        distinction=distinction_coefficient(contest.oriented, p, alpha=alpha),
        groups=int(ranked.cluster.max()),
        beaten={
            submission.name: int((contest.oriented < score).sum())
            for submission, score in zip(fake.submissions, attacks, strict=True)
        },
        submissions=int((~np.isnan(contest.oriented)).sum()),
    )


def _tested(contest: Contest, test: SignificanceTest, alpha: float) -> tuple[FloatArray, BoolArray]:
    """Return the p-values of all pairs, (S, S), and who is significantly better than whom, (S, S)."""
    first, second = contest.pairs
    p = np.ones((len(contest.oriented), len(contest.oriented)))
    p[first, second] = p[second, first] = run(test, contest, "two").p
    tested = max(int((~np.isnan(p[first, second])).sum()), 1)
    better = np.zeros_like(p, dtype=np.bool_)
    better[first, second] = p[first, second] < alpha / tested
    return p, better
