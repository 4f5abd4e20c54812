"""One tidy layout: columns of a frame or of files, a row for each unit or for each score, as readings of tasks."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache, partial
from pathlib import Path
from typing import Any

import attrs
import numpy as np
from attrs import field, frozen

from qeframe.core.batch import Batch, Best, FloatArray, IntArray
from qeframe.core.errors import DataError, did_you_mean
from qeframe.core.kind_parts import PlainFormat
from qeframe.core.reading import Reading, TextFile, UnitValues
from qeframe.core.task import Dropped
from qeframe.data.columns import Columns, coded, grid_of, once, parts
from qeframe.kinds.registered import kind_of


@frozen(kw_only=True)
class Roles:
    """What the columns are, by their names; empty: there is none.

    `gold`: of the gold. Where it is no column, and `submission` is one: the name of the submission that is the gold.
    `unit`, `task`, `system`: of the labels of units, of the names of tasks, of translation systems.
    `groups`: of labels that group units, such as documents.
    `submission`, `score`: of a long table, names and scores. `submissions`: wide, the columns of answers; long, names.
    `lower`: the submissions whose scores are better when lower, such as TER; they are negated.
    """

    gold: str
    unit: str = ""
    task: str = ""
    system: str = ""
    groups: tuple[str, ...] = ()
    submissions: tuple[str, ...] = ()
    submission: str = ""
    score: str = ""
    lower: tuple[str, ...] = ()

    @property
    def identifying(self) -> tuple[str, ...]:
        """The columns that say what a row is about."""
        return tuple(filter(None, (self.unit, self.task, self.system, self.submission, *self.groups)))

    def others(self, columns: Columns) -> list[str]:
        """Return the columns that have no role."""
        return [column for column in columns.names if column not in (self.gold, *self.identifying)]


def check_roles(roles: Roles, columns: Columns) -> None:
    """Raise an error for columns that are not there, and for combinations that mean nothing."""
    for argument in ("gold", "unit", "task", "system", "submission", "score"):
        if not isinstance(named := getattr(roles, argument), str):
            remedy = f"name one column{', and that of systems in system=' if argument == 'unit' else ''}"
            raise DataError(f"'{argument}' is {named!r}, which is not the name of a column", remedy=remedy)
    if bool(roles.submission) != bool(roles.score):
        raise DataError("a long frame needs both 'submission' and 'score'", remedy="name both columns, or neither")
    if roles.submission and not roles.unit:
        raise DataError("a long frame needs 'unit'", remedy="name the column of units")
    if roles.system and not roles.unit:
        raise DataError("'system' needs 'unit'", remedy="name the column of units (segments)")
    wide = () if roles.submission else roles.submissions
    golds = () if roles.submission and is_submission(roles.gold, roles, columns) else (roles.gold,)
    used = (*golds, *roles.identifying, *filter(None, [roles.score]))
    for name in (*used, *wide):
        if name not in columns.names:
            raise columns.error(f"has no column '{name}'; {did_you_mean(name, columns.names)}")
    entering = columns.values(roles.submission) if roles.submission else wide or roles.others(columns)
    for name in roles.lower:
        if name not in entering:
            raise columns.error(f"has no submission '{name}'; {did_you_mean(name, dict.fromkeys(entering))}")
    for name in used:
        if used.count(name) > 1:
            raise DataError(f"column '{name}' is named for two things", remedy="name every column once")
        if name in wide:
            raise DataError(f"column '{name}' is named as a submission too", remedy="name every column once")


def is_submission(gold: str, roles: Roles, columns: Columns) -> bool:
    """Return whether the gold of a long table is one of its submissions by name, and no column."""
    return gold not in columns.names and roles.submission in columns.names and gold in columns.values(roles.submission)


def check_once(
    roles: Roles, units: Sequence[Any], of_row: IntArray, columns: Columns, rows: IntArray, submission: str = ""
) -> None:
    """Raise an error for a unit with several rows, where a unit has one row (of a submission).

    `units`: the labels of the units. `of_row` (rows,): the position of the unit of every row.
    """
    counts = np.bincount(of_row, minlength=len(units))
    if (counts <= 1).all():
        return
    unit = int(np.flatnonzero(counts > 1)[0])
    column = "system=" if roles.task else "system=, task= (in a profile pair=)"
    raise columns.error(
        f"unit {units[unit]} has {counts[unit]} rows{f' of submission {submission!r}' if submission else ''}",
        int(rows[np.flatnonzero(of_row == unit)[1]]),
        remedy=f"keep one, or name the column that tells them apart in {column} or unit=",
    )


def tidy_readings(
    columns: Columns, roles: Roles, kind: type[Batch], best: Best, *, numbers: bool = False, name: str = "task"
) -> list[Reading]:
    """Return the tasks that columns hold, in the order in which their names first occur.

    Parameters
    ----------
    columns : Columns
        Of a frame or a file.
    roles : Roles
        As `check_roles` accepts them.
    kind : type of Batch
        Answers are numbers, those of each system for a kind that is crossed, or what lines of its plain file hold.
    best : {"low", "high"}
        Which gold scores are good.
    numbers : bool
        Whether answers must be numbers.
    name : str
        The name of the only task, where no column names tasks.

    Returns
    -------
    list of Reading
        Units without gold are left out and counted. A missing answer is no answer.

    Raises
    ------
    DataError
        For a column that is not of what the kind needs, a score that occurs twice, and golds or groups of one unit that
        differ.
    """
    if kind.crossed != bool(roles.system):
        what = f"a batch of {kind.__name__} {'needs' if kind.crossed else 'has'} {'a' if kind.crossed else 'no'} column"
        raise DataError(f"{what} of systems", remedy=f"{'name' if kind.crossed else 'leave out'} system=")
    cells, rows = cache(partial(_cells_of, columns, kind=kind, numbers=numbers)), np.arange(len(columns))
    by_task = parts(columns.labels(roles.task), rows) if roles.task else [(name, rows)]
    return [_reading(task, columns, members, roles, kind, cells, best) for task, members in by_task]


@frozen(eq=False)
class _Cells:
    """The cells of a column of gold or answers.

    `codes` (rows,): NaN where a cell is missing; equal where cells are equal. Numbers are their own codes. `values_of`:
    from rows whose cells are not missing, (n,) int64, to their values, as a `UnitValues` has them.
    """

    codes: FloatArray
    values_of: Callable[[IntArray], Any]


def _cells_of(columns: Columns, name: str, *, kind: type[Batch], numbers: bool) -> _Cells:
    """Return a column of one side of a kind of batch: of numbers, or of what lines of its plain file hold.

    Raises DataError if the kind has no plain file, or a cell is not what a line of it may hold.
    """
    plain = kind_of(kind).plain_format
    if numbers or kind.crossed or (plain is not None and plain.one_number and columns.is_numeric(name)):
        values = columns.numbers(name)
        return _Cells(values, values.__getitem__)
    if plain is None:
        what = f"a column cannot hold units of {kind.__name__}, which has no plain file of lines"
        raise columns.error(what, remedy="read files by a profile whose reader yields it")
    lines = [_line(columns, name, row, cell, plain) for row, cell in enumerate(columns.values(name))]
    present = dict.fromkeys(line for line in lines if line is not None)
    codes: dict[str | None, float] = {line: float(code) for code, line in enumerate(present)}
    parse = partial(_parsed, plain, columns, name, lines)
    return _Cells(np.array([codes.get(line, np.nan) for line in lines], dtype=np.float64), parse)


def _line(columns: Columns, name: str, row: int, cell: Any, plain: PlainFormat) -> str | None:
    """Return a cell as a line of a plain file: a text, or the parts of a list with blanks between; None if missing."""
    if cell is None or (isinstance(cell, float) and np.isnan(cell)):
        return None
    is_list = isinstance(cell, (list, tuple, np.ndarray))
    line = " ".join(map(str, cell)) if is_list else str(cell)
    if "\n" in line or (is_list and plain.holds_texts):
        what = "has a line end" if "\n" in line else "is a list of texts"
        raise columns.error(f"the cell of column '{name}' in row {row + 1} {what}", row, "give a text of one line")
    return line


def _parsed(plain: PlainFormat, columns: Columns, name: str, lines: Sequence[str | None], rows: IntArray) -> Any:
    cells = tuple(lines[row] or "" for row in rows.tolist())
    file = _ColumnOfLines(Path(columns.place), cells, "", column=name, rows=rows, columns=columns)
    ids, values = plain.parse(file)
    if plain.has_ids(file) or len(ids) != len(rows):
        what = f"the cells of column '{name}' are not one unit each"
        raise columns.error(what, remedy="give what one line of a plain file without ids has")
    return values


@frozen(eq=False)
class _ColumnOfLines(TextFile):
    """The cells of a column as the lines of a file; its errors name the column and the row."""

    column: str = field(kw_only=True)
    rows: IntArray = field(kw_only=True)
    columns: Columns = field(kw_only=True)

    def error(self, what: str, *, line: int | None = None, remedy: str = "") -> DataError:
        row = None if line is None else int(self.rows[line - 1])
        place = "" if row is None or self.columns.lines is not None else f" row {row + 1},"
        return self.columns.error(f"column '{self.column}',{place} {what}", row, remedy)


def _reading(
    name: str,
    columns: Columns,
    rows: IntArray,
    roles: Roles,
    kind: type[Batch],
    cells_of_column: Callable[[str], _Cells],
    best: Best,
) -> Reading:
    """Return one task, from its rows."""
    units, first, of_row = coded(columns.labels(roles.unit)[rows] if roles.unit else rows)
    systems = coded(columns.labels(roles.system)[rows]) if roles.system else None
    if systems is None and not roles.submission:
        check_once(roles, units, of_row, columns, rows)

    def side(name: str, at: IntArray, cells: _Cells, *, whose: str = "") -> UnitValues:
        is_gold, named = name == "gold", _names_of_units(units, columns, rows, roles)
        if systems is not None:
            of_system = systems[2][at], systems[0]
            grid = grid_of((of_row[at], units), of_system, cells.codes[rows[at]], columns, whose, rows[at])
            ids = np.flatnonzero(~np.isnan(grid).all(axis=1)) if is_gold else np.arange(len(units))
            # scores of metrics are better when higher, whatever the gold counts
            values = -grid[ids] if is_gold and best == "low" else grid[ids]
            return UnitValues(name=name, ids=ids, values=values, path=columns.place, names=named)
        kept = np.arange(len(at))
        if is_gold and roles.submission and not whose:
            kept = once(of_row[at], cells.codes[rows[at]], units, columns, "", rows[at])
        present = at[kept[~np.isnan(cells.codes[rows[at[kept]]])]]
        return UnitValues(
            name=name,
            ids=of_row[present],
            values=cells.values_of(rows[present]),
            path=columns.place,
            lines=None if columns.lines is None else columns.lines[rows[present]],
            names=named,
            numbered_from=0 if roles.unit else 1,
        )

    everything = np.arange(len(rows))
    of_submission = dict(parts(columns.labels(roles.submission)[rows], everything)) if roles.submission else {}
    if roles.submission and is_submission(roles.gold, roles, columns):
        at = of_submission.pop(roles.gold, everything[:0])
        gold = side("gold", at, cells_of_column(roles.score), whose=f"the gold '{roles.gold}'")
    else:
        gold = side("gold", everything, cells_of_column(roles.gold))
    answers = []
    for answer, at, cells in _answers(columns, roles, everything, of_submission, cells_of_column):
        if systems is None and roles.submission:
            check_once(roles, units, of_row[at], columns, rows[at], answer)
        answers.append(side(answer, at, cells, whose=f"submission '{answer}'"))
    answers = [_negate(each) if each.name in roles.lower else each for each in answers]
    _check_sides(kind, gold, answers)
    absent = {"unit": len(units) - len(gold.ids)}
    if systems is not None:
        absent["translation"] = int(np.isnan(gold.values).sum())
    return Reading(
        name=name,
        kind=kind,
        gold=gold,
        submissions=tuple(answer.take(np.flatnonzero(np.isin(answer.ids, gold.ids))) for answer in answers),
        groups={group: _groups(columns, group, rows, of_row, first, gold) for group in roles.groups},
        best=best,
        dropped=tuple(Dropped(name, what, count, "no gold score") for what, count in absent.items() if count),
        systems=() if systems is None else tuple(map(str, systems[0])),
    )


def _negate(answers: UnitValues) -> UnitValues:
    """Return scores that are better when lower with the other sign."""
    if not (isinstance(answers.values, np.ndarray) and answers.values.dtype == np.float64):
        raise DataError(f"answers of '{answers.name}' are no numbers", remedy="leave it out of lower=")
    return attrs.evolve(answers, values=-answers.values)


def _check_sides(kind: type[Batch], gold: UnitValues, answers: Sequence[UnitValues]) -> None:
    """Check the gold, and each submission on the units that both have, as plain files are checked."""
    plain = kind_of(kind).plain_format
    if plain is None:
        return
    for side in (gold, *answers):
        _, ours, theirs = np.intersect1d(gold.ids, side.ids, return_indices=True)
        plain.check_sides(gold.take(ours), side.take(theirs))


def _answers(
    columns: Columns,
    roles: Roles,
    everything: IntArray,
    of_submission: Mapping[str, IntArray],
    cells_of_column: Callable[[str], _Cells],
) -> Iterable[tuple[str, IntArray, _Cells]]:
    """Yield the name, the positions among the rows, and the column of every submission."""
    if not roles.submission:
        for name in roles.submissions or roles.others(columns):
            yield name, everything, cells_of_column(name)
        return
    cells = cells_of_column(roles.score)
    for name in roles.submissions or of_submission:
        if name not in of_submission:
            raise columns.error(f"has no submission '{name}'; {did_you_mean(name, of_submission)}")
        yield name, of_submission[name], cells


def _groups(
    columns: Columns, group: str, rows: IntArray, of_row: IntArray, first: IntArray, gold: UnitValues
) -> list[str]:
    """Return the label of every gold unit, in the order of the gold."""
    labels = columns.labels(group)[rows]
    different = np.flatnonzero(labels != labels[first][of_row])
    if len(different):
        unit, row = gold.unit_name(int(of_row[different[0]])), int(rows[different[0]])
        raise columns.error(f"unit {unit} has two labels in '{group}'", row, "give each unit one label")
    return [str(label) for label in labels[first][gold.ids]]


def _names_of_units(units: Sequence[Any], columns: Columns, rows: IntArray, roles: Roles) -> Mapping[int, str]:
    """Return the names of units: their labels; of rows without labels their numbers in the frame, from 1."""
    if roles.unit:
        return {i: str(label) for i, label in enumerate(units) if label != i}
    return {i: str(row + 1) for i, row in enumerate(units) if row != i}
