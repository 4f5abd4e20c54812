"""One measure on one data set: each column of its row."""

import math
import time
from collections.abc import Callable
from functools import cached_property

import attrs
import numpy as np
from attrs import frozen

from qeframe.core.batches.base import FloatArray
from qeframe.core.components.calls import parse_call
from qeframe.core.components.loading.registry import Registry
from qeframe.core.components.metric import Metric
from qeframe.core.components.significance import Sided, SignificanceTest
from qeframe.core.errors import CapabilityError, DataError
from qeframe.core.evaluation.comparable_across_tasks import ComparableAcrossTasks
from qeframe.core.evaluation.comparable_in_task import ComparableInTask
from qeframe.core.evaluation.comparison_rules import check_capability
from qeframe.core.evaluation.scoreboard import scoreboard_of
from qeframe.core.profiles.absent_names import with_names_of_tasks
from qeframe.core.profiles.resolved import ResolvedProfile, resolve
from qeframe.core.profiles.schema import DEFAULT, Profile
from qeframe.core.resampling.draws import named_key
from qeframe.core.resampling.parallel import SILENT, Runner
from qeframe.core.resampling.rounding import ROUNDING, rounding_slack
from qeframe.core.tasks.task import Task
from qeframe.gaming.gaming_gate import gamed_on_tasks
from qeframe.statistics.ranks import mid_ranks
from qeframe.studies.error_rates import error_rate
from qeframe.studies.measures.values import TrustRow
from qeframe.studies.measures.verdicts import ROUNDS, repeated_rules, tested, verdicts
from qeframe.studies.power.curves import power_curves
from qeframe.studies.simulation import Share, Simulation, exchanged_answers

VERDICT_SEED = 0
"""The draws of verdicts are always the same ones, so that no seed can be chosen for what it says of a pair."""
_PROBED_DRAWS, _PROBED_RUNS = (100, 400), 2


@frozen(kw_only=True)
class MeasureOnData:
    """One measure on one data set, and how it is studied.

    `profile`: of one metric; its own test is that of the year.
    `tasks`: the ranked submissions.
    `splits`, `runs`, `draws`: See `trust`.
    `audit`: whether to measure how the metric can be gamed.
    """

    profile: Profile
    metric: Metric
    tasks: tuple[Task, ...]
    registry: Registry
    splits: int
    runs: int
    draws: int
    audit: bool
    seed: int
    runner: Runner

    @cached_property
    def of_year(self) -> Profile:
        """The profile with this metric alone."""
        return attrs.evolve(
            self.profile,
            primary=self.metric.name,
            secondary=(),
            columns=(),
            across_columns="",
            interval="",
            ranking="clusters",
            own=frozenset(),
        )

    @cached_property
    def valid(self) -> ResolvedProfile:
        """The same with the test and the correction that are chosen by default, two-sided."""
        compared = attrs.evolve(self.of_year, test=DEFAULT, correction=DEFAULT, sided="two", valid={})
        resolved, _ = with_names_of_tasks(
            resolve(compared, self.registry, reads=False), [task.name for task in self.tasks]
        )
        return resolved

    @property
    def pieces(self) -> int:
        """How many pieces of work `row` has at most, each of which is told."""
        return ROUNDS + 2 * len(range(0, self.runs, 20)) + 1

    def row(self, told: Callable[[int], None]) -> TrustRow:
        """Return the row of the measure; `told` is called with the number of pieces that are done."""
        board = scoreboard_of(self.valid, self.tasks, self.seed, self.runner)
        assert board is not None, "some task has submissions"
        comparable = board.comparables[0]
        order = np.argsort(-np.nan_to_num(comparable.oriented, nan=-np.inf), kind="stable").tolist()
        scores = {board.submissions[i].name: float(comparable.sign * comparable.oriented[i]) for i in order}
        rounds = 0

        def on_round() -> None:
            nonlocal rounds
            told(rounds := rounds + 1)

        judged = verdicts(
            self.valid,
            self.tasks,
            self.registry,
            seed=VERDICT_SEED,
            draws=self.draws,
            runner=self.runner,
            on_round=on_round,
        )
        row = TrustRow(
            metric=self.metric.name,
            higher_is_better=comparable.sign > 0,
            scores=scores,
            first=_first(scores),
            verdicts=judged,
            reliability=split_half_reliability(comparable, self.splits, self.seed),
            gamed=gamed_on_tasks(self.metric.name, self.tasks, seed=self.seed, registry=self.registry)
            if self.audit
            else None,
        )
        told(ROUNDS + 1)
        row = self._with_units_needed(row)
        return self._with_errors(row, lambda done: told(ROUNDS + 1 + done)) if self.runs else row

    def _with_units_needed(self, row: TrustRow) -> TrustRow:
        try:
            rules = attrs.evolve(self.of_year, test="")
            study = power_curves(
                rules, self.tasks, self.registry, pairs="leader", draws=0, seed=self.seed, runner=self.runner
            )
        except (CapabilityError, DataError):
            return row
        return attrs.evolve(row, needed=study.curves[0].needed, needed_high=study.curves[0].needed_high)

    @cached_property
    def _simulation(self) -> Simulation | None:
        """Exchanged answers of the largest task; None where they cannot be exchanged."""
        task = max(self.tasks, key=lambda task: task.units)
        try:
            null = exchanged_answers(tuple(task.batches.values()), f"exchanged:{task.name}")
            return Simulation(metric=self.metric, null=null, units=task.units, runs=self.runs, seed=self.seed)
        except DataError:
            return None

    @cached_property
    def year_test(self) -> SignificanceTest | None:
        """The test of the profile, where it can be used with the metric."""
        try:
            return resolve(self.of_year, self.registry, reads=False).test
        except (CapabilityError, DataError):
            return None

    def _rate(self, test: SignificanceTest, sided: Sided, runner: Runner, simulation: Simulation) -> Share | None:
        try:
            check_capability(self.metric, test)
            rate = error_rate(
                test, simulation, alpha=self.profile.alpha, sided=sided, leader=sided == "one", runner=runner
            )
        except (CapabilityError, DataError):
            return None
        return rate.rejected if rate.undefined < 1 else None

    def _with_errors(self, row: TrustRow, told: Callable[[int], None]) -> TrustRow:
        """Measure the errors of both tests on exchanged answers."""
        simulation = self._simulation
        if simulation is None:
            return row

        def runner(before: int) -> Runner:
            return attrs.evolve(self.runner, on_progress=lambda done, _: told(before + done))

        first, second = runner(0), runner(len(simulation.parts))
        default, year = self.valid.test, self.year_test
        of_default = None if default is None else self._rate(default, "two", first, simulation)
        if year is None:
            return attrs.evolve(row, default_error=of_default)
        side: Sided = self.profile.sided or ("two" if "two" in year.sides else "one")
        same = default is not None and (year.name, side) == (default.name, "two")
        of_year = of_default if same else self._rate(year, side, second, simulation)
        return attrs.evolve(row, year_test=year.name, year_error=of_year, default_error=of_default)

    def expected_seconds(self) -> float:
        """Return about how long the row takes at most in one thread, from a short probe of its two longest parts."""
        rules = repeated_rules(self.valid, self.registry, self.draws)
        seconds = 0.0
        if rules is not None:
            few, more = (self._seconds_of_round(draws) for draws in _PROBED_DRAWS)
            slope = max(0.0, more - few) / (_PROBED_DRAWS[1] - _PROBED_DRAWS[0])
            seconds = ROUNDS * (few + slope * int(parse_call(rules.test.name).parameters.get("draws", 0)))
        if self.runs:
            fewer = attrs.evolve(self, runs=_PROBED_RUNS, runner=SILENT)
            begun = time.process_time()
            fewer._with_errors(TrustRow(metric=self.metric.name), lambda _: None)
            seconds += (time.process_time() - begun) * self.runs / _PROBED_RUNS
        return seconds

    def _seconds_of_round(self, draws: int) -> float:
        begun, rules = time.process_time(), repeated_rules(self.valid, self.registry, draws)
        try:
            if rules is not None:
                tested(self.valid, self.tasks, rules, self.seed, SILENT)
        except CapabilityError:
            return 0.0
        return time.process_time() - begun


def _first(scores: dict[str, float]) -> tuple[str, ...]:
    """Return the submissions with the best score, up to rounding; the best come first in the mapping."""
    best = next(iter(scores.values()), math.nan)
    slack = float(rounding_slack(best, best))
    return tuple(name for name, score in scores.items() if abs(score - best) <= slack)


def split_half_reliability(comparable: ComparableInTask | ComparableAcrossTasks, splits: int, seed: int) -> float:
    """Return the reliability of a ranking: see `TrustRow`.

    Each task is split by itself, so that both halves have the tasks in the same shares; of an odd number of units, the
    second half has one more.
    """
    rng = np.random.default_rng(named_key(seed, "halves"))
    halves = [_halves(rng, size, splits) for size in comparable.sizes]
    first = np.concatenate(halves, axis=1)
    correlations = _correlations(
        *(mid_ranks(comparable.weighted(half), slack=ROUNDING) for half in (first, 1.0 - first))
    )
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
