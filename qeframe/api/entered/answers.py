"""Values with labels as the answers of a submission to the units of a task."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import attrs
import numpy as np
from attrs import frozen

from qeframe.api.frames.labeled import Labeled, in_order_of, repeated
from qeframe.core.batch import Batch, BoolArray, FloatArray, IntArray
from qeframe.core.batch_kind import BatchKind
from qeframe.core.errors import DataError, counted
from qeframe.core.registry import Registry
from qeframe.core.task import Dropped, Task
from qeframe.data.numbers import real_numbers

_FEW = 3


@frozen(kw_only=True, eq=False)
class Answering:
    """The units of a task that an entered submission answers.

    `task`: with at least one submission. `ids` (n,): the ids of all units in the order in which values without labels
    are given; the task may have fewer.
    """

    task: Task
    ids: IntArray
    registry: Registry

    @property
    def like(self) -> Any:
        """The batch of another submission."""
        return next(iter(self.task.batches.values()))

    def names(self, ids: IntArray) -> list[str]:
        """Return what the gold calls units."""
        return [self.task.unit_name(unit) for unit in ids.tolist()]

    def batch(self, side: Labeled, *, fill: bool) -> tuple[Batch, tuple[Dropped, ...]]:
        """Return the answers of a submission, and what was left out or filled.

        `fill`: whether the worst answer is filled in where there is none. Raises DataError if labels are unknown, an
        answer is missing, or values are no answers of this kind.
        """
        if side.counts and not side.named and not self._are_units(side):
            side = attrs.evolve(side, rows=None)
        if len(self.task.systems) and (side.columns is not None or self._names_systems(side)):
            values, notes = self._of_cells(side), tuple[Dropped, ...]()
        else:
            values, notes = self._of_units(side)
        missing = self._missing(values)
        if missing.any() and not fill:
            raise self._lacks(side.name, missing)
        if missing.any():
            values = self._filled(values, missing)
            notes = (*notes, Dropped(self.task.name, "answer", int(missing.sum()), _FILLED.format(side.name)))
        return self._made(side.name, values), notes

    def _names_systems(self, side: Labeled) -> bool:
        """Return whether values are scores of systems: one for each, with the names of systems as labels."""
        labels = set(map(str, side.rows or ()))
        return self.task.level == "sys" and bool(labels) and labels >= set(self.task.systems)

    def _of_cells(self, side: Labeled) -> Any:
        """Return the answers that follow from scores of segments by systems, or of systems."""
        if side.columns is None:
            side = attrs.evolve(side, values=np.asarray(side.values)[None], columns=side.rows, rows=None)
        columns = in_order_of(side.columns or (), self.task.systems)
        if (columns < 0).any():
            absent = self.task.systems[int(np.flatnonzero(columns < 0)[0])]
            what = f"{side.name} has no scores of system '{absent}' in task '{self.task.name}'"
            out = f"where the profile has outliers, by outliers+=[{absent}]"
            raise DataError(what, remedy=f"complete it, or leave the system out for all submissions, {out}")
        cells: FloatArray = np.asarray(side.values, dtype=np.float64)[:, columns]
        if self.task.level == "seg":
            return self._of_segments(side, cells)
        means = self._means(side, cells)
        if self.like.compares:
            return means[self.like.systems]
        if len(self.like) == 1:
            return means[None]
        of_segments = self._of_segments(side, cells)
        # the scores of systems are those of all their segments, also of segments without a gold
        shift = means - _column_means(np.where(np.isnan(self.like.gold), np.nan, of_segments))
        return of_segments + np.where(np.isnan(shift), 0.0, shift)

    def _means(self, side: Labeled, cells: FloatArray) -> FloatArray:
        """Return the score of every system: the mean of its segments that count; NaN without one."""
        if side.rows is not None and self.task.averaged:
            counted_rows = in_order_of(side.rows, self.task.averaged)
            cells = cells[counted_rows[counted_rows >= 0]]
        return _column_means(cells)

    def _of_segments(self, side: Labeled, cells: FloatArray) -> Any:
        """Return the scores of the segments that the units are about; NaN where there is none."""
        if side.rows is None and not side.named:
            return self._by_position(side, cells)
        if side.rows is None:
            what = f"{side.name} has scores of systems alone, task '{self.task.name}' is about segments"
            raise DataError(what, remedy="give the columns system, segment and score")
        if not self.like.compares:
            return self._rows(side, cells, self.names(self.like.ids))
        rows = self._rows(side, cells, self.task.groups["segment"])
        return np.take_along_axis(rows, self.like.systems, axis=1)

    def _of_units(self, side: Labeled) -> tuple[Any, tuple[Dropped, ...]]:
        """Return one answer for each unit, and a note on answers to other units."""
        if type(self.like).crossed:
            side = attrs.evolve(side, values=_numbers(side))
        crossed = type(self.like).crossed and side.values.ndim > 1
        if crossed and side.columns is not None:
            what = f"{side.name} names systems, and task '{self.task.name}' does not"
            raise DataError(what, remedy="give an array with a row for each unit and a column for each system")
        if type(self.like).crossed and side.values.ndim == 1 and len(self.ids) == 1:
            side = attrs.evolve(side, values=side.values[None], rows=None)
        side = side if crossed else side.only_column()
        if side.rows is None:
            return self._by_position(side, side.values), ()
        extra = (in_order_of(self.names(self.ids), side.rows) < 0).sum()
        note = Dropped(self.task.name, "answer", int(extra), f"extra in {side.name}, not in the gold")
        return self._rows(side, side.values, self.names(self.like.ids)), (note,) * bool(extra)

    def _are_units(self, side: Labeled) -> bool:
        """Return whether labels that count the rows are names of units; refuse those that may be both.

        Raises DataError if they are the names of the units in another order than that of the rows.
        """
        names = self.names(self.ids)
        if set(map(str, side.rows or ())) != set(names):
            return False
        if list(map(str, side.rows or ())) != names:
            what = f"the index of {side.name} is 0, 1, 2, ...: rows in order, or the units of task '{self.task.name}'"
            raise DataError(what, remedy="name the index 'segment' if it has the units, else give a list")
        return True

    def _by_position(self, side: Labeled, values: Any) -> Any:
        """Return values in the order of the units, or of the lines that name them, for the units of the task."""
        names = self.names(self.ids)
        if len(values) != len(names) and all(map(str.isdecimal, names)):
            lines = np.array(names, dtype=np.int64) - min(1, int(min(names, key=int)))
            if len(values) == lines.max() + 1:
                of_task = in_order_of(names, self.names(self.like.ids))
                return _taken(values, lines[of_task])
        if len(values) != len(self.ids):
            what = (
                f"{side.name} has {counted(len(values), 'answer')}, task '{self.task.name}' has {len(self.ids)} units"
            )
            remedy = f"give one for each unit in the order of the task, or label them: {self._labels_in_words()}"
            raise DataError(what, remedy=remedy)
        return _taken(values, in_order_of(self.ids.tolist(), self.like.ids.tolist()))

    def _rows(self, side: Labeled, values: Any, wanted: Sequence[str]) -> Any:
        """Return the values of units by their labels; missing ones as NaN, or None in lists."""
        rows = in_order_of(side.rows or (), wanted)
        if twice := repeated(side.rows or ()):
            raise DataError(f"{side.name} has unit {twice[0]} twice", remedy="keep one answer for each unit")
        if len(wanted) and (rows < 0).all():
            first = (side.rows or ("",))[0]
            what = f"no label of {side.name}, such as {first!r}, is a unit of task '{self.task.name}'"
            raise DataError(what, remedy=self._labels_in_words())
        if isinstance(values, np.ndarray) and values.dtype.kind in "biuf":
            answers = np.asarray(values, dtype=np.float64)[np.maximum(rows, 0)]
            answers[rows < 0] = np.nan
            return answers
        listed = list(values)
        return [listed[row] if row >= 0 else None for row in rows.tolist()]

    def _labels_in_words(self) -> str:
        """Return what the units are called, for a remedy."""
        judged = self.like.compares and "segment" in self.task.groups
        names = list(dict.fromkeys(self.task.groups["segment"] if judged else self.names(self.ids)))
        shown = ", ".join(names[:_FEW]) + (f", ... {names[-1]}" if len(names) > _FEW else "")
        return f"its segments are named {shown}"

    def _missing(self, values: Any) -> BoolArray:
        """Return which answers are missing: (n,), or cells that the gold has, (n, systems)."""
        if not (isinstance(values, np.ndarray) and values.dtype.kind == "f"):
            return np.array([value is None for value in values], dtype=np.bool_)
        absent = np.isnan(values)
        if type(self.like).crossed:
            return np.asarray(absent & ~np.isnan(self.like.gold) if absent.shape == self.like.gold.shape else absent)
        return np.asarray(absent if absent.ndim == 1 else absent.any(axis=1))

    def _lacks(self, name: str, missing: BoolArray) -> DataError:
        """Return the error that names the first answer that is missing."""
        where, more = np.argwhere(missing)[0], f" (and {missing.sum() - 1} more)" if missing.sum() > 1 else ""
        units = self.names(self.like.ids)
        judged = self.like.compares and self.task.level == "seg" and "segment" in self.task.groups
        unit = f"segment {self.task.groups['segment'][where[0]] if judged else units[where[0]]}"
        if len(self.task.systems) and self.task.level == "sys" and len(where) == 2 and len(units) == 1:
            unit = ""
        of = f"system {self.task.systems[where[1]]}" if len(where) == 2 and len(self.task.systems) else ""
        cell = " of ".join(filter(None, [unit, of]))
        what = f"{name} has no answer to {cell} of task '{self.task.name}'{more}"
        return DataError(what, remedy=f"complete it; {self._labels_in_words()}")

    def _filled(self, values: Any, missing: BoolArray) -> Any:
        """Return values with the worst answers, as the policy `score_as_worst` fills them in."""
        gold = getattr(self.like, "human" if self.like.compares else "gold", None)
        rows = missing if missing.ndim == 1 else missing.any(axis=1)
        present = values if missing.ndim == 2 else values[~missing]
        worst = type(self.like).worst_answers(None if gold is None else gold[rows], present)
        filled = values.copy()
        filled[rows] = np.where(missing[rows], worst, filled[rows]) if missing.ndim == 2 else worst
        return filled

    def _made(self, name: str, answers: Any) -> Batch:
        """Return answers as a batch holds them, checked as plain values are."""
        kind, like = self.registry.find_kind(type(self.like)), self.like
        plain = {"gold": answers} if kind is None else _plain_gold(kind, like)
        try:
            answered: Any = type(like).from_plain(**{**plain, "predicted": answers})
        except (AttributeError, DataError, TypeError) as error:
            what = error.what if isinstance(error, DataError) else str(error)
            remedy = "give one answer for each unit, as the metrics of this kind take them"
            raise DataError(f"the answers of {name} cannot be used: {what}", remedy=remedy) from None
        of_answers = {
            str(field.alias): getattr(answered, field.name)
            for field in attrs.fields(type(like))
            if field.name == "predicted" or field.metadata.get("answer")
        }
        own = of_answers.pop("predicted")
        with_answers = None if kind is None else kind.with_answers
        batch: Batch = attrs.evolve(like, predicted=own) if with_answers is None else with_answers(like, own)
        return attrs.evolve(batch, **of_answers) if of_answers else batch


def _plain_gold(kind: BatchKind, like: Any) -> dict[str, Any]:
    """Return the gold of a batch as plain values, and what its side declares: classes, categories, texts."""
    plain = kind.plain(like) if kind.plain is not None else {}
    gold = kind.sides(like)[0] if kind.sides is not None else plain.get("gold")
    declared = {name: getattr(like, name, None) or None for name in ("classes", "categories")}
    return {"gold": gold, **declared, **({"text": plain["text"]} if "text" in plain else {})}


_FILLED = "missing in {}, scored as worst"


def _taken(values: Any, rows: IntArray) -> Any:
    return values[rows] if isinstance(values, np.ndarray) else [values[row] for row in rows.tolist()]


def _column_means(cells: FloatArray) -> FloatArray:
    """Return the mean of the cells of every column that are present; NaN without any."""
    present = ~np.isnan(cells)
    sums, counts = np.where(present, cells, 0.0).sum(axis=0), present.sum(axis=0)
    return np.divide(sums, counts, out=np.full(len(sums), np.nan), where=counts > 0)


def _numbers(side: Labeled) -> FloatArray:
    """Return values as an array of numbers, NaN for None."""
    try:
        return real_numbers(side.values)
    except (TypeError, ValueError, OverflowError):
        what = f"the answers of {side.name} are no rows of numbers of the same length"
        raise DataError(what, remedy="give an array with a row for each unit and a column for each system") from None
