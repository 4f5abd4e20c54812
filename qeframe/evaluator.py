"""The main job: the rules of a profile applied to the tasks of a shared task. Pure: no file is read or written."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import attrs
import numpy as np

from qeframe.batch import FloatArray
from qeframe.comparison import Rules, check_capability, compare_pairs
from qeframe.components import Aggregation, Correction, Metric, RankingRule, SignificanceTest, Standing
from qeframe.errors import DataError
from qeframe.evaluation import Comparison, Evaluation, Result, Scored
from qeframe.parallel import Runner
from qeframe.profile import Profile, find_profile
from qeframe.registry import Registry, load
from qeframe.signature import sign
from qeframe.task import Submission, Task
from qeframe.trial import AcrossTrial, Bench, TaskTrial, Trial
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
    """Evaluate all submissions of a shared task by the rules of a profile.

    Parameters
    ----------
    profile : str or Profile
        A registered name, or a profile made by hand.
    task : Task or sequence of Task
        Several tasks (language pairs) are evaluated apart and combined.
    seed : int
        Equal seeds give equal evaluations, whatever the number of workers.
    registry : Registry, optional
        By default all installed plugins.
    runner : Runner, optional
        Where blocks of draws are computed, and who is told of the progress.

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
    tasks = (task,) if isinstance(task, Task) else tuple(task)
    return _Run(rules, tasks, seed, known, runner or Runner()).evaluation()


class _Run:
    """One evaluation: the components that the rules name, and the benches of all tasks."""

    def __init__(self, rules: Profile, tasks: Sequence[Task], seed: int, registry: Registry, runner: Runner) -> None:
        self.rules, self.tasks, self.seed, self.registry = rules, tasks, seed, registry
        if not tasks:
            raise DataError("there is no task to evaluate")
        self.metrics = tuple(registry.get(Metric, name) for name in dict.fromkeys(rules.metrics))
        self.across = registry.get(Aggregation, rules.across)
        self.pairwise = _pairwise(rules, registry)
        self.interval = registry.get(SignificanceTest, rules.interval) if rules.interval else None
        if self.pairwise:
            check_capability(self.metrics[0], self.pairwise.test)
        within = registry.get(Aggregation, rules.within)
        rng = np.random.default_rng(seed)
        self.benches = [
            Bench(
                metrics=self.metrics,
                batches=tuple(each.batches.values()),
                key=seed_key(rng),
                groups=each.groups,
                resample=rules.resample,
                within=within,
                runner=runner,
            )
            for each in tasks
        ]
        self.submissions = _union(tasks)

    def evaluation(self) -> Evaluation:
        """Compute everything."""
        overall = [self._overall(nth) for nth in range(len(self.metrics))]
        results = [self._results(nth, trial) for nth, trial in enumerate(overall)]
        comparisons, better = self._comparisons(overall[0])
        standing = Standing(goodness=overall[0].goodness, better=better, draws=self._draws(overall[0]))
        ranking = self.registry.get(RankingRule, self.rules.ranking).rank(standing)
        scored = [
            Scored(
                name=submission.name,
                kind=submission.kind,
                scores={m.name: of[i] for m, of in zip(self.metrics, results, strict=True)},
                rank=int(ranking.rank[i]),
                cluster=(int(ranking.cluster[i]) or None) if self._tested(comparisons) else None,
                rank_shares=() if ranking.shares is None else tuple(map(float, ranking.shares[i])),
            )
            for i, submission in enumerate(self.submissions)
        ]
        return Evaluation(
            profile=self.rules.name,
            title=self.rules.title,
            primary=self.metrics[0].name,
            metrics=tuple(m.name for m in self.metrics),
            higher_is_better={m.name: self._higher(m) for m in self.metrics},
            signature=sign(self.rules, self.tasks, self.seed, self.registry),
            submissions=tuple(sorted(scored, key=lambda s: (s.rank, s.name))),
            comparisons=tuple(comparisons),
            dropped=tuple(entry for each in self.tasks for entry in each.dropped),
            warnings=tuple(self._warnings(results)),
        )

    def _higher(self, metric: Metric) -> bool:
        declared = self.across.higher_is_better if len(self.tasks) > 1 else None
        return metric.higher_is_better if declared is None else declared

    def _overall(self, nth: int) -> TaskTrial | AcrossTrial:
        """Return the trial of one metric over all tasks."""
        trials = tuple(bench.trial(nth) for bench in self.benches)
        if len(trials) == 1:
            return trials[0]
        position = {submission.name: i for i, submission in enumerate(self.submissions)}
        places = tuple(np.array([position[s.name] for s in each.batches]) for each in self.tasks)
        return AcrossTrial(
            trials=trials,
            places=places,
            submissions=len(self.submissions),
            aggregation=self.across,
            weights=self._weights(),
        )

    def _weights(self) -> FloatArray:
        """Return the weight of every task."""
        names = [each.name for each in self.tasks]
        unknown = sorted({*self.across.exclude, *self.rules.weights} - set(names))
        if unknown:
            raise DataError(f"no task is named {', '.join(unknown)}", remedy=f"there are: {', '.join(names)}")
        declared = self.across.weighting == "declared"
        weights = [
            0.0
            if name in self.across.exclude
            else self.rules.weights.get(name, 0.0)
            if declared and self.rules.weights
            else float(each.units)
            if declared and self.across.linear
            else 1.0
            for name, each in zip(names, self.tasks, strict=True)
        ]
        if min(weights) < 0 or max(weights) <= 0:
            raise DataError("the weights of tasks must not be negative, and one must be positive")
        return np.array(weights)

    def _draws(self, trial: Trial) -> FloatArray | None:
        return None if self.interval is None or self.interval.interval is None else self._ends(trial)[2]

    def _ends(self, trial: Trial) -> tuple[FloatArray, FloatArray, FloatArray]:
        """Return the ends of the intervals, (S,) twice, and the draws behind them, all with higher is better."""
        if self.interval is None or self.interval.interval is None:
            undefined = np.full(len(trial.goodness), np.nan)
            return undefined, undefined, np.empty((0, len(undefined)))
        return self.interval.interval(trial, self.rules.confidence)

    def _results(self, nth: int, overall: TaskTrial | AcrossTrial) -> list[Result]:
        """Return the results of one metric for every submission."""
        whole = self._of_trial(overall)
        if isinstance(overall, TaskTrial):
            return whole
        apart: list[dict[str, Result]] = [{} for _ in self.submissions]
        for each, trial, place in zip(self.tasks, overall.trials, overall.places, strict=True):
            for i, result in zip(place, self._of_trial(trial), strict=True):
                apart[i][each.name] = result
        return [attrs.evolve(result, tasks=tasks) for result, tasks in zip(whole, apart, strict=True)]

    def _of_trial(self, trial: TaskTrial | AcrossTrial) -> list[Result]:
        low, high, draws = self._ends(trial)
        ends = np.sort(trial.sign * np.stack([low, high]), axis=0)
        undefined = np.isnan(draws).sum(axis=0)
        values = trial.sign * trial.goodness
        return [
            Result(
                value=float(values[i]),
                low=float(ends[0, i]),
                high=float(ends[1, i]),
                details={"undefined_draws": int(undefined[i])} if undefined[i] else {},
            )
            for i in range(len(values))
        ]

    def _comparisons(self, overall: TaskTrial | AcrossTrial) -> tuple[list[Comparison], Any]:
        """Return all comparisons of the primary metric, and who is significantly better than whom overall."""
        better = np.zeros((len(self.submissions), len(self.submissions)), dtype=np.bool_)
        if self.pairwise is None:
            return [], better
        names = [submission.name for submission in self.submissions]
        found: list[Comparison] = []
        if isinstance(overall, AcrossTrial):
            for each, trial in zip(self.tasks, overall.trials, strict=True):
                found += self._of_pairs(trial, [s.name for s in each.batches], each.name)
            if not self._works_across():
                return found, better
        whole = self._of_pairs(overall, names, "" if isinstance(overall, AcrossTrial) else self.tasks[0].name)
        position = {name: i for i, name in enumerate(names)}
        for comparison in whole:
            better[position[comparison.a], position[comparison.b]] = comparison.significant
        return [*whole, *found], better

    def _works_across(self) -> bool:
        """Whether the test can be run on the aggregate over tasks."""
        needs = self.pairwise.test.needs if self.pairwise else "vectors"
        return needs == "bind" or (needs == "exchange" and self.across.linear)

    def _of_pairs(self, trial: TaskTrial | AcrossTrial, names: Sequence[str], task: str) -> list[Comparison]:
        assert self.pairwise is not None
        return compare_pairs(trial, names, self.pairwise, metric=self.metrics[0].name, task=task)

    def _tested(self, comparisons: Sequence[Comparison]) -> bool:
        return bool(comparisons) and (len(self.tasks) == 1 or any(not c.task for c in comparisons))

    def _warnings(self, results: Sequence[Sequence[Result]]) -> list[str]:
        found = []
        for metric, of_metric in zip(self.metrics, results, strict=True):
            if metric.vectors is None:
                continue
            for submission, result in zip(self.submissions, of_metric, strict=True):
                for where, one in (result.tasks or {"": result}).items():
                    if one.value < 0 and not one.high > 0:
                        found.append(_against(submission.name, metric.name, where, one.value))
        return found


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


def _against(name: str, metric: str, task: str, value: float) -> str:
    where = f" on {task}" if task else ""
    return (
        f"{name} runs against the gold{where}: its {metric} is {value:.6f}, below 0; is the sign of its scores right?"
    )


def _union(tasks: Sequence[Task]) -> list[Submission]:
    """Return the submissions of all tasks in order of first appearance."""
    found: dict[str, Submission] = {}
    for task in tasks:
        for submission in task.batches:
            found.setdefault(submission.name, submission)
    return list(found.values())
