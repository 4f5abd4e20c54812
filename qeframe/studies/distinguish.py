"""Which metric tells submissions apart, and which lets itself be fooled: table 1 of Logacheva et al. (2016)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from attrs import frozen

from qeframe.components.aggregation import Aggregation
from qeframe.components.attack import Attack
from qeframe.components.metric import Metric
from qeframe.components.ranking import RankingInput, RankingRule
from qeframe.components.registry import Registry
from qeframe.components.significance import SignificanceTest
from qeframe.errors import DataError, counted
from qeframe.evaluation.attacks import enter_attacks
from qeframe.evaluation.comparable_across_tasks import ComparableAcrossTasks
from qeframe.evaluation.comparable_in_task import ComparableInTask
from qeframe.evaluation.scoreboard import Scoreboard
from qeframe.profiles.resolved import chosen_metrics
from qeframe.profiles.schema import Profile
from qeframe.resampling.draws import seed_key
from qeframe.resampling.parallel import Runner
from qeframe.studies.distinction import Distinction, distinction
from qeframe.tasks.task import Task, check_task_names

__all__ = ["Row", "distinguish"]


@frozen(kw_only=True)
class Row:
    """What one metric makes of the submissions and of the attacks.

    Parameters
    ----------
    metric : str
    distinction : Distinction
        Pairs of submissions that differ significantly, by a randomization test with Bonferroni's correction.
    groups : int
        How many groups the ranking falls into: a new one opens where an earlier member of the group is significantly
        better.
    beaten : mapping of str to int
        For each attack, the submissions whose score is strictly lower.
    submissions : int
        How many have a score, and can be beaten.
    """

    metric: str
    distinction: Distinction
    groups: int
    beaten: Mapping[str, int]
    submissions: int

    @property
    def total(self) -> int:
        """How many submissions all attacks together beat: the lower, the better the metric."""
        return sum(self.beaten.values())


def distinguish(
    rules: Profile,
    tasks: Sequence[Task],
    attacks: Sequence[Attack],
    registry: Registry,
    *,
    metrics: Sequence[str] = (),
    draws: int = 10_000,
    seed: int = 0,
    runner: Runner | None = None,
) -> list[Row]:
    """Test all pairs of submissions under several metrics, and enter attacks.

    Parameters
    ----------
    rules : Profile
        Whose aggregation, unit of resampling and alpha are taken.
    attacks : sequence of Attack
    metrics : sequence of str
        By default those of the profile.
    draws : int
        Exchanges of the randomization test. Bonferroni's threshold must be above 1 / (1 + draws), else nothing can ever
        be significant: that is an error.

    Returns
    -------
    list of Row
        One for each metric, in the order given.

    Raises
    ------
    DataError
        If there are fewer than two submissions, or too few draws for so many pairs.
    """
    check_task_names(tasks)
    found = chosen_metrics(metrics or rules.metrics, registry)
    honest = [task.only(lambda s: s.kind != "attack") for task in tasks]
    _check_draws(honest, draws, rules.alpha)
    attacked = [task.only(lambda s: s.kind == "attack") for task in enter_attacks(honest, attacks, seed=seed)]
    real, fake = (_contest(rules, some, found, registry, seed, runner) for some in (honest, attacked))
    test = registry.get(SignificanceTest, f"randomization(draws={draws})")
    clusters = registry.get(RankingRule, "clusters")
    return [
        _row(
            real.comparables[nth],
            fake.comparables[nth] if fake.submissions else None,
            fake,
            metric,
            test,
            clusters,
            rules.alpha,
        )
        for nth, metric in enumerate(found)
    ]


def _check_draws(tasks: Sequence[Task], draws: int, alpha: float) -> None:
    count = len({submission.name for task in tasks for submission in task.batches})
    if count < 2:
        raise DataError(f"{counted(count, 'submission')} cannot be told apart", remedy="at least two are needed")
    pairs = count * (count - 1) // 2
    if 1 / (1 + draws) >= alpha / pairs:
        raise DataError(
            f"{counted(draws, 'draw')} cannot reach {alpha:g} / {counted(pairs, 'pair')}",
            remedy=f"ask for at least {int(pairs / alpha)} draws",
        )


def _contest(
    rules: Profile,
    tasks: Sequence[Task],
    metrics: tuple[Metric, ...],
    registry: Registry,
    seed: int,
    runner: Runner | None,
) -> Scoreboard:
    rng = np.random.default_rng(seed)
    return Scoreboard(
        tasks=tuple(tasks),
        keys=tuple(seed_key(rng) for _ in tasks),
        metrics=metrics,
        within=registry.get(Aggregation, rules.within),
        across=registry.get(Aggregation, rules.across),
        weights=rules.weights,
        resample=rules.resample,
        runner=runner or Runner(),
    )


def _row(
    comparable: ComparableInTask | ComparableAcrossTasks,
    attacking: ComparableInTask | ComparableAcrossTasks | None,
    fake: Scoreboard,
    metric: Metric,
    test: SignificanceTest,
    clusters: RankingRule,
    alpha: float,
) -> Row:
    size, (first, second) = len(comparable.oriented), comparable.pairs
    p = np.ones((size, size))
    p[first, second] = p[second, first] = test.run(comparable, "two").p
    better = np.zeros_like(p, dtype=np.bool_)
    tested = max(int((~np.isnan(p[first, second])).sum()), 1)
    better[first, second] = p[first, second] < alpha / tested
    ranking = clusters.rank(RankingInput(oriented=comparable.oriented, better=better))
    theirs = np.empty(0) if attacking is None else attacking.oriented
    return Row(
        metric=metric.name,
        distinction=distinction(comparable.oriented, p, alpha=alpha),
        groups=int(ranking.cluster.max()),
        beaten={s.name: int((comparable.oriented < g).sum()) for s, g in zip(fake.submissions, theirs, strict=True)},
        submissions=int((~np.isnan(comparable.oriented)).sum()),
    )
