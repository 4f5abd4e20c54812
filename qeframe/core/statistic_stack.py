"""A stack of statistics on the same units, computed together from one draw of weights.

The additive ones become one matrix product: the rows of all submissions and metrics are joined column by column, and a
column that occurs twice (the gold side, the count of units, two metrics with the same rows) is multiplied once.
"""

from __future__ import annotations

import hashlib
import math
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from copy import copy
from functools import cached_property
from typing import Any

import numpy as np
from attrs import frozen
from numpy.typing import NDArray

from qeframe.core.batch import FloatArray, IntArray, is_sparse
from qeframe.core.component import StatisticError, scores_of_shape
from qeframe.core.draws import CELLS_IN_CACHE, bounded_slices
from qeframe.core.statistic import Additive, Score, Statistic

JointFunction = Callable[[FloatArray], FloatArray]
_EXACT_IN_FLOAT32 = 2**24
SMALL_SHARE = 1e-4
"""Sums of some units that are a smaller share of the whole have lost digits: one unit outweighs the others."""
_JACKKNIFE_BLOCK = 256
_ARRAYS_OF_JACKKNIFE = 8
"""How many arrays of one number a unit and column live at once: sums without a unit, and what scores make of them."""


class StatisticStack:
    """Statistics on the same units as one function from weights to scores.

    Parameters
    ----------
    statistics : sequence of Statistic
        At least one, all with the same number of units. A class of statistics may have a static method
        ``jointly(statistics)``, from its instances to a function (..., n) -> (..., m). It is then called once with all
        instances of the class. It may also have a method ``jackknife()``, the scores with each unit left out, (n,). The
        joint function may have a method ``without_groups(counts)``, from the counts of units in groups, (draws, groups,
        n), to the scores without each group, (draws, groups, m).

    Notes
    -----
    `columns`, a dense or sparse array (C, n) float64, holds the distinct columns of the rows of the additive
    statistics. `additive_groups` are those that share a score: the score, their positions, (m,) int64, and where their
    columns are, (k, m) int64. `recomputed` is how many statistics the jackknife computes again for every unit.
    """

    def __init__(self, statistics: Sequence[Statistic]) -> None:
        self.statistics = tuple(statistics)
        self.units = self.statistics[0].units
        self.unit = self.statistics[0].unit
        additive = [i for i, s in enumerate(self.statistics) if isinstance(s, Additive)]
        self.columns, index = distinct_columns([s.rows for s in self.statistics if isinstance(s, Additive)])
        self.additive_groups = _by_score(self.statistics, additive, index)
        self._joint = _joint(self.statistics, additive)
        self._own_jackknife = {i for i, s in enumerate(self.statistics) if hasattr(s, "jackknife")}
        self.recomputed = len(self) - len(additive) - len(self._own_jackknife)

    @cached_property
    def _largest(self) -> float | None:
        """The largest magnitude in the columns if they hold whole numbers only, else None.

        Also None for sparse columns, whose products are short.
        """
        if is_sparse(self.columns):
            return None
        largest = None
        for part in bounded_slices(*self.columns.shape, most=CELLS_IN_CACHE):
            magnitude = _largest_whole(self.columns[part])
            if magnitude is None:
                return None
            largest = max(magnitude, largest or 0.0)
        return largest

    @cached_property
    def _single(self) -> NDArray[np.float32]:
        """The columns in single precision."""
        return np.asarray(self.columns, dtype=np.float32)

    def __len__(self) -> int:
        return len(self.statistics)

    def __call__(self, weights: NDArray[Any]) -> FloatArray:
        """Return the scores of all statistics.

        Parameters
        ----------
        weights : (..., n) array
            Integers are taken as counts. Their sums with whole rows are computed in single precision, in half the
            time, where they are known to be exact there.

        Returns
        -------
        (..., S) float64

        Raises
        ------
        StatisticError
            If a statistic fails, or returns something else than a number for each draw.
        """
        flat = weights.reshape(math.prod(weights.shape[:-1]), self.units)
        scores = np.empty((len(self), len(flat)))
        if self.additive_groups:
            sums = self.sums(flat)
            for score, where, index in self.additive_groups:
                with _position(where):
                    values = score(np.moveaxis(sums[index], 0, -1))
                    scores[where] = scores_of_shape(values, "score", (len(where), len(flat)), "a number for each row")
        given = _unchanging(flat) if self._joint else flat
        for function, where in self._joint:
            with _position(where):
                values = function(given)
                values = scores_of_shape(values, "the statistic", (len(flat), len(where)), "a number for each draw")
                scores[where] = np.moveaxis(values, -1, 0)
        return np.moveaxis(scores, 0, -1).reshape(*weights.shape[:-1], len(self))

    def sums(self, weights: NDArray[Any]) -> FloatArray:
        """Return the weighted sums of the distinct columns, (C, draws), for weights (draws, n)."""
        if self._exact(weights):
            with np.errstate(invalid="ignore"):  # some BLAS say so of numbers beside the matrices, which are finite
                return (self._single @ weights.astype(np.float32).T).astype(np.float64)
        return np.asarray(self.columns @ weights.astype(np.float64, copy=False).T)

    def _exact(self, weights: NDArray[Any]) -> bool:
        if not np.issubdtype(weights.dtype, np.integer) or not weights.size or self._largest is None:
            return False
        # float32 has every whole number below 2**24: no partial sum of a product of counts is rounded, in any order
        return float(weights.sum(axis=-1).max()) * self._largest < _EXACT_IN_FLOAT32

    @property
    def without_groups(self) -> Callable[[NDArray[Any]], FloatArray] | None:
        """The own method of the joint function of all statistics; None if they have none, or several functions."""
        if len(self._joint) != 1 or self.additive_groups:
            return None
        return getattr(self._joint[0][0], "without_groups", None)

    def scores(self) -> FloatArray:
        """Return the point estimates, (S,): all weights one."""
        return self(np.ones(self.units))

    def jackknife(self) -> FloatArray:
        """Return the scores with each unit left out in turn, (n, S)."""
        scores = np.empty((self.units, len(self)))
        if self.additive_groups:
            total = self.columns.sum(axis=1)[:, None]
            by_unit = self.columns.tocsc() if is_sparse(self.columns) else self.columns
            cells, outweighing = _ARRAYS_OF_JACKKNIFE * len(total), self._outweighing()
            for units in bounded_slices(self.units, cells, least=_JACKKNIFE_BLOCK):
                part = by_unit[:, units].toarray() if is_sparse(by_unit) else by_unit[:, units]
                rest = total - part
                for unit in outweighing:
                    if units.start <= unit < units.stop:
                        rest[:, unit - units.start] = self.sums(np.arange(self.units)[None] != unit)[:, 0]
                for score, where, index in self.additive_groups:
                    for position, columns in zip(where, index.T, strict=True):
                        with _position(where):
                            values, shape = score(rest[columns].T), rest.shape[1:]
                            scores[units, position] = scores_of_shape(values, "score", shape, "a number for each row")
        for position in self._own_jackknife:
            with _position(np.array([position])):
                values = self.statistics[position].jackknife()  # type: ignore[attr-defined]
                scores[:, position] = scores_of_shape(values, "jackknife", (self.units,), "a number for each unit")
        # the statistics of a joint function are of one class, so that the first tells for all
        again = [(function, where) for function, where in self._joint if where[0] not in self._own_jackknife]
        if again:
            for start in range(0, self.units, _JACKKNIFE_BLOCK):
                left_out = np.arange(start, min(start + _JACKKNIFE_BLOCK, self.units))
                weights = (np.arange(self.units) != left_out[:, None]).astype(np.float64)
                for function, where in again:
                    with _position(where):
                        values, shape = function(_unchanging(weights)), (len(left_out), len(where))
                        values = scores_of_shape(values, "the statistic", shape, "a number for each draw")
                        scores[left_out[:, None], where] = values
        return scores

    def _outweighing(self) -> set[int]:
        """Return units that outweigh all others in a dense column: the whole less such a unit has lost its digits."""
        outweighing = set()
        for column in () if is_sparse(self.columns) else self.columns:
            magnitudes = np.abs(column)
            total, largest = float(magnitudes.sum()), magnitudes.max(initial=0.0)
            if total - largest < SMALL_SHARE * total and is_rounded(column, total):
                outweighing.add(int(magnitudes.argmax()))
        return outweighing

    @property
    def additive(self) -> bool:
        """Whether every statistic is additive."""
        return not self._joint

    def additive_at(self, positions: Sequence[int] | IntArray) -> StatisticStack:
        """Return the statistics at ascending positions, which are additive, on the columns of all."""
        alone = copy(self)
        alone.statistics, alone._joint = tuple(self.statistics[i] for i in positions), []
        alone.additive_groups = [
            (score, np.searchsorted(positions, where[chosen]), index[:, chosen])
            for score, where, index in self.additive_groups
            if (chosen := np.isin(where, positions)).any()
        ]
        alone._own_jackknife, alone.recomputed = set(), 0
        return alone

    @property
    def exchangeable(self) -> tuple[Score, IntArray] | None:
        """The common score and the columns (k, S) of every statistic, if all are additive with the same score."""
        if not self.additive or len(self.additive_groups) != 1:
            return None
        score, _, index = self.additive_groups[0]
        return score, index


def _unchanging(weights: NDArray[Any]) -> FloatArray:
    """Return weights as float64 numbers that cannot be written to."""
    given = weights.astype(np.float64, copy=False).view()
    given.flags.writeable = False
    return given


@contextmanager
def _position(where: IntArray) -> Iterator[None]:
    """Say which statistic failed: the first of those that are computed together."""
    try:
        yield
    except (MemoryError, KeyboardInterrupt):
        raise
    except BaseException as error:
        raise StatisticError(int(where[0]), error) from error


def _by_score(
    statistics: Sequence[Statistic], additive: Sequence[int], columns: Sequence[IntArray]
) -> list[tuple[Score, IntArray, IntArray]]:
    """Group additive statistics by their score function: (score, positions (m,), columns (k, m))."""
    members: dict[Score, list[int]] = {}
    for nth, position in enumerate(additive):
        statistic = statistics[position]
        assert isinstance(statistic, Additive)
        members.setdefault(statistic.score, []).append(nth)
    return [
        (score, np.array([additive[i] for i in nths]), np.stack([columns[i] for i in nths], axis=1))
        for score, nths in members.items()
    ]


def _joint(statistics: Sequence[Statistic], additive: Sequence[int]) -> list[tuple[JointFunction, IntArray]]:
    """Group the other statistics by class: (function of weights to (..., m), positions (m,))."""
    members: dict[Any, list[int]] = {}
    for position in sorted(set(range(len(statistics))) - set(additive)):
        statistic = statistics[position]
        members.setdefault(type(statistic) if hasattr(statistic, "jointly") else position, []).append(position)
    joint: list[tuple[JointFunction, IntArray]] = []
    for kind, positions in members.items():
        chosen, where = [statistics[p] for p in positions], np.array(positions)
        with _position(where):
            function: JointFunction = kind.jointly(chosen) if hasattr(kind, "jointly") else _Alone(chosen[0])
        joint.append((function, where))
    return joint


@frozen(eq=False)
class _Alone:
    """A statistic that is computed by itself: no closure, so that other processes can be sent a stack."""

    statistic: Statistic

    def __call__(self, weights: FloatArray) -> FloatArray:
        values, shape = self.statistic(weights), weights.shape[:-1]
        return scores_of_shape(values, "the statistic", shape, "a number for each draw")[..., None]


def is_rounded(column: FloatArray, total: float) -> bool:
    """Return whether sums of a column, up to `total`, are rounded: of fractions, or beyond the whole numbers."""
    return total > 2**53 or bool((column != np.rint(column)).any())


def _largest_whole(columns: FloatArray) -> float | None:
    """Return the largest magnitude if every entry is a whole number, else None."""
    if not np.isfinite(columns).all() or (columns != np.rint(columns)).any():
        return None
    return float(np.abs(columns).max(initial=0.0))


def distinct_columns(tables: Sequence[Any]) -> tuple[Any, list[IntArray]]:
    """Return the distinct columns of all tables as rows, and where the columns of each table are among them.

    A single table is not searched for equal columns: a large corpus is then not copied.

    `tables` (n, k). Returns `columns` (C, n). `positions` (k,).
    """
    if len(tables) == 1:
        return tables[0].T.tocsr() if is_sparse(tables[0]) else tables[0].T, [np.arange(tables[0].shape[1])]
    if any(is_sparse(table) for table in tables):
        return _distinct_sparse(tables)
    alike: dict[int, list[int]] = {}
    columns: list[FloatArray] = []
    of_table: dict[int, IntArray] = {}  # metrics that extract the same rows share one table
    for table in {id(table): table for table in tables}.values():
        position = of_table[id(table)] = np.empty(table.shape[1], dtype=np.int64)
        for j in range(table.shape[1]):
            column = np.ascontiguousarray(table[:, j])
            # equal bits, not equal values: NaN is a column of its own, and -0.0 is not 0.0
            bits = column.tobytes()
            # the hash alone is kept, since the bytes as keys would hold every column twice
            candidates = alike.setdefault(hash(bits), [])
            position[j] = next((i for i in candidates if columns[i].tobytes() == bits), len(columns))
            if position[j] == len(columns):
                candidates.append(len(columns))
                columns.append(column)
    return (np.stack(columns) if columns else np.empty((0, 0))), [of_table[id(table)] for table in tables]


def _distinct_sparse(tables: Sequence[Any]) -> tuple[Any, list[IntArray]]:
    """Return the distinct columns as a sparse array; at least one of the tables is sparse."""
    from scipy.sparse import csc_array, csr_array

    position_of: dict[bytes, int] = {}
    kept: list[tuple[IntArray, FloatArray]] = []
    positions: list[IntArray] = []
    for table in map(csc_array, tables):
        position = np.empty(table.shape[1], dtype=np.int64)
        for j, (start, stop) in enumerate(zip(table.indptr[:-1], table.indptr[1:], strict=True)):
            units, values = table.indices[start:stop].astype(np.int64), table.data[start:stop]
            position[j] = position_of.setdefault(_digest(units) + _digest(values), len(kept))
            if position[j] == len(kept):
                kept.append((units, values))
        positions.append(position)
    ends = np.cumsum([0, *(len(units) for units, _ in kept)])
    units, values = (np.concatenate(side) for side in zip(*kept, strict=True))
    return csr_array((values, units, ends), shape=(len(kept), tables[0].shape[0])), positions


def _digest(values: Any) -> bytes:
    return hashlib.blake2b(values.data, digest_size=16).digest()
