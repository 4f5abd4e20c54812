"""Tasks of a data frame: a column for each submission, or a row for each score."""

import warnings
from collections.abc import Sequence
from typing import Any, get_args

import numpy as np

from qeframe.core.batch import Batch, Best
from qeframe.core.errors import DataError, FrameWarning, UnknownNameError, did_you_mean
from qeframe.core.task import MissingPolicy, Task, check_task_names
from qeframe.data.align import align
from qeframe.data.columns import PLACE, FrameColumns
from qeframe.data.reading import Reading
from qeframe.kinds.registered import kind_named
from qeframe.kinds.tidy import Roles, check_roles, tidy_readings


def tasks_from_frame(
    frame: Any,
    *,
    gold: str = "gold",
    submissions: Sequence[str] = (),
    lower: Sequence[str] = (),
    submission: str = "",
    score: str = "",
    unit: str = "",
    system: str = "",
    systems: Sequence[str] = (),
    task: str = "",
    groups: str | Sequence[str] = (),
    kind: type[Batch] | None = None,
    best: Best = "high",
    missing: MissingPolicy = "error",
    baselines: Sequence[str] = (),
) -> list[Task]:
    """Return the tasks that a data frame of pandas, Polars or PyArrow holds, for `evaluate`.

    Parameters
    ----------
    frame : data frame
        Wide: a row for each unit, with a column for each submission. Long: a row for each score, with `submission`
        naming the column of names and `score` the column of scores; the gold is repeated. A level of the index of
        pandas that has a name is a column; an index without a name is not looked at.
    gold : str
        The column of gold scores. Units without a gold score are left out and counted.
    submissions : sequence of str
        Wide: the columns of submissions; by default all columns that are not named otherwise, which a
        `FrameWarning` names. Long: the submissions
        that enter, by default all.
    lower : sequence of str
        Submissions whose scores are better when lower, such as TER: they are negated.
    submission, score : str
        Long: the columns of names and of scores. Give both or neither.
    unit : str
        The column of labels of units (segments). Wide: by default a row is a unit, and
        has its number in the frame, from 1. Long: needed.
    system : str
        The column of the names of translation systems: units are then the rows and systems the columns of a `Grid`,
        as metrics tasks have them. It needs `unit`. Empty: a unit has one value.
    systems : sequence of str
        With `system`: the systems that count; by default all.
    task : str
        The column that names the task of a row, such as its language pair. Empty: one task, "task".
    groups : str or sequence of str
        The column that groups units, such as documents, or several columns. Empty: none.
    kind : type of Batch, optional
        The kind of batch; by default `Scores`, and `Grid` with `system`. Columns of numbers hold kinds with one number
        a unit. A cell of any other kind with a plain file holds what a line of that file does: "OK BAD OK", say, or a
        list of these tags.
    best : {"low", "high"}
        Which gold scores are good.
    missing : {"error", "score_as_worst", "drop_for_all"}
        What happens to a unit for which a submission has no score: see `align`. With `system`, a unit is a segment with
        all its systems: "drop_for_all" drops a segment that lacks the score of one system.
    baselines : sequence of str
        Submissions that are baselines of the organizers.

    Returns
    -------
    list of Task
        In the order in which their names first occur.

    Raises
    ------
    DataError
        For a column that the frame lacks, a column that is not of numbers, a score that occurs twice, golds or groups
        of one unit that differ, missing scores under "error", a frame without rows, and a kind of batch that columns
        cannot hold.

    Examples
    --------
    >>> import pandas
    >>> import qeframe
    >>> frame = pandas.DataFrame({"gold": [1, 2, 3, 4], "good": [1, 2, 3, 5], "poor": [2, 1, 4, 3]})
    >>> tasks = qeframe.tasks_from_frame(frame, submissions=["good", "poor"])
    >>> [task] = tasks
    >>> task.units, [submission.name for submission in task.batches]
    (4, ['good', 'poor'])
    """
    grouped = tuple(filter(None, (groups,))) if isinstance(groups, str) else tuple(groups)
    for argument, names_of in {
        "submissions": submissions,
        "lower": lower,
        "baselines": baselines,
        "systems": systems,
    }.items():
        if isinstance(names_of, str):
            raise DataError(f"{argument} are the text '{names_of}'", remedy=f"give a list: ['{names_of}']")
    _check_choice("best", best, get_args(Best))
    _check_choice("missing", missing, get_args(MissingPolicy))
    columns = FrameColumns.of(frame)
    if not len(columns):
        raise columns.error("has no rows", remedy="give a row for each unit")
    roles = Roles(
        gold=gold,
        unit=unit,
        task=task,
        system=system,
        groups=grouped,
        submissions=tuple(submissions),
        lower=tuple(lower),
        submission=submission,
        score=score,
    )
    check_roles(roles, columns)
    if not (roles.submission or roles.submissions) and (entering := roles.others(columns)):
        shown = ", ".join(f"'{name}'" for name in entering)
        what = f"all other columns enter as submissions: {shown}; name them in submissions=[...]"
        warnings.warn(f"no submissions are named: {what}", FrameWarning, stacklevel=2)
    given, kind = kind, kind or kind_named("Grid" if system else "Scores").batch
    readings = tidy_readings(_of_systems(columns, system, systems), roles, kind, best, numbers=given is None)
    tasks = []
    for reading in readings:
        if missing != "score_as_worst":
            _check_systems(reading)
        tasks.append(align(reading, missing=missing, baselines=baselines, choice='give missing="{}"'))
    entered = {submission.name for task in tasks for submission in task.batches}
    for name in baselines:
        if name not in entered:
            raise UnknownNameError("submission among the baselines", name, entered)
    check_task_names(tasks)
    return tasks


def _of_systems(columns: FrameColumns, system: str, systems: Sequence[str]) -> FrameColumns:
    """Return the rows of the systems that count."""
    if not systems:
        return columns
    if not system:
        raise DataError("'systems' needs 'system'", remedy="name the column of systems in system=")
    names = [str(label) for label in columns.labels(system).tolist()]
    for name in systems:
        if name not in names:
            raise columns.error(f"has no system '{name}'; {did_you_mean(name, sorted(set(names)))}")
    return columns.take(np.flatnonzero(np.isin(names, list(systems))))


def _check_systems(reading: Reading) -> None:
    """Raise a `DataError` if a submission has no score of a system that the gold has scores of."""
    scored = ~np.isnan(reading.gold.values).all(axis=0) if reading.systems else np.zeros(0, dtype=np.bool_)
    for answers in reading.submissions if reading.systems else ():
        lacking = np.flatnonzero(scored & np.isnan(answers.values).all(axis=0))
        if len(lacking):
            others = [name for i, name in enumerate(reading.systems) if i not in lacking]
            where = "" if reading.name == "task" else f" in task '{reading.name}'"
            what = f"{answers.name} has no score of system {reading.systems[lacking[0]]}{where}"
            raise DataError(what, path=PLACE, remedy=f"complete it, or leave the system out for all: systems={others}")


def _check_choice(name: str, chosen: str, choices: Sequence[str]) -> None:
    if chosen not in choices:
        raise UnknownNameError(f"choice of '{name}'", chosen, choices)
