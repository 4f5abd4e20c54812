"""The scoreboard: submissions under each score of a profile, and the tasks or parts that the scores are made of."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

import attrs
import numpy as np
from attrs import field, frozen

from qeframe.core.batch import FloatArray, IntArray
from qeframe.core.contest import Contest
from qeframe.core.draws import Key, named_key
from qeframe.core.errors import DataError, did_you_mean
from qeframe.core.metric import Metric
from qeframe.core.profile import PartRule
from qeframe.core.ranking import Aggregation
from qeframe.core.resolve import ResolvedProfile
from qeframe.core.runner import Runner
from qeframe.core.sample import Sample
from qeframe.core.significance import SignificanceTest
from qeframe.core.task import Dropped, Submission, Task, is_pair


@frozen(kw_only=True, eq=False)
class Entry:
    """A task, or a part of a task set: one of those that a score over several is made of.

    `name`: of the task; of a part: the language pair, the metric, and what else tells it from other parts.
    `tasks`: one, or one for each language pair that a part pools.
    `contests`: its submissions under each score of the scoreboard.
    `positions` (s,): of its submissions among all submissions.
    `weight`: in the score over all; those of parts sum to 1.
    `rule`, `test`: of a part; None of a task, and where a part is not tested.
    `scale` (float, float): of a part, the worst and the best score, which become 0 and 1.
    """

    name: str
    tasks: tuple[Task, ...]
    contests: tuple[Contest, ...]
    positions: IntArray
    weight: float
    rule: PartRule | None = None
    test: SignificanceTest | None = None
    scale: tuple[float, float] = (0.0, 1.0)

    @property
    def contest(self) -> Contest:
        """Its submissions under the primary score."""
        return self.contests[0]

    @property
    def names(self) -> tuple[str, ...]:
        """The names of its submissions."""
        return tuple(submission.name for submission in submissions_of(self.tasks))

    @property
    def pairs(self) -> tuple[str, ...]:
        """The names of its tasks: of a part, the language pairs."""
        return tuple(task.name for task in self.tasks)

    @property
    def samples(self) -> tuple[tuple[object, bytes], ...]:
        """Of each task, what it has in common with the tasks whose units are drawn together with its own."""
        return tuple(term.sample.identity for term in self.contest.terms)

    @property
    def resampled(self) -> bool:
        """Whether there are units to draw in every task of a part: a row of system scores alone has none."""
        return self.rule is None or min(self.contest.sizes) > 1

    @property
    def factor(self) -> float:
        """What the overall score gains if an oriented score of the part is higher by 1; positive."""
        worst, best = self.scale
        return self.weight * self.contest.sign / (best - worst)

    @property
    def origin(self) -> float:
        """The oriented score of the part that adds nothing: the worst one."""
        return self.contest.sign * self.scale[0]


@frozen(kw_only=True, eq=False)
class Scoreboard:
    """The submissions of tasks under each score of a profile.

    `tasks`, `samples`: those that have submissions, and their metrics, bound.
    `metrics`: of all samples.
    `scores`: the names of the scores: those of the metrics, the primary one first, or "overall" over parts.
    `submissions`: of all tasks, in order of first occurrence.
    `entries`: the tasks, or the parts of a task set.
    `contests`: all submissions under each score; of a single task, its own contest.
    `dropped`: language pairs of parts that are not there, or have no outcome in a pooled part.
    """

    tasks: tuple[Task, ...]
    samples: tuple[Sample, ...]
    metrics: tuple[Metric, ...]
    scores: tuple[str, ...]
    submissions: tuple[Submission, ...]
    entries: tuple[Entry, ...]
    contests: tuple[Contest, ...]
    dropped: tuple[Dropped, ...] = field(default=())

    @property
    def complete(self) -> IntArray:
        """The positions of the submissions that lack no entry with a weight; of all submissions if there is none."""
        weighted = [entry.positions for entry in self.entries if entry.weight > 0]
        count = np.bincount(np.concatenate(weighted), minlength=len(self.submissions))
        complete = np.flatnonzero(count == len(weighted))
        return complete if len(complete) else np.arange(len(self.submissions))

    @property
    def names(self) -> list[str]:
        """The names of the submissions."""
        return [submission.name for submission in self.submissions]

    def stated(self, name: str) -> dict[str, Mapping[str, float]]:
        """Return what a submission states about itself, by task; nothing over parts, which read one often."""
        if any(entry.rule is not None for entry in self.entries):
            return {}
        return {task.name: stated for task in self.tasks if (stated := task.stated.get(name))}

    def only_complete(self) -> Scoreboard:
        """Return the scoreboard of the complete submissions: their scores do not depend on the others.

        A task that none of them has leaves; a part keeps the submissions that it compares, some at position -1.
        """
        chosen = self.complete
        if len(chosen) == len(self.submissions):
            return self
        position = np.full(len(self.submissions), -1)
        position[chosen] = np.arange(len(chosen))
        entries = []
        for entry in self.entries:
            moved = position[entry.positions]
            members = np.flatnonzero(moved >= 0)
            if entry.rule is not None:
                entries.append(attrs.evolve(entry, positions=moved))
            elif len(members):
                contests = tuple(contest.only(members) for contest in entry.contests)
                entries.append(attrs.evolve(entry, contests=contests, positions=moved[members]))
        names = {self.submissions[i].name for i in chosen}
        tasks = [task.only(lambda submission: submission.name in names) for task in self.tasks]
        return attrs.evolve(
            self,
            tasks=tuple(task for task in tasks if task.batches),
            submissions=tuple(self.submissions[i] for i in chosen),
            entries=tuple(entries),
            contests=tuple(contest.only(chosen) for contest in self.contests),
        )

    def absent_from(self, name: str) -> tuple[str, ...]:
        """Return the names of the entries with a weight that a submission lacks."""
        return tuple(entry.name for entry in self.entries if entry.weight > 0 and name not in entry.names)


def scoreboard_of(
    resolved: ResolvedProfile,
    tasks: Sequence[Task],
    seed: int,
    runner: Runner,
    *,
    compared_with_all: str = "",
    complete: bool = True,
) -> Scoreboard | None:
    """Return the submissions of tasks under the scores of a profile, None if there is no submission.

    Parameters
    ----------
    resolved : ResolvedProfile
    tasks : sequence of Task
        With parts, one for each language pair and selection.
    seed : int
        Of the draws. The draws of a task depend on its name too, unless it is the only one and no language pair; those
        of parts on the name of the language pair alone.
    runner : Runner
    compared_with_all : str
        The submission that is compared with each other one. Empty: all pairs are compared.
    complete : bool
        Whether a language pair of parts that is there must have every selection. Otherwise the parts have no weights.

    Returns
    -------
    Scoreboard or None

    Raises
    ------
    DataError
        If the weights of tasks, or the parts, do not fit the tasks.
    """
    if resolved.parts:
        from qeframe.assembly.parts import bind_parts  # a profile of parts is rare

        if not (complete or any(task.batches for task in tasks)):
            return None
        return bind_parts(resolved, tasks, seed, runner, complete=complete, compared_with_all=compared_with_all)
    by_name = len(tasks) != 1 or is_pair(tasks[0].name)  # else it is that of a folder
    filled = [(task, named_key(seed, task.name if by_name else "")) for task in tasks if task.batches]
    if not filled:
        return None
    empty = {task.name for task in tasks if not task.batches}  # what the profile says of them has no effect
    excluded = tuple(task for task in resolved.across.exclude if task not in empty)
    return bind_tasks(
        [task for task, _ in filled],
        [key for _, key in filled],
        resolved.metrics,
        within=resolved.within,
        across=attrs.evolve(resolved.across, exclude=excluded),
        weights={name: weight for name, weight in resolved.profile.weights.items() if name not in empty},
        resample=resolved.profile.resample,
        runner=runner,
        compared_with_all=compared_with_all,
    )


def bind_tasks(
    tasks: Sequence[Task],
    keys: Sequence[Key],
    metrics: Sequence[Metric],
    *,
    within: Aggregation,
    across: Aggregation,
    weights: Mapping[str, float],
    resample: str,
    runner: Runner,
    compared_with_all: str = "",
) -> Scoreboard:
    """Return the submissions of tasks under metrics.

    `keys`: the key of the stream of draws of each task. Equal keys give equal draws.
    `within`, `across`: combine the groups of units of a task, and the tasks.
    `weights`: the declared weights of tasks; empty if none are declared.
    `resample`: what is resampled: see `Sample`.
    """
    several = len(tasks) > 1
    samples = tuple(
        Sample(
            metrics=tuple(metrics),
            batches=tuple(task.batches.values()),
            key=key,
            groups=task.groups,
            resample=resample,
            within=within,
            runner=runner,
        )
        for task, key in zip(tasks, keys, strict=True)
    )
    submissions, weighted = submissions_of(tasks), weigh_tasks(tasks, across, weights) if several else np.ones(1)
    position = {submission.name: i for i, submission in enumerate(submissions)}
    positions = [np.array([position[s.name] for s in task.batches]) for task in tasks]
    terms = [
        [
            Contest.of(sample, nth, compared_with_all=position_of(compared_with_all, task.batches))
            for nth in range(len(metrics))
        ]
        for task, sample in zip(tasks, samples, strict=True)
    ]
    over_tasks = (
        Contest.across(
            [of_task[nth] for of_task in terms],
            positions,
            [task.name for task in tasks],
            submissions=len(submissions),
            aggregation=across,
            weights=weighted,
            compared_with_all=position.get(compared_with_all),
        )
        for nth in range(len(metrics))
    )
    return Scoreboard(
        tasks=tuple(tasks),
        samples=samples,
        metrics=tuple(metrics),
        scores=tuple(metric.name for metric in metrics),
        submissions=submissions,
        entries=tuple(
            Entry(name=task.name, tasks=(task,), contests=tuple(contests), positions=of_task, weight=float(weight))
            for task, contests, of_task, weight in zip(tasks, terms, positions, weighted, strict=True)
        ),
        contests=tuple(over_tasks) if several else tuple(terms[0]),
    )


def position_of(name: str, submissions: Iterable[Submission]) -> int | None:
    """Return where the submission of a name is; None if there is none."""
    return next((i for i, submission in enumerate(submissions) if submission.name == name), None)


def submissions_of(tasks: Sequence[Task]) -> tuple[Submission, ...]:
    """Return the submissions of all tasks in order of first occurrence."""
    by_name: dict[str, Submission] = {}
    for task in tasks:
        for submission in task.batches:
            by_name.setdefault(submission.name, submission)
    return tuple(by_name.values())


def name_samples(entries: Sequence[Entry]) -> list[tuple[str, ...]]:
    """Return for each part the names of its samples of units: parts with one of a name are drawn together there.

    A sample has the name of its language pair, with a number where the pair has several.
    """
    numbers: dict[str, dict[object, int]] = {}
    for entry in entries:
        for task, sample in zip(entry.tasks, entry.samples, strict=True):
            of_pair = numbers.setdefault(task.name, {})
            of_pair.setdefault(sample, len(of_pair) + 1)
    return [
        tuple(
            task.name if len(numbers[task.name]) == 1 else f"{task.name} {numbers[task.name][sample]}"
            for task, sample in zip(entry.tasks, entry.samples, strict=True)
        )
        for entry in entries
    ]


def weigh_tasks(tasks: Sequence[Task], across: Aggregation, declared: Mapping[str, float]) -> FloatArray:
    """Return the weight of every task in the aggregate, (tasks,).

    Raises DataError if a declared task does not exist, some tasks have a declared weight and others have none, or
    no weight is positive.
    """
    names = [task.name for task in tasks]
    unknown = sorted({*across.exclude, *declared} - set(names))
    if unknown:
        stated = "given a weight" if unknown[0] in declared else "excluded"
        what = f"task '{unknown[0]}' is {stated}, but there is no such task"
        raise DataError(what, remedy=did_you_mean(unknown[0], names))
    unweighted = [name for name in names if name not in {*across.exclude, *declared}]
    if unweighted and declared:
        what = f"task '{unweighted[0]}' has no weight, but other tasks have one"
        raise DataError(what, remedy="give it a weight; 0 leaves it out of the aggregate")
    any_gold = any(task.has_gold for task in tasks)
    weights = np.array([_weigh(task, across, declared, any_gold=any_gold) for task in tasks])
    if weights.min() < 0 or weights.max() <= 0:
        what = "the weights of tasks must not be negative, and one must be positive"
        raise DataError(what, remedy="change 'weights', or what 'across' excludes")
    return weights


def _weigh(task: Task, across: Aggregation, declared: Mapping[str, float], *, any_gold: bool) -> float:
    """Return the weight of a task: excluded, equal, counted, declared, or by default its number of units.

    The default is 1 where the aggregate is no mean. A task without a gold is excluded if another task has one.
    """
    if task.name in across.exclude or (not task.has_gold and any_gold):
        return 0.0
    if across.weighting == "equal":
        return 1.0
    if across.weighting == "counted":
        if across.count not in task.counts:
            what = f"'{across.name}' weights tasks by '{across.count}', which task '{task.name}' does not count"
            raise DataError(what, remedy=did_you_mean(across.count, task.counts, "its reader counts nothing"))
        return float(task.counts[across.count])
    if declared:
        return declared[task.name]
    return float(task.units) if across.linear else 1.0
