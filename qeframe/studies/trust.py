"""Which measures can be trusted on given data: what each separates, how stable its ranking is, how it can be gamed."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any

import attrs
import numpy as np
from attrs import frozen

from qeframe.core.batches.base import FloatArray
from qeframe.core.components.loading.registry import Registry
from qeframe.core.components.metric import Metric
from qeframe.core.components.significance import SignificanceTest
from qeframe.core.errors import CapabilityError, DataError
from qeframe.core.evaluation.comparable_across_tasks import ComparableAcrossTasks
from qeframe.core.evaluation.comparable_in_task import ComparableInTask
from qeframe.core.evaluation.comparison import better_of, compare_pairs
from qeframe.core.evaluation.comparison_rules import check_capability, comparison_rules
from qeframe.core.evaluation.scoreboard import scoreboard_of
from qeframe.core.profiles.absent_names import with_names_of_tasks
from qeframe.core.profiles.resolved import ResolvedProfile, chosen_metrics, resolve
from qeframe.core.profiles.schema import DEFAULT, Profile
from qeframe.core.resampling.draws import checked_seed, named_key
from qeframe.core.resampling.parallel import Runner
from qeframe.core.tasks.task import Task
from qeframe.statistics.ranks import mid_ranks
from qeframe.studies.error_rates import error_rate
from qeframe.studies.exchanged_answers import exchanged_answers
from qeframe.studies.power.curves import power_curves
from qeframe.studies.simulation import Share, Simulation

SPLITS, RUNS = 200, 400
"""How often the units are split in halves, and how many data sets of exchanged answers are tested."""
SEEDS = 5
"""With how many seeds all pairs are tested: a verdict that is not the same with all of them is not determined."""

Gamed = Callable[[str, Sequence[Task]], Mapping[str, Any]]
"""From a metric and tasks to how it can be gamed: see `TrustRow.gamed`."""


@frozen(kw_only=True)
class TrustRow:
    """One measure on one data set.

    Parameters
    ----------
    metric : str
    first : tuple of str
        The submissions with the best score.
    score : float
        Theirs; NaN if no score is defined.
    winners : tuple of str
        The submissions that no other one beats significantly with all of `SEEDS`, by the default test, two-sided.
    separated, undecided, pairs : int
        Of all pairs of submissions: those that differ significantly with all of `SEEDS`, and with some of them only.
    reason : str
        Why nothing was tested; empty if it was.
    reliability : float
        Split-half reliability of the ranking: the mean rank correlation r of the scores in two random halves of the
        units, stepped up to all units by Spearman and Brown's formula, 2 r / (1 + r). NaN with fewer than three
        submissions, or if no split has defined scores.
    needed, needed_high : float
        How many units separate the first from the second submission with a power of .8, at the observed difference and
        at the lower end of its interval (infinite if that holds 0). NaN where there is no standard error.
    own_test, default_test : str
        The test of the profile, and the default one.
    own_error, default_error : Share or None
        How often each rejects at alpha when answers of two submissions are exchanged at random, unit by unit: the null
        hypothesis is true then. None where it cannot be run so.
    gamed : mapping
        ``index`` with ``low`` and ``high``, the ``attack`` and the ``rank`` that it would take; empty if not asked for
        or if the metric has no gold side.
    """

    metric: str
    first: tuple[str, ...]
    score: float
    winners: tuple[str, ...] = ()
    separated: int = 0
    undecided: int = 0
    pairs: int = 0
    reason: str = ""
    reliability: float = math.nan
    needed: float = math.nan
    needed_high: float = math.nan
    own_test: str = ""
    own_error: Share | None = None
    default_test: str = ""
    default_error: Share | None = None
    gamed: Mapping[str, Any] = attrs.field(factory=dict)


def trust(
    profile: Profile,
    tasks: Sequence[Task],
    registry: Registry,
    *,
    metrics: Sequence[str] = (),
    splits: int = SPLITS,
    runs: int = RUNS,
    gamed: Gamed | None = None,
    seed: int = 0,
    runner: Runner | None = None,
) -> list[TrustRow]:
    """Return, for each of several measures, what it says on given data and how far that can be trusted.

    Parameters
    ----------
    profile : Profile
        Gives the aggregations, the unit of resampling, alpha, and the test of the year.
    tasks : sequence of Task
    registry : Registry
    metrics : sequence of str
        By default those of the profile.
    splits : int
        Random halves of the units.
    runs : int
        Data sets of exchanged answers, of the largest task; 0 leaves the error rates out.
    gamed : callable, optional
        Measures how a metric can be gamed on the tasks.
    seed : int
        Equal seeds give equal results. Tests are run with this seed and the next ones.
    runner : Runner, optional

    Raises
    ------
    DataError
        If the profile has parts, or there are fewer than two submissions.

    References
    ----------
    Graham (2015), Improving evaluation of machine translation quality estimation; Logacheva et al. (2016), Metrics for
    evaluation of word-level machine translation quality estimation.
    """
    if profile.is_assembled:
        raise DataError(f"profile '{profile.name}' is a task set", remedy="give a profile of one metric")
    if splits < 1 or runs < 0:
        raise DataError("at least one split is needed, and the number of runs must not be negative")
    seed, runner = checked_seed(seed), runner or Runner()
    honest = [task.only(lambda s: s.is_ranked) for task in tasks if task.batches]
    if len({submission.name for task in honest for submission in task.batches}) < 2:
        raise DataError("fewer than two submissions cannot be ranked", remedy="give the submissions of a task")
    measured = chosen_metrics(metrics or profile.metrics, registry)
    work = partial(_row, profile, honest, registry, splits=splits, runs=runs, gamed=gamed, seed=seed, runner=runner)
    return [work(metric) for metric in measured]


def _row(
    profile: Profile,
    tasks: Sequence[Task],
    registry: Registry,
    metric: Metric,
    *,
    splits: int,
    runs: int,
    gamed: Gamed | None,
    seed: int,
    runner: Runner,
) -> TrustRow:
    plain = attrs.evolve(
        profile,
        primary=metric.name,
        secondary=(),
        columns=(),
        across_columns="",
        interval="",
        ranking="clusters",
        own=frozenset(),
    )
    compared = attrs.evolve(plain, test=DEFAULT, correction=DEFAULT, sided="two", valid={})
    valid, _ = with_names_of_tasks(resolve(compared, registry, reads=False), [task.name for task in tasks])
    board = scoreboard_of(valid, tasks, seed, runner)
    assert board is not None, "some task has submissions"
    names, comparable = [submission.name for submission in board.submissions], board.comparables[0]
    oriented = comparable.oriented
    best = float(np.nanmax(oriented, initial=-np.inf))
    row = TrustRow(
        metric=metric.name,
        first=tuple(name for name, score in zip(names, oriented, strict=True) if score == best),
        score=comparable.sign * best if np.isfinite(best) else math.nan,
        reliability=split_half_reliability(comparable, splits, seed),
        gamed=gamed(metric.name, tasks) if gamed is not None else {},
    )
    row = _separated(row, valid, tasks, names, seed, runner)
    row = _needed(row, plain, tasks, registry, seed, runner)
    return row if not runs else _error_rates(row, plain, valid, metric, tasks, registry, runs, seed, runner)


def split_half_reliability(comparable: ComparableInTask | ComparableAcrossTasks, splits: int, seed: int) -> float:
    """Return the reliability of a ranking: see `TrustRow`.

    Each task is split by itself, so that both halves have the tasks in the same shares; of an odd number of units, the
    second half has one more.
    """
    rng = np.random.default_rng(named_key(seed, "halves"))
    halves = [_halves(rng, size, splits) for size in comparable.sizes]
    first = np.concatenate(halves, axis=1)
    found = _correlations(*(mid_ranks(comparable.weighted(half)) for half in (first, 1.0 - first)))
    mean = float(found.mean()) if found.size else math.nan
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
        found = (a * b).sum(axis=1) / np.sqrt((a**2).sum(axis=1) * (b**2).sum(axis=1))
    defined: FloatArray = found[np.isfinite(found)]
    return defined


def _separated(
    row: TrustRow, valid: ResolvedProfile, tasks: Sequence[Task], names: Sequence[str], seed: int, runner: Runner
) -> TrustRow:
    """Test all pairs with several seeds: a verdict that differs is not determined."""
    rules = comparison_rules(valid, valid.test)
    if rules is None:
        return attrs.evolve(row, reason="there is no test")
    found = []
    try:
        check_capability(valid.metrics[0], rules.test)
        for each in range(seed, seed + SEEDS):
            board = scoreboard_of(valid, tasks, each, runner)
            assert board is not None, "some task has submissions"
            found.append(better_of(compare_pairs(board.comparables[0], names, rules, metric=row.metric), names))
    except CapabilityError as error:
        return attrs.evolve(row, reason=str(error))
    nothing = np.zeros((len(names), len(names)), dtype=np.bool_)
    better = np.stack([nothing if each is None else each for each in found])
    always, ever = better.all(axis=0), better.any(axis=0)
    beaten = set(np.flatnonzero(always.any(axis=0)).tolist())
    return attrs.evolve(
        row,
        winners=tuple(name for i, name in enumerate(names) if i not in beaten),
        separated=int(always.sum()),
        undecided=int(ever.sum() - always.sum()),
        pairs=len(names) * (len(names) - 1) // 2,
        default_test=rules.test.name,
    )


def _needed(
    row: TrustRow, plain: Profile, tasks: Sequence[Task], registry: Registry, seed: int, runner: Runner
) -> TrustRow:
    try:
        study = power_curves(
            attrs.evolve(plain, test=""), tasks, registry, pairs="leader", draws=0, seed=seed, runner=runner
        )
    except (CapabilityError, DataError):
        return row
    second = study.curves[0]
    return attrs.evolve(row, needed=second.needed, needed_high=second.needed_high)


def _error_rates(
    row: TrustRow,
    plain: Profile,
    valid: ResolvedProfile,
    metric: Metric,
    tasks: Sequence[Task],
    registry: Registry,
    runs: int,
    seed: int,
    runner: Runner,
) -> TrustRow:
    """Measure the errors of both tests on exchanged answers of the largest task."""
    task = max(tasks, key=lambda each: each.units)
    try:
        null = exchanged_answers(tuple(task.batches.values()), f"exchanged:{task.name}")
        simulation = Simulation(metric=metric, null=null, units=task.units, runs=runs, seed=seed)
    except DataError:
        return row

    def rate(test: SignificanceTest, sided: Any) -> Share | None:
        try:
            check_capability(metric, test)
            found = error_rate(test, simulation, alpha=plain.alpha, sided=sided, leader=sided == "one", runner=runner)
        except (CapabilityError, DataError):
            return None
        return found.rejected if found.undefined < 1 else None

    own = _own_test(plain, registry)
    named = "" if own is None else own.name
    of_default = None if valid.test is None else rate(valid.test, "two")
    same = named == row.default_test and plain.sided == "two"
    of_own = None if own is None else of_default if same else rate(own, plain.sided)
    return attrs.evolve(row, own_test=named, own_error=of_own, default_error=of_default)


def _own_test(plain: Profile, registry: Registry) -> SignificanceTest | None:
    """Return the test of the profile, where it can be used with the metric."""
    try:
        return resolve(plain, registry, reads=False).test
    except (CapabilityError, DataError):
        return None


def same_first(rows: Sequence[TrustRow]) -> str:
    """Return a sentence on whom the measures put first."""
    counts = Counter(name for row in rows for name in row.first)
    if not counts:
        return "no measure has a defined score"
    (name, most), *_ = counts.most_common()
    others = {row.metric: row.first for row in rows if name not in row.first and row.first}
    said = f"{name} is first under {most} of {len(rows)} measures"
    return said + "".join(f"; {', '.join(first)} under {metric}" for metric, first in others.items())
