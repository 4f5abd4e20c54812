"""Which metric to use on given data: the pairs that each tells apart, the agreement of halves, how far it is gamed."""

import math
from collections.abc import Sequence
from typing import Any

import attrs
import numpy as np
from attrs import frozen

from qeframe.api.arrays.scoring import score
from qeframe.assembly.scoreboard import scoreboard_of
from qeframe.core.batch import FloatArray
from qeframe.core.contest import Contest
from qeframe.core.display import Brief
from qeframe.core.draws import checked_seed, named_key
from qeframe.core.errors import DataError, QeframeError
from qeframe.core.metric import Metric
from qeframe.core.profile import DEFAULT, Profile
from qeframe.core.ranking import ROUNDING
from qeframe.core.registry import Registry
from qeframe.core.resolve import ResolvedProfile, chosen_metrics, resolve, with_names_of_tasks
from qeframe.core.runner import SILENT, Runner
from qeframe.core.task import Task
from qeframe.gaming.gaming_gate import Gamed, gamed_on_tasks
from qeframe.report.result_files.files import schema_in
from qeframe.statistics.ranks import mid_ranks
from qeframe.studies.separation_tables import check_draws, ranked_tasks
from qeframe.studies.verdicts import Verdicts, tell_apart

SPLITS = 200
"""How often the units are split in halves."""


@frozen(kw_only=True, repr=False)
class StudiedMetric(Brief):
    """One metric on given data.

    Parameters
    ----------
    metric : str
    verdicts : Verdicts
        How many pairs of submissions it tells apart, by its default test and correction, two-sided.
    reliability : float
        Split-half reliability of the ranking: the mean rank correlation r of the scores in two random halves of the
        units, stepped up to all units by Spearman and Brown's formula, 2 r / (1 + r). NaN with fewer than three
        submissions, or if no split has defined scores.
    gamed : Gamed or None
        How far the metric can be gamed; None if not asked for or if the metric has no gold side.
    """

    metric: str
    verdicts: Verdicts
    reliability: float = math.nan
    gamed: Gamed | None = None


@frozen(kw_only=True, repr=False)
class MetricStudy(Brief):
    """Several metrics on given data.

    Parameters
    ----------
    profile, title : str
    unit : str
    units, submissions, tasks : int
    splits : int
        Random halves of the units.
    alpha : float
    seed : int
    metrics : tuple of StudiedMetric
    """

    profile: str
    title: str
    unit: str
    units: int
    submissions: int
    tasks: int
    splits: int = SPLITS
    alpha: float
    seed: int
    metrics: tuple[StudiedMetric, ...]


def distinguish(
    profile: Profile,
    tasks: Sequence[Task],
    registry: Registry,
    *,
    metrics: Sequence[str] = (),
    all_metrics: bool = False,
    gaming: bool = False,
    draws: int = 0,
    seed: int = 0,
    runner: Runner | None = None,
) -> MetricStudy:
    """Say how well each of several metrics tells the submissions apart, and how far halves of the data agree.

    Parameters
    ----------
    profile : Profile
        Gives the aggregations, the unit of resampling, the task weights and alpha.
    tasks : sequence of Task
    registry : Registry
    metrics : sequence of str
        By default those of the profile.
    all_metrics : bool
        Whether to add every other metric of the registry that scores these tasks.
    gaming : bool
        Whether to measure how far each metric can be gamed on these tasks.
    draws : int
        Draws of a test in each of at most 16 rounds. 0: 10,000, and 2,000 for metrics that are not smooth in the
        weights of units, whose draws take longer. A pair is not determined if its p is nearer to alpha than the error
        of so many draws.
    seed : int
        Of the halves and the attacks. Which pairs are told apart does not depend on it.
    runner : Runner, optional
        Runs blocks of draws, and is told how many metrics are done.

    Returns
    -------
    MetricStudy

    Raises
    ------
    DataError
        If there are fewer than two submissions, too few draws for alpha, if the profile is a task set, or if the user
        set a weight or an exclusion of a task that is not there.

    References
    ----------
    Graham (2015), Improving evaluation of machine translation quality estimation; Logacheva et al. (2016), Metrics for
    evaluation of word-level machine translation quality estimation.
    """
    seed, runner = checked_seed(seed), runner or Runner()
    ranked = [task for task in ranked_tasks(profile, tasks) if task.batches]
    if draws < 0:
        raise DataError("the number of draws must not be negative", remedy="0 draws what the metric needs")
    if draws:
        check_draws(draws, profile.alpha)
    with_names_of_tasks(resolve(profile, registry, reads=False), [task.name for task in tasks])
    asked = [metric.name for metric in chosen_metrics(metrics or profile.metrics, registry)]
    chosen = chosen_metrics([*asked, *(other_metrics(ranked, asked, registry) if all_metrics else ())], registry)
    quiet, rows = attrs.evolve(runner, on_progress=SILENT.on_progress), []
    for nth, metric in enumerate(chosen):
        runner.on_progress(nth, len(chosen))
        rules = _valid_rules(profile, metric, [task.name for task in ranked], registry)
        rows.append(_study(metric, rules, ranked, registry, gaming=gaming, draws=draws, seed=seed, runner=quiet))
    runner.on_progress(len(chosen), len(chosen))
    return MetricStudy(
        profile=profile.name,
        title=profile.title or profile.name,
        unit=ranked[0].unit,
        units=sum(task.units for task in ranked),
        submissions=len({submission.name for task in ranked for submission in task.batches}),
        tasks=len(ranked),
        alpha=profile.alpha,
        seed=seed,
        metrics=tuple(rows),
    )


def _valid_rules(profile: Profile, metric: Metric, names: Sequence[str], registry: Registry) -> ResolvedProfile:
    """Return the rules of a profile for one metric, with the test and correction chosen by default, two-sided."""
    rules = attrs.evolve(
        profile,
        primary=metric.name,
        secondary=(),
        columns=(),
        across_columns="",
        interval="",
        ranking="clusters",
        test=DEFAULT,
        correction=DEFAULT,
        sided="two",
        valid={},
        own=frozenset(),
    )
    resolved, _ = with_names_of_tasks(resolve(rules, registry, reads=False), names)
    return resolved


def _study(
    metric: Metric,
    rules: ResolvedProfile,
    tasks: Sequence[Task],
    registry: Registry,
    *,
    gaming: bool,
    draws: int,
    seed: int,
    runner: Runner,
) -> StudiedMetric:
    board = scoreboard_of(rules, tasks, seed, runner)
    assert board is not None, "some task has submissions"
    return StudiedMetric(
        metric=metric.name,
        verdicts=tell_apart(rules, tasks, registry, draws=draws, runner=runner),
        reliability=split_half_reliability(board.contests[0], SPLITS, seed),
        gamed=gamed_on_tasks(metric.name, tasks, seed=seed, registry=registry, runner=runner) if gaming else None,
    )


def other_metrics(tasks: Sequence[Task], known: Sequence[str], registry: Registry) -> list[str]:
    """Return the other metrics that score the first submission of the first task."""
    batch = next(batch for task in tasks for batch in task.batches.values())
    others = []
    for metric in registry.all(Metric):
        if metric.name in known or not isinstance(batch, metric.kind):
            continue
        try:
            value = float(score(metric, batch, None))
        except QeframeError:
            continue
        if math.isfinite(value):
            others.append(metric.name)
    return others


def split_half_reliability(contest: Contest, splits: int, seed: int) -> float:
    """Return the reliability of a ranking: see `StudiedMetric`.

    Each task is split by itself, so that both halves have the tasks in the same shares; of an odd number of units, the
    second half has one more.
    """
    rng = np.random.default_rng(named_key(seed, "halves"))
    halves = [_halves(rng, size, splits) for size in contest.sizes]
    first = np.concatenate(halves, axis=1)
    correlations = _correlations(*(mid_ranks(contest.weighted(half), slack=ROUNDING) for half in (first, 1.0 - first)))
    mean = float(correlations.mean()) if correlations.size else math.nan
    return 2 * mean / (1 + mean) if mean > -1 else math.nan


def _halves(rng: np.random.Generator, size: int, splits: int) -> FloatArray:
    """Return which units of a task are in the first half, 0 or 1, (splits, size)."""
    order = np.argsort(rng.random((splits, size)), axis=1)
    first = np.zeros((splits, size))
    np.put_along_axis(first, order[:, : size // 2], 1.0, axis=1)
    return first


def _correlations(first: FloatArray, second: FloatArray) -> FloatArray:
    """Return the correlations of the rows of two arrays, without rows in which one is undefined."""
    if first.shape[1] < 3:
        return np.empty(0)
    a, b = (ranks - ranks.mean(axis=1, keepdims=True) for ranks in (first, second))
    with np.errstate(invalid="ignore", divide="ignore"):
        correlations = (a * b).sum(axis=1) / np.sqrt((a**2).sum(axis=1) * (b**2).sum(axis=1))
    defined: FloatArray = correlations[np.isfinite(correlations)]
    return defined


def distinguish_schema() -> dict[str, Any]:
    """Return the JSON Schema (draft 2020-12) that the JSON of ``qeframe distinguish`` keeps in this version.

    Keys that it does not name are allowed, since a release may add some; its key ``format`` is the version of the rest.
    """
    return schema_in(__package__, "distinguish.schema.json")
