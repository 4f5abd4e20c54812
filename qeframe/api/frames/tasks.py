"""Tasks of a data frame: a column for each submission, or a row for each score."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any, get_args

import attrs
import numpy as np
from attrs import frozen

from qeframe.api.frames.cells import (
    PLACE,
    Cells,
    as_table,
    cells_of,
    check_columns,
    coded,
    grid_of,
    labels_of,
    once,
    parts,
)
from qeframe.core.batches.base import Batch, Best, IntArray
from qeframe.core.errors import DataError, FrameWarning, UnknownNameError, did_you_mean
from qeframe.core.tasks.reading import Reading, UnitValues
from qeframe.core.tasks.task import Dropped, MissingPolicy, Task, check_task_names
from qeframe.data.align import align
from qeframe.kinds.registered import kind_named, kind_of

if TYPE_CHECKING:
    import narwhals.stable.v2 as nw


@frozen(kw_only=True)
class Names:
    """The columns that a caller named."""

    gold: str
    unit: str
    task: str
    system: str
    groups: tuple[str, ...]
    submissions: tuple[str, ...]
    submission: str
    score: str

    @property
    def identifying(self) -> tuple[str, ...]:
        """The columns that say what a row is about."""
        return tuple(filter(None, (self.unit, self.task, self.system, self.submission, *self.groups)))


def check_names(names: Names, table: nw.DataFrame[Any]) -> None:
    """Raise an error for columns that are not there, and for combinations that mean nothing."""
    for argument in ("gold", "unit", "task", "system", "submission", "score"):
        if not isinstance(named := getattr(names, argument), str):
            remedy = f"name one column{', and that of systems in system=' if argument == 'unit' else ''}"
            raise DataError(f"'{argument}' is {named!r}, which is not the name of a column", remedy=remedy)
    if bool(names.submission) != bool(names.score):
        raise DataError("a long frame needs both 'submission' and 'score'", remedy="name both columns, or neither")
    if names.submission and not names.unit:
        raise DataError("a long frame needs 'unit'", remedy="name the column of units")
    if names.system and not names.unit:
        raise DataError("'system' needs 'unit'", remedy="name the column of units (segments)")
    wide = () if names.submission else names.submissions
    for name in (names.gold, *names.identifying, *filter(None, [names.score]), *wide):
        if name not in table.columns:
            raise DataError(f"has no column '{name}'; {did_you_mean(name, table.columns)}", path=PLACE)
    used = (names.gold, *names.identifying, *filter(None, [names.score]))
    for name in used:
        if used.count(name) > 1:
            raise DataError(f"column '{name}' is named for two things", remedy="name every column once")
        if name in wide:
            raise DataError(f"column '{name}' is named as a submission too", remedy="name every column once")


def check_once(names: Names, units: Sequence[Any], of_row: IntArray, submission: str = "") -> None:
    """Raise an error for a unit with several rows, where a unit has one row (of a submission).

    `units`: the labels of the units. `of_row` (rows,): the position of the unit of every row.
    """
    counts = np.bincount(of_row, minlength=len(units))
    if (counts <= 1).all():
        return
    unit = int(np.flatnonzero(counts > 1)[0])
    tasks = "" if names.task else ", that of language pairs in task="
    raise DataError(
        f"unit {units[unit]} has {counts[unit]} rows{f' of submission {submission!r}' if submission else ''}",
        path=PLACE,
        remedy=f"name the column of systems in system={tasks}, or one in unit= that tells all rows apart",
    )


def tasks_from_frame(
    frame: Any,
    *,
    gold: str = "gold",
    submissions: Sequence[str] = (),
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
    for argument, names_of in {"submissions": submissions, "baselines": baselines, "systems": systems}.items():
        if isinstance(names_of, str):
            raise DataError(f"{argument} are the text '{names_of}'", remedy=f"give a list: ['{names_of}']")
    _check_choice("best", best, get_args(Best))
    _check_choice("missing", missing, get_args(MissingPolicy))
    table = _table(frame)
    names = Names(
        gold=gold,
        unit=unit,
        task=task,
        system=system,
        groups=grouped,
        submissions=tuple(submissions),
        submission=submission,
        score=score,
    )
    check_names(names, table)
    if not (names.submission or names.submissions):
        _warn_of_others(names, table)
    table = _of_systems(table, system, systems)
    given, kind = kind, kind or kind_named("Grid" if system else "Scores").batch
    cells = partial(cells_of, table, kind=kind, numbers=given is None)
    if kind.crossed != bool(system):
        what = f"a batch of {kind.__name__} {'needs' if kind.crossed else 'has'} {'a' if kind.crossed else 'no'} column"
        raise DataError(f"{what} of systems", remedy=f"{'name' if kind.crossed else 'leave out'} system=")
    rows = np.arange(len(table))
    tasks = []
    for name, members in parts(labels_of(table, task), rows) if task else [("task", rows)]:
        reading = _reading(name, table, members, names, kind, cells, best)
        if missing != "score_as_worst":
            _check_systems(reading)
        tasks.append(align(reading, missing=missing, baselines=baselines, choice='give missing="{}"'))
    entered = {submission.name for task in tasks for submission in task.batches}
    for name in baselines:
        if name not in entered:
            raise UnknownNameError("submission among the baselines", name, entered)
    check_task_names(tasks)
    return tasks


def _of_systems(table: nw.DataFrame[Any], system: str, systems: Sequence[str]) -> nw.DataFrame[Any]:
    """Return the rows of the systems that count."""
    if not systems:
        return table
    if not system:
        raise DataError("'systems' needs 'system'", remedy="name the column of systems in system=")
    names = [str(label) for label in labels_of(table, system).tolist()]
    for name in systems:
        if name not in names:
            raise DataError(f"has no system '{name}'; {did_you_mean(name, sorted(set(names)))}", path=PLACE)
    return table[np.flatnonzero(np.isin(names, list(systems))).tolist()]


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


def _table(frame: Any) -> nw.DataFrame[Any]:
    import narwhals.stable.v2 as nw

    check_columns(frame, texts=True)
    try:
        table = nw.from_native(frame)
    except TypeError:
        what = f"{type(frame).__name__} is not a data frame"
        raise DataError(what, remedy="give one of pandas, Polars or PyArrow") from None
    table = as_table(_collected(table) if isinstance(table, nw.LazyFrame) else table)
    if not len(table):
        raise DataError("has no rows", path=PLACE, remedy="give a row for each unit")
    return table


def _collected(table: nw.LazyFrame[Any]) -> nw.DataFrame[Any]:
    """Return the rows of a lazy frame, whose mistakes show only here, as errors of its library."""
    try:
        return table.collect()
    except Exception as error:
        reason = (str(error).splitlines() or [""])[0]
        what = f"the lazy frame cannot be computed: {type(error).__name__}: {reason}"
        raise DataError(what, path=PLACE, remedy="make frame.collect() work first") from error


def _reading(
    name: str,
    table: nw.DataFrame[Any],
    rows: IntArray,
    names: Names,
    kind: type[Batch],
    cells_of_column: Callable[[str], Cells],
    best: Best,
) -> Reading:
    """Return one task, from its rows."""
    units, first, of_row = coded(labels_of(table, names.unit)[rows] if names.unit else rows)
    columns = coded(labels_of(table, names.system)[rows]) if names.system else None

    if columns is None and not names.submission:
        check_once(names, units, of_row)

    def side(name: str, at: IntArray, cells: Cells, *, is_gold: bool = False) -> UnitValues:
        if columns is not None:
            whose = "" if is_gold else f"submission '{name}'"
            grid = grid_of((of_row[at], units), (columns[2][at], columns[0]), cells.codes[rows[at]], whose)
            ids = np.flatnonzero(~np.isnan(grid).all(axis=1)) if is_gold else np.arange(len(units))
            return UnitValues(name=name, ids=ids, values=grid[ids], path=PLACE, names=_unit_names(units))
        repeated = is_gold and bool(names.submission)
        answers = _values(name, of_row[at], units, cells, rows[at], repeated=repeated)
        return answers if names.unit else attrs.evolve(answers, names=_row_names(units), numbered_from=1)

    gold = side("gold", np.arange(len(rows)), cells_of_column(names.gold), is_gold=True)
    answers = []
    for answer, at, cells in _answers(table, rows, names, cells_of_column):
        if columns is None and names.submission:
            check_once(names, units, of_row[at], answer)
        answers.append(side(answer, at, cells))
    _check_sides(kind, gold, answers)
    absent = len(units) - len(gold.ids)
    return Reading(
        name=name,
        kind=kind,
        gold=gold,
        submissions=tuple(answer.take(np.flatnonzero(np.isin(answer.ids, gold.ids))) for answer in answers),
        groups={group: _groups(table, group, rows, of_row, first, gold) for group in names.groups},
        best=best,
        dropped=(Dropped(name, "unit", absent, "no gold score"),) if absent else (),
        systems=() if columns is None else tuple(map(str, columns[0])),
    )


def _check_sides(kind: type[Batch], gold: UnitValues, answers: Sequence[UnitValues]) -> None:
    """Check the gold, and each submission on the units that both have, as plain files are checked."""
    plain = kind_of(kind).plain_format
    if plain is None:
        return
    for side in (gold, *answers):
        _, ours, theirs = np.intersect1d(gold.ids, side.ids, return_indices=True)
        plain.check_sides(gold.take(ours), side.take(theirs))


def _others(table: nw.DataFrame[Any], names: Names) -> list[str]:
    """Return the columns that are not named as something."""
    return [column for column in table.columns if column not in (names.gold, *names.identifying)]


def _warn_of_others(names: Names, table: nw.DataFrame[Any]) -> None:
    entering = _others(table, names)
    if entering:
        shown = ", ".join(f"'{name}'" for name in entering)
        what = (
            f"no submissions are named: all other columns enter as submissions: {shown}; name them in submissions=[...]"
        )
        warnings.warn(what, FrameWarning, stacklevel=3)


def _answers(
    table: nw.DataFrame[Any], rows: IntArray, names: Names, cells_of_column: Callable[[str], Cells]
) -> Iterable[tuple[str, IntArray, Cells]]:
    """Yield the name, the positions among the rows, and the column of every submission."""
    everything = np.arange(len(rows))
    if not names.submission:
        for name in names.submissions or _others(table, names):
            yield name, everything, cells_of_column(name)
        return
    cells = cells_of_column(names.score)
    rows_of = dict(parts(labels_of(table, names.submission)[rows], everything))
    for name in names.submissions or rows_of:
        if name not in rows_of:
            raise DataError(f"has no submission '{name}'; {did_you_mean(name, rows_of)}", path=PLACE)
        yield name, rows_of[name], cells


def _values(
    name: str, units: IntArray, labels: Sequence[Any], cells: Cells, rows: IntArray, *, repeated: bool
) -> UnitValues:
    """Return one value for each unit that has one; a repeated gold is that of the first row of a unit."""
    first = once(units, cells.codes[rows], labels, "") if repeated else np.arange(len(rows))
    present = first[~np.isnan(cells.codes[rows[first]])]
    values = cells.values_of(rows[present])
    return UnitValues(name=name, ids=units[present], values=values, path=PLACE, names=_unit_names(labels))


def _groups(
    table: nw.DataFrame[Any], group: str, rows: IntArray, of_row: IntArray, first: IntArray, gold: UnitValues
) -> list[str]:
    """Return the label of every gold unit, in the order of the gold."""
    labels = labels_of(table, group)[rows]
    different = np.flatnonzero(labels != labels[first][of_row])
    if len(different):
        unit = gold.unit_name(int(of_row[different[0]]))
        raise DataError(f"unit {unit} has two labels in '{group}'", path=PLACE, remedy="give each unit one label")
    return [str(label) for label in labels[first][gold.ids]]


def _row_names(rows: Sequence[int]) -> Mapping[int, str]:
    """Return the names of rows without labels: their numbers in the frame, from 1."""
    return {i: str(row + 1) for i, row in enumerate(rows) if row != i}


def _unit_names(labels: Sequence[Any]) -> Mapping[int, str]:
    return {i: str(label) for i, label in enumerate(labels) if label != i}
