"""Study measures on one or more data sets."""

import math
from collections.abc import Mapping, Sequence
from functools import partial
from os import PathLike
from pathlib import Path
from typing import Any

import attrs

from qeframe.api.arrays.scoring import score
from qeframe.api.read import check_answered, choose_profile, read_tasks
from qeframe.api.submissions import Chosen, leave_out_of_each
from qeframe.core.batches.base import Batch
from qeframe.core.components.loading.loader import load
from qeframe.core.components.loading.registry import Registry
from qeframe.core.components.metric import Metric
from qeframe.core.errors import DataError, QeframeError
from qeframe.core.profiles.load import find_profile
from qeframe.core.profiles.resolved import chosen_metrics
from qeframe.core.profiles.schema import Profile
from qeframe.core.resampling.draws import checked_seed
from qeframe.core.resampling.parallel import SILENT, Runner
from qeframe.core.tasks.task import Task
from qeframe.studies.measures.row import MeasureOnData
from qeframe.studies.measures.values import Trust, TrustedData, TrustRow

SPLITS, RUNS = 200, 400
"""How often the units are split in halves, and how many data sets of exchanged answers are tested."""
_LONG = 30.0
"""Seconds: work that should take longer says so before it starts."""

Data = str | PathLike[str] | Task | Sequence[Task]


def trust(
    profile: str | PathLike[str] | Profile,
    data: Data | Sequence[str | PathLike[str]] | Mapping[str, Data],
    *,
    metrics: Sequence[str] = (),
    all_metrics: bool = False,
    settings: Sequence[str] = (),
    splits: int = SPLITS,
    runs: int = RUNS,
    draws: int = 0,
    audit: bool = True,
    seed: int = 0,
    registry: Registry | None = None,
    runner: Runner | None = None,
    exclude: Mapping[str, str] | Sequence[str] = (),
    skip_invalid: bool = False,
) -> Trust:
    """Say, for each of several measures, what it finds on given data and how far that can be trusted.

    Parameters
    ----------
    profile : str, path or Profile
        As in `qeframe.evaluate`. Gives the aggregations, the unit of resampling, alpha, and the test of the year.
    data : path, Task, sequence of Task, sequence of paths, or mapping
        One data set; or several: paths, or data sets by name.
    metrics : sequence of str
        By default those of the profile.
    all_metrics : bool
        Whether to add every other metric of the registry that scores these data.
    settings : sequence of str
        Changed rules, ``KEY=VALUE`` each.
    splits : int
        Random halves of the units.
    runs : int
        Data sets of exchanged answers, of the largest task; 0 leaves the error rates out.
    draws : int
        Draws of a test in each of at most 16 rounds. 0: 10,000, and 2,000 for metrics that are not smooth in the
        weights of units, whose draws take longer. A pair is not determined if its p is nearer to alpha than the error
        of so many draws.
    audit : bool
        Whether to measure how each metric can be gamed.
    seed : int
        Of the halves, the exchanged answers and the attacks. Verdicts on pairs do not depend on it.
    registry : Registry, optional
    runner : Runner, optional
        Runs blocks of draws, shows progress, and is told before work that takes longer than half a minute.
    exclude, skip_invalid : optional
        Submissions in paths that are left out, as in `evaluate`.

    Returns
    -------
    Trust
        `print` shows a table for each data set, `to_frame` has a row for each measure, `plot` draws them, and
        `to_json` is what ``qeframe trust --out`` writes.

    Raises
    ------
    DataError
        If the profile is a task set, there are fewer than two submissions, or a number is out of range.

    References
    ----------
    Graham (2015), Improving evaluation of machine translation quality estimation; Logacheva et al. (2016), Metrics for
    evaluation of word-level machine translation quality estimation.
    """
    registry, runner, seed = registry or load(), runner or Runner(), checked_seed(seed)
    rules = choose_profile(profile, settings, registry)
    if rules.is_assembled:
        what = f"profile '{rules.name}' is a task set, whose parts have metrics of their own"
        raise DataError(what, remedy=f"give a profile of one metric, such as {_of_one_metric(rules, registry)}")
    if splits < 1 or runs < 0 or draws < 0:
        raise DataError("at least one split is needed, and runs and draws must not be negative")
    sets = _data_sets(data)
    places = [units for units in sets.values() if isinstance(units, (str, PathLike))]
    leaving = leave_out_of_each(rules, places, registry, exclude=exclude, skip_invalid=skip_invalid)
    chosen = dict(zip(map(str, places), leaving, strict=True))
    by_name = {name: _ranked(rules, units, registry, runner, chosen) for name, units in sets.items()}
    asked = [registry.get(Metric, metric).name for metric in metrics or rules.metrics]
    work = partial(
        MeasureOnData,
        profile=rules,
        registry=registry,
        splits=splits,
        runs=runs,
        draws=draws,
        audit=audit,
        seed=seed,
        runner=attrs.evolve(runner, on_progress=SILENT.on_progress),  # pieces of all measures are told instead
    )
    measures = {
        name: [
            work(metric=metric, tasks=tasks)
            for metric in chosen_metrics(
                [*asked, *(other_metrics(tasks, asked, registry) if all_metrics else ())], registry
            )
        ]
        for name, tasks in by_name.items()
    }
    rows = iter(_rows([measure for measured in measures.values() for measure in measured], runner))
    return Trust(
        splits=splits,
        runs=runs,
        alpha=rules.alpha,
        seed=seed,
        left_out=tuple(
            dict.fromkeys(exclusion for of_set in leaving if of_set is not None for exclusion in of_set.left_out)
        ),
        data=tuple(
            TrustedData(
                name=name,
                profile=rules.name,
                title=rules.title or rules.name,
                unit=tasks[0].unit,
                units=sum(task.units for task in tasks),
                submissions=len({submission.name for task in tasks for submission in task.batches}),
                tasks=len(tasks),
                measures=tuple(next(rows) for _ in measures[name]),
            )
            for name, tasks in by_name.items()
        ),
    )


def _rows(measures: Sequence[MeasureOnData], runner: Runner) -> list[TrustRow]:
    """Return the row of each measure, and tell how many of all pieces of work are done."""
    if runner.on_notice is not SILENT.on_notice:
        seconds = sum(measure.expected_seconds() for measure in measures)
        if seconds > _LONG:
            about = f"{seconds:.0f} s" if seconds < 100 else f"{seconds / 60:.0f} min"
            runner.on_notice(f"this takes about {about} in one thread; fewer runs, draws or metrics take less")
    total, before, rows = sum(measure.pieces for measure in measures), 0, []
    for measure in measures:
        rows.append(measure.row(partial(_tell, runner, before, total)))
        before += measure.pieces
        runner.on_progress(before, total)
    return rows


def _tell(runner: Runner, before: int, total: int, done: int) -> None:
    runner.on_progress(before + done, total)


def _data_sets(data: Any) -> dict[str, Any]:
    """Return data sets by name: the last part of a path where that tells them apart, else the whole path."""
    if isinstance(data, Mapping):
        return dict(data)
    if isinstance(data, (str, PathLike)):
        data = [data]
    if isinstance(data, Sequence) and data and all(isinstance(path, (str, PathLike)) for path in data):
        last = [Path(path).name for path in data]
        named = last if len(set(last)) == len(last) else list(map(str, data))
        return dict(zip(named, data, strict=True))
    tasks = [data] if isinstance(data, Task) else list(data)
    return {", ".join(task.name for task in tasks if isinstance(task, Task)): tasks}


def _ranked(
    rules: Profile, data: Any, registry: Registry, runner: Runner, chosen: Mapping[str, Chosen | None]
) -> tuple[Task, ...]:
    """Return the tasks of a data set with their ranked submissions; `chosen` says by path which are read."""
    if isinstance(data, (str, PathLike)):
        tasks = read_tasks(rules, data, registry, runner=runner, chosen=chosen.get(str(data)))
        check_answered(tasks, data)
    else:
        tasks = [data] if isinstance(data, Task) else list(data)
    if not all(isinstance(task, Task) for task in tasks):
        raise DataError("a data set is a path, a Task or a list of these", remedy="read it by qeframe.read_tasks")
    ranked = tuple(task.only(lambda submission: submission.is_ranked) for task in tasks if task.batches)
    if len({submission.name for task in ranked for submission in task.batches}) < 2:
        raise DataError("fewer than two submissions cannot be ranked", remedy="give the submissions of a task")
    return ranked


def other_metrics(tasks: Sequence[Task], known: Sequence[str], registry: Registry) -> list[str]:
    """Return the other metrics that score the first submission of the first task."""
    batch: Batch = next(batch for task in tasks for batch in task.batches.values())
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


def _of_one_metric(task_set: Profile, registry: Registry) -> str:
    """Return the name of a profile of one metric for the same data: of the same task, else by the same reader."""
    by_name = {name: find_profile(name, registry) for name in sorted(registry.profiles)}
    plain = {name: profile for name, profile in by_name.items() if not profile.is_assembled}
    of_task = [name for name in plain if name.startswith(f"{task_set.name}_")]
    reader = task_set.reader.partition("(")[0]
    alike = of_task or [name for name, profile in plain.items() if profile.reader.partition("(")[0] == reader]
    return f"'{alike[0]}'" if alike else "one that 'qeframe profiles' lists"
