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
from qeframe.data.align import and_more
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
        labels = set(map(str, side.rows or ()))
        names_systems = self.task.level == "sys" and bool(labels) and labels >= set(self.task.systems)
        if len(self.task.systems) and (side.columns is not None or names_systems):
            values, notes = self._of_cells(side), tuple[Dropped, ...]()
        else:
            values, notes = self._of_units(side)
        missing = self._missing(values)
        if missing.any() and not fill:
            raise self._lacks(side.name, missing)
        if missing.any():
            values = self._filled(values, missing)
            reason = f"missing in {side.name}, scored as worst"
            notes = (*notes, Dropped(self.task.name, "answer", int(missing.sum()), reason))
        return self._made(side.name, values), notes

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
        of_mean = cells
        if side.rows is not None and self.task.averaged:
            rows = in_order_of(side.rows, self.task.averaged)
            of_mean = cells[rows[rows >= 0]]
        means = _column_means(of_mean)
        if self.like.compares:
            return means[self.like.systems]
        if len(self.like) == 1:
            return means[None]
        of_segments = self._of_segments(side, cells)
        # the scores of systems are those of all their segments, also of segments without a gold
        shift = means - _column_means(np.where(np.isnan(self.like.gold), np.nan, of_segments))
        return of_segments + np.where(np.isnan(shift), 0.0, shift)

    def _of_segments(self, side: Labeled, cells: FloatArray) -> Any:
        """Return the scores of the segments that the units are about; NaN where there is none."""
        if side.rows is None and side.named:
            what = f"{side.name} has scores of systems alone, task '{self.task.name}' is about segments"
            raise DataError(what, remedy="give the columns system, segment and score")
        if side.rows is None or not self.like.compares:
            return self._take(side, cells)
        return np.take_along_axis(self._take(side, cells, self.task.groups["segment"]), self.like.systems, axis=1)

    def _of_units(self, side: Labeled) -> tuple[Any, tuple[Dropped, ...]]:
        """Return one answer for each unit, and a note on answers to other units."""
        crossed = type(self.like).crossed
        side = attrs.evolve(side, values=_numbers(side)) if crossed else side.only_column()
        if crossed and side.values.ndim == 1:
            side = attrs.evolve(side, values=side.values[None], rows=None) if len(self.ids) == 1 else side.only_column()
        elif crossed and side.columns is not None:
            what = f"{side.name} names systems, and task '{self.task.name}' does not"
            raise DataError(what, remedy="give an array with a row for each unit and a column for each system")
        if side.rows is None:
            return self._take(side, side.values), ()
        extra = (in_order_of(self.names(self.ids), side.rows) < 0).sum()
        note = Dropped(self.task.name, "answer", int(extra), f"extra in {side.name}, not in the gold")
        return self._take(side, side.values), (note,) * bool(extra)

    def _are_units(self, side: Labeled) -> bool:
        """Return whether labels that count the rows are names of units; refuse those that may be both.

        Raises DataError if they are the names of the units in another order than that of the rows.
        """
        names, labels = self.names(self.ids), list(map(str, side.rows or ()))
        if set(labels) == set(names) and labels != names:
            what = f"the index of {side.name} is 0, 1, 2, ...: rows in order, or the units of task '{self.task.name}'"
            raise DataError(what, remedy="name the index 'segment' if it has the units, else give a list")
        return labels == names

    def _take(self, side: Labeled, values: Any, wanted: Sequence[str] | None = None) -> Any:
        """Return the values of units, by their labels or by position; missing ones as NaN, or None in lists.

        `wanted`: the label of each; by default those of the units of the task.
        """
        rows = self._positions(side, len(values)) if side.rows is None else self._rows(side, side.rows, wanted)
        if not isinstance(values, np.ndarray):
            return [values[row] if row >= 0 else None for row in rows.tolist()]
        if (rows >= 0).all():
            return values[rows]
        if values.dtype.kind not in "biuf":
            return [values[row] if row >= 0 else None for row in rows.tolist()]
        taken = values.astype(np.float64)[np.maximum(rows, 0)]
        taken[rows < 0] = np.nan
        return taken

    def _positions(self, side: Labeled, count: int) -> IntArray:
        """Return where the units of the task are among values in the order of the units, or of lines that name them."""
        names = self.names(self.ids)
        if count != len(names) and all(map(str.isdecimal, names)):
            lines = np.array(names, dtype=np.int64) - min(1, int(min(names, key=int)))
            if count == lines.max() + 1:
                return np.asarray(lines[in_order_of(names, self.names(self.like.ids))])
        if count != len(self.ids):
            what = f"{side.name} has {counted(count, 'answer')}, task '{self.task.name}' has {len(self.ids)} units"
            remedy = f"give one for each unit in the order of the task, or label them: {self._labels_in_words()}"
            raise DataError(what, remedy=remedy)
        return in_order_of(self.ids.tolist(), self.like.ids.tolist())

    def _rows(self, side: Labeled, labels: Sequence[Any], wanted: Sequence[str] | None) -> IntArray:
        """Return where labels of units are among those of a side, -1 where they are not."""
        rows = in_order_of(labels, self.names(self.like.ids) if wanted is None else wanted)
        if twice := repeated(labels):
            raise DataError(f"{side.name} has unit {twice[0]} twice", remedy="keep one answer for each unit")
        if len(rows) and (rows < 0).all():
            first = (labels or ("",))[0]
            what = f"no label of {side.name}, such as {first!r}, is a unit of task '{self.task.name}'"
            raise DataError(what, remedy=self._labels_in_words())
        return rows

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
        where, more = np.argwhere(missing)[0], and_more(int(missing.sum()))
        units, cell = self.names(self.like.ids), []
        if not (len(self.task.systems) and self.task.level == "sys" and len(where) == 2 and len(units) == 1):
            judged = self.like.compares and self.task.level == "seg" and "segment" in self.task.groups
            cell.append(f"segment {self.task.groups['segment'][where[0]] if judged else units[where[0]]}")
        if len(where) == 2 and len(self.task.systems):
            cell.append(f"system {self.task.systems[where[1]]}")
        what = f"{name} has no answer to {' of '.join(cell)} of task '{self.task.name}'{more}"
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
        more = {
            str(field.alias): getattr(answered, field.name)
            for field in attrs.fields(type(like))
            if field.name != "predicted" and field.metadata.get("answer")
        }
        if kind is not None and kind.with_answers is not None:
            return attrs.evolve(kind.with_answers(like, answered.predicted), **more)
        batch: Batch = attrs.evolve(like, predicted=answered.predicted, **more)
        return batch


def _plain_gold(kind: BatchKind, like: Any) -> dict[str, Any]:
    """Return the gold of a batch as plain values, and what its side declares: classes, categories, texts."""
    plain = kind.plain(like) if kind.plain is not None else {}
    gold = kind.sides(like)[0] if kind.sides is not None else plain.get("gold")
    declared = {name: getattr(like, name, None) or None for name in ("classes", "categories")}
    return {"gold": gold, **declared, **({"text": plain["text"]} if "text" in plain else {})}


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
