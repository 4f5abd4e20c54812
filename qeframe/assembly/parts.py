"""The parts of a task set: every metric bound to the tasks that it is computed on, with its weight and its scale."""

from collections.abc import Mapping, Sequence
from typing import Literal

import attrs
import numpy as np

from qeframe.assembly.plan import Planned, count_outcomes, name_parts, plan_parts
from qeframe.assembly.scoreboard import Entry, Scoreboard, submissions_of
from qeframe.core.aggregation import Aggregation
from qeframe.core.batch import FloatArray, IntArray
from qeframe.core.contest import Contest
from qeframe.core.draws import joint_units, named_key
from qeframe.core.errors import DataError
from qeframe.core.metric import Metric
from qeframe.core.parts import Part
from qeframe.core.profile import OVERALL, PartRule
from qeframe.core.resolve import ResolvedProfile
from qeframe.core.runner import Runner
from qeframe.core.sample import WITHIN, Sample
from qeframe.core.task import Submission, Task
from qeframe.core.term import Term


def take_weights(weights: Sequence[float | Literal["pairs"]], pairs: Sequence[int]) -> FloatArray:
    """Return weights that sum to 1, (parts,), from weights as stated and the number of language pairs of each part.

    Raises DataError if they sum to 0: the parts that are left have weight 0.
    """
    given = np.array(
        [count if weight == "pairs" else weight for weight, count in zip(weights, pairs, strict=True)], dtype=np.float64
    )
    if not given.sum() > 0:
        raise DataError("the weights of the parts sum to 0", remedy="give a part a positive weight")
    return np.asarray(given / given.sum())


def divide_weights(labels: Sequence[Mapping[str, str]], levels: Sequence[str]) -> FloatArray:
    """Return weights that sum to 1, (parts,): 1 is divided equally among the values of the first label, and so on.

    `labels`: of each part. A part that lacks a label has the empty value. `levels`: the labels in the order in which
    the weight is divided. Parts that are equal in all of them share equally.
    """
    weights = np.zeros(len(labels))
    _divide(weights, 1.0, list(range(len(labels))), labels, levels)
    return weights


def _divide(
    weights: FloatArray, mass: float, members: list[int], labels: Sequence[Mapping[str, str]], levels: Sequence[str]
) -> None:
    if not levels:
        weights[members] = mass / len(members)
        return
    groups: dict[str, list[int]] = {}
    for member in members:
        groups.setdefault(labels[member].get(levels[0], ""), []).append(member)
    for group in groups.values():
        _divide(weights, mass / len(groups), group, labels, levels[1:])


def bind_parts(
    resolved: ResolvedProfile,
    tasks: Sequence[Task],
    seed: int,
    runner: Runner,
    *,
    complete: bool = True,
    compared_with_all: str = "",
) -> Scoreboard:
    """Return the parts of a profile, with their metrics bound to tasks, and the overall score, which is their sum.

    `resolved`, `tasks`, `complete`, `compared_with_all`: as in `scoreboard_of`; without weights there is no sum.
    `seed`: the streams of draws of a language pair depend on the seed and on the name of the pair alone. Where the
      overall score adds up joint draws, readings of the pair with different units are drawn on the union of these
      units. The sum is exchanged as the tests of its parts say, if it is tested.

    Raises DataError if no language pair of the parts is there, the user set one that is not, a pair lacks a selection,
    or a metric needs a scale.
    """
    plan = plan_parts(resolved, tasks, complete=complete)
    planned = plan.parts
    position = {submission.name: i for i, submission in enumerate(plan.submissions)}
    samples = _bind_samples(resolved, planned, seed, runner)
    names = name_parts(planned)
    weights = _weigh_parts(resolved, planned) if complete else np.zeros(len(planned))
    entries = []
    for planned_part, name, weight in zip(planned, names, weights, strict=True):
        rule, metric = planned_part.resolved.rule, planned_part.resolved.metric
        of_part = submissions_of(planned_part.tasks)
        compared = next((i for i, submission in enumerate(of_part) if submission.name == compared_with_all), None)
        terms = [
            Term(
                samples[id(task)],
                samples[id(task)].metrics.index(metric),
                stream=name if resolved.profile.exchanges == "official" else "",
                compared_with_all=None if rule.pool else compared,
            )
            for task in planned_part.tasks
        ]
        contest = _pool(terms, planned_part.tasks, of_part, compared) if rule.pool else Contest.of(terms[0])
        entries.append(
            Entry(
                name=name,
                tasks=planned_part.tasks,
                contests=(contest,),
                positions=np.array([position[submission.name] for submission in of_part], dtype=np.int64),
                weight=float(weight),
                rule=rule,
                test=planned_part.resolved.test,
                scale=_scale_of(rule, metric),
            )
        )
    added = resolved.profile.overall == "mean" and resolved.test is not None
    overall = _add_parts(entries, len(position), exchanged=added, compared_with_all=position.get(compared_with_all))
    return Scoreboard(
        tasks=tuple({id(task): task for entry in entries for task in entry.tasks}.values()),
        samples=tuple({id(sample): sample for sample in samples.values()}.values()),
        metrics=resolved.metrics,
        scores=(OVERALL,),
        submissions=plan.submissions,
        entries=tuple(entries),
        contests=(overall,) if complete else (),
        dropped=plan.dropped,
    )


def _add_parts(
    entries: Sequence[Entry], submissions: int, *, exchanged: bool, compared_with_all: int | None
) -> Contest:
    """Return the overall scores, the sum of all parts that have a weight.

    `exchanged`: whether the sum is exchanged as the tests of its parts say; else it has no exchanges.
    """
    return Contest(
        parts=tuple(
            Part(
                of=entry.contest,
                positions=entry.positions,
                name=entry.name,
                factor=entry.factor,
                origin=entry.origin,
                swap=entry.test.swap if exchanged and entry.test else None,
            )
            for entry in entries
            if entry.weight
        ),
        submissions=submissions,
        compared_with_all=compared_with_all,
    )


def _pool(
    terms: Sequence[Term], tasks: Sequence[Task], submissions: Sequence[Submission], compared_with_all: int | None
) -> Contest:
    """Return the contest of several tasks, one term for each, whose score is the mean of the outcomes of all of them.

    `submissions`: of all tasks. Raises CapabilityError if the metric is not a mean of outcomes or of values per unit.
    """
    position = {submission.name: i for i, submission in enumerate(submissions)}
    return Contest.across(
        terms,
        [np.array([position[s.name] for s in task.batches], dtype=np.int64) for task in tasks],
        submissions=len(submissions),
        aggregation=POOLED,
        weights=np.array([count_outcomes(term.metric, term.sample.batches[0]) for term in terms], dtype=np.float64),
        together=True,
        compared_with_all=compared_with_all,
    )


def _mean(scores: FloatArray, weights: FloatArray, higher_is_better: bool) -> FloatArray:
    return np.asarray(scores @ (weights / weights.sum()))


POOLED = Aggregation(
    name="pooled", summary="Mean of the outcomes of all tasks", source="qeframe", aggregate=_mean, weighting="counted"
)


def _bind_samples(
    resolved: ResolvedProfile, planned: Sequence[Planned], seed: int, runner: Runner
) -> dict[int, Sample]:
    """Return the sample of every task, by its identity, with the metrics of all parts that are computed on it."""
    metrics: dict[int, dict[str, Metric]] = {}
    tasks: dict[int, Task] = {}
    for part in planned:
        for task in part.tasks:
            tasks[id(task)] = task
            metrics.setdefault(id(task), {}).setdefault(part.resolved.metric.name, part.resolved.metric)
    samples = {
        number: Sample(
            metrics=tuple(metrics[number].values()),
            batches=tuple(task.batches.values()),
            key=named_key(seed, task.name),
            groups=task.groups,
            resample=resolved.profile.resample,
            runner=runner,
        )
        for number, task in tasks.items()
    }
    added = resolved.profile.overall == "mean" and resolved.profile.exchanges == "joint"
    return _draw_together(samples, tasks) if added else samples


def _draw_together(samples: Mapping[int, Sample], tasks: Mapping[int, Task]) -> dict[int, Sample]:
    """Return the tasks; the readings of a language pair that share units are drawn on the union of them.

    Readings without a common unit, such as two domains or sentences and words of other sentences, have a stream each,
    and so have units that are drawn within drawn groups.
    """
    by_pair: dict[str, list[int]] = {}
    for number, task in tasks.items():
        by_pair.setdefault(task.name, []).append(number)
    together: dict[int, Sample] = {}
    for numbers in by_pair.values():
        for nth, members in enumerate(share_ids([samples[n].unit_ids for n in numbers])):
            readings = [numbers[member] for member in members]
            stream = (tasks[readings[0]].selection,) if nth else ()
            for number, joint in zip(readings, joint_units([samples[n].unit_ids for n in readings]), strict=True):
                sample = samples[number]
                nested = joint is not None and WITHIN in sample.resample
                parts_of_key = (tasks[number].selection,) if nested else stream
                key = named_key(*sample.key, *parts_of_key) if parts_of_key else sample.key
                together[number] = attrs.evolve(sample, joint=None if nested else joint, key=key)
    return together


def share_ids(readings: Sequence[IntArray]) -> list[list[int]]:
    """Return the positions of readings that share an id, directly or through others, from the ids of each.

    Ids that merely coincide cost nothing: values that are independent have no covariance, whether their units are
    drawn together or not.
    """
    groups: list[tuple[IntArray, list[int]]] = []
    for position, ids in enumerate(readings):
        joined = [group for group in groups if len(np.intersect1d(group[0], ids))]
        united = np.unique(np.concatenate([ids, *(of_group for of_group, _ in joined)]))
        members = sorted([position, *(member for _, of_group in joined for member in of_group)])
        groups = [group for group in groups if not any(group is other for other in joined)] + [(united, members)]
    return sorted(members for _, members in groups)


def ids_of(task: Task) -> IntArray:
    """Return the ids of the units of a task with submissions, (n,)."""
    return next(iter(task.batches.values())).ids


def name_samples(parts: Sequence[Entry]) -> list[tuple[str, ...]]:
    """Return for each part the names of its samples of units: parts with one of a name are drawn together there.

    A sample has the name of its language pair, with a number where the pair has several.
    """
    numbers: dict[str, dict[object, int]] = {}
    for part in parts:
        for task, sample in zip(part.tasks, part.samples, strict=True):
            of_pair = numbers.setdefault(task.name, {})
            of_pair.setdefault(sample, len(of_pair) + 1)
    return [
        tuple(
            task.name if len(numbers[task.name]) == 1 else f"{task.name} {numbers[task.name][sample]}"
            for task, sample in zip(part.tasks, part.samples, strict=True)
        )
        for part in parts
    ]


def _weigh_parts(resolved: ResolvedProfile, planned: Sequence[Planned]) -> FloatArray:
    levels = resolved.profile.divide
    if levels:
        return divide_weights([part.labels for part in planned], levels)
    return take_weights([part.resolved.rule.weight for part in planned], [len(part.tasks) for part in planned])


def _scale_of(rule: PartRule, metric: Metric) -> tuple[float, float]:
    if rule.scale is not None:
        return rule.scale
    low, high = metric.bounds
    if not (np.isfinite(low) and np.isfinite(high)):
        what = f"metric '{metric.name}' has no bounds, so that its scores have no scale"
        raise DataError(what, remedy="give the part scale = [WORST, BEST]")
    return (low, high) if metric.higher_is_better else (high, low)
