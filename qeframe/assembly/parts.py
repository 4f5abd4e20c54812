"""The parts of a task set: which there are, and every metric bound to its tasks, with its weight and its scale."""

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Literal

import attrs
import numpy as np

from qeframe.assembly.scoreboard import Entry, Scoreboard, position_of, submissions_of
from qeframe.core import metric_calls as checked
from qeframe.core.batch import Batch, FloatArray, IntArray, check_kind
from qeframe.core.contest import Contest, Part
from qeframe.core.draws import joint_units, named_key
from qeframe.core.errors import CapabilityError, DataError
from qeframe.core.metric import Metric
from qeframe.core.profile import OVERALL, PartRule
from qeframe.core.ranking import Aggregation
from qeframe.core.resolve import ResolvedPart, ResolvedProfile, refuse_absent
from qeframe.core.runner import Runner
from qeframe.core.sample import Sample
from qeframe.core.task import Dropped, Submission, Task


def plan_parts(
    resolved: ResolvedProfile, tasks: Sequence[Task], *, complete: bool
) -> tuple[list[ResolvedPart], tuple[Submission, ...], list[Dropped]]:
    """Return the parts of the language pairs that are there, their submissions, and a note on each pair that is not.

    `complete`: whether a language pair that is there must have every selection, and a pooled part an outcome.
    """
    by_selection = {(task.selection, task.name): task for task in tasks if task.batches}
    names = _names_by_source(resolved.parts, tasks)
    for part in resolved.parts:
        names_there, where = names[_source(part)], "the name of no language pair in the data"
        absent_pairs = [pair for pair in part.rule.pairs if pair not in names_there]
        refuse_absent(resolved.profile, "parts", absent_pairs, names_there, where)
    answered = _names_by_source(resolved.parts, [task for task in tasks if task.batches])
    planned: list[ResolvedPart] = []
    absent: dict[str, None] = {}
    notes: list[Dropped] = []
    entered: list[Task] = []
    for rule in resolved.parts:
        names_there = answered[_source(rule)]
        if complete and not names_there and any(answered.values()):
            what = f"there is no submission for {rule.rule.metric} ({rule.rule.selection})"
            raise DataError(what, remedy="complete the data, or leave the part out")
        wanted = rule.rule.pairs or names_there
        absent |= dict.fromkeys(pair for pair in wanted if pair not in names_there)
        present = [pair for pair in wanted if pair in names_there]
        if not complete:
            present = [pair for pair in present if (rule.rule.selection, pair) in by_selection]
        chosen = [_task(rule, by_selection, pair) for pair in present]
        entered += chosen
        groups = [_with_outcomes(rule, chosen, notes, complete=complete)] if rule.rule.pool else [[t] for t in chosen]
        planned += [attrs.evolve(rule, tasks=tuple(group)) for group in groups if group]
    if not entered:
        named = f": {', '.join(absent)}" if absent else ""
        raise DataError(f"there is no submission in any language pair of the parts{named}", remedy="check the path")
    reason = "not in the data; its parts are left out, and the weights of the others grow"
    lost = [Dropped(pair, "language pair", 1, reason) for pair in absent]
    return planned, submissions_of(entered), [*lost, *notes]


def _source(part: ResolvedPart) -> tuple[str, str]:
    """Return where a part reads: parts of one source have the same language pairs, those of others may have more."""
    return part.rule.folder, part.rule.reader


def _names_by_source(parts: Sequence[ResolvedPart], tasks: Sequence[Task]) -> dict[tuple[str, str], list[str]]:
    """Return the names of the tasks that each source has; those of a selection of no part are of PATH itself."""
    source_of = {part.rule.selection: _source(part) for part in parts}
    names: dict[tuple[str, str], dict[str, None]] = {source: {} for source in source_of.values()}
    for task in tasks:
        names.setdefault(source_of.get(task.selection, ("", "")), {})[task.name] = None
    return {source: list(of_source) for source, of_source in names.items()}


def _with_outcomes(part: ResolvedPart, tasks: Sequence[Task], notes: list[Dropped], *, complete: bool) -> list[Task]:
    """Return the tasks with an outcome; the others, such as one of a single system, have no share in a pooled score."""
    kept = [task for task in tasks if count_outcomes(part.metric, next(iter(task.batches.values())))]
    names = {task.name for task in kept}
    lacking = [task.name for task in tasks if task.name not in names]
    if complete and lacking and not kept:
        what = f"there is nothing to score for {part.metric.name} in any language pair: {', '.join(lacking)}"
        raise DataError(what, remedy="leave the part out, or complete the data")
    reason = (
        f"nothing to score for {part.metric.name}: a single system, or no gold; the pooled score is that of the others"
    )
    notes += [Dropped(name, "language pair of a pooled part", 1, reason) for name in lacking]
    return kept


def _task(part: ResolvedPart, by_selection: Mapping[tuple[str, str], Task], pair: str) -> Task:
    task = by_selection.get((part.rule.selection, pair))
    if task is None:
        how = f" with {part.rule.selection}" if part.rule.selection else ""
        what = f"{pair} has no submission for {part.rule.metric}{how}, but other parts of the task set have"
        remedy = f"complete the data of {pair}, or leave the pair out of the parts"
        if not any(selection for selection, _ in by_selection):
            what = f"{pair} was not read with {part.rule.selection}, as {part.rule.metric} asks"
            remedy = "give the path of the files, which are read for each part, or a profile without parts"
        raise DataError(what, remedy=remedy)
    return task


def count_outcomes(metric: Metric, batch: Batch) -> int:
    """Return of how many outcomes the score of a metric is the mean; 0 if there are none, and the score is undefined.

    Raises CapabilityError if the metric is not a mean of outcomes or of values per unit.
    """
    check_kind(batch, metric.kind, f"metric '{metric.name}'")
    if metric.outcomes is not None:
        return len(checked.values(metric, batch, "outcomes"))
    if metric.per_unit is not None:
        return len(checked.values(metric, batch, "per_unit"))
    raise CapabilityError(
        f"metric '{metric.name}' cannot be pooled over language pairs: it is neither a mean over pairs nor a mean of "
        "one value per unit"
    )


def name_parts(planned: Sequence[ResolvedPart]) -> list[str]:
    """Return a name for each part: pair, metric, and level or reading if parts of the same metric differ in them.

    Raises DataError if two parts are the same.
    """
    names = []
    for part in planned:
        rule, reads = part.rule, _read_by(part)
        alike = [_read_by(other) for other in planned if other.metric.name == part.metric.name]
        differing = [key for key in reads if any(read.get(key) != reads[key] for read in alike)]
        words = ["all pairs" if rule.pool else part.tasks[0].name, part.metric.name]
        words += [word for key in differing if (word := _word(key, reads[key]))]
        names.append(" ".join(words))
    repeated = next((name for position, name in enumerate(names) if name in names[:position]), None)
    if repeated is not None:
        raise DataError(f"two parts are the same: {repeated}", remedy="state each part of the profile once")
    return names


def _read_by(part: ResolvedPart) -> dict[str, object]:
    rule = part.rule
    reads = {"source": rule.level or rule.reader} if rule.folder or rule.reader else {}
    return {**reads, **rule.read}


def _word(key: str, value: object) -> str:
    """Return a parameter of the reader in a name: ``news``, ``human_references``; nothing for false and empty."""
    return key.replace("_", " ") if value is True else "" if value is False else str(value)


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
    paths = [tuple(of_part.get(level, "") for level in levels) for of_part in labels]
    weights = np.ones(len(paths))
    for depth in range(len(levels)):
        branches = Counter(path[:-1] for path in {path[: depth + 1] for path in paths})
        weights /= [branches[path[:depth]] for path in paths]
    equal = Counter(paths)
    return np.asarray(weights / [equal[path] for path in paths])


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
    planned, submissions, dropped = plan_parts(resolved, tasks, complete=complete)
    position = {submission.name: i for i, submission in enumerate(submissions)}
    samples = _bind_samples(resolved, planned, seed, runner)
    names = name_parts(planned)
    weights = np.zeros(len(planned))
    if complete and resolved.profile.divide:
        weights = divide_weights([part.labels for part in planned], resolved.profile.divide)
    elif complete:
        weights = take_weights([part.rule.weight for part in planned], [len(part.tasks) for part in planned])
    entries = []
    for planned_part, name, weight in zip(planned, names, weights, strict=True):
        rule, metric = planned_part.rule, planned_part.metric
        of_part = submissions_of(planned_part.tasks)
        compared = position_of(compared_with_all, of_part)
        terms = [
            Contest.of(
                samples[id(task)],
                samples[id(task)].metrics.index(metric),
                stream=name if resolved.profile.exchanges == "official" else "",
                compared_with_all=None if rule.pool else compared,
            )
            for task in planned_part.tasks
        ]
        contest = _pool(terms, planned_part.tasks, of_part, compared) if rule.pool else terms[0]
        entries.append(
            Entry(
                name=name,
                tasks=planned_part.tasks,
                contests=(contest,),
                positions=np.array([position[submission.name] for submission in of_part], dtype=np.int64),
                weight=float(weight),
                rule=rule,
                test=planned_part.test,
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
        submissions=submissions,
        entries=tuple(entries),
        contests=(overall,) if complete else (),
        dropped=tuple(dropped),
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
    terms: Sequence[Contest], tasks: Sequence[Task], submissions: Sequence[Submission], compared_with_all: int | None
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
    resolved: ResolvedProfile, planned: Sequence[ResolvedPart], seed: int, runner: Runner
) -> dict[int, Sample]:
    """Return the sample of every task, by its identity, with the metrics of all parts that are computed on it."""
    metrics: dict[int, dict[str, Metric]] = {}
    tasks: dict[int, Task] = {}
    for part in planned:
        for task in part.tasks:
            tasks[id(task)] = task
            metrics.setdefault(id(task), {}).setdefault(part.metric.name, part.metric)
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

    Readings without a common unit, such as two domains or sentences and words of other sentences, have a stream each.
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
                together[number] = attrs.evolve(
                    sample, joint=joint, key=named_key(*sample.key, *stream) if stream else sample.key
                )
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


def _scale_of(rule: PartRule, metric: Metric) -> tuple[float, float]:
    if rule.scale is not None:
        return rule.scale
    low, high = metric.bounds
    if not (np.isfinite(low) and np.isfinite(high)):
        what = f"metric '{metric.name}' has no bounds, so that its scores have no scale"
        raise DataError(what, remedy="give the part scale = [WORST, BEST]")
    return (low, high) if metric.higher_is_better else (high, low)
