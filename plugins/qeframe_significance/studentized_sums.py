"""The difference of two scores in units of its own standard error, after each exchange of units, from sums alone."""

from collections.abc import Sequence
from functools import cached_property
from itertools import combinations
from typing import Any, ClassVar, Literal, Protocol, runtime_checkable

import numpy as np
from attrs import evolve, field, frozen
from numpy.typing import NDArray

from qeframe.plugin import FloatArray, IntArray
from qeframe.plugin.resampling import bounded_slices, magnitude_of

LARGEST = 1e6
"""The size of a difference without an error, in units of it; no other is larger."""

_EQUAL = 1e-12
"""A difference that is a smaller share of the scores is rounding."""

_LOST = 1e-3
"""A variance below this share of its terms has lost digits: it is summed over units."""

_NO_ERROR = 1e-26
"""A variance below this share of its terms is 0 but for rounding."""

_ROUNDED = 1e-15
"""Products of two columns that differ by a smaller share are equal but for rounding."""

_SMALL = 2.0**-100
"""Columns of smaller numbers, and those of numbers above its reciprocal, are scaled before they are multiplied."""

_CELLS_OF_PRODUCTS = 2**19
"""How many numbers of pairs, units and exchanges a matrix product has: a large one is faster."""

_CELLS = 2**14
"""How many numbers an array of pairs and exchanges has at once: all of them together stay in the cache."""


@runtime_checkable
class DifferentiableScore(Protocol):
    """A score of sums that states its derivatives, as the `score` of an `Additive` may do.

    With all sums times a factor it is the same, so that the influences of units add up to 0.
    """

    def differentiate(self, *sums: FloatArray) -> tuple[FloatArray, Sequence[FloatArray]]:
        """Return the scores of sums, and their derivatives by each of them.

        Parameters
        ----------
        sums : k arrays
            Column by column, of shapes that go together: (pairs, draws), or (1, 1) for what is the same in all.

        Returns
        -------
        score, derivatives
            NaN, or a stated value, where the score is undefined; the derivatives are 0 there.
        """


def ratio(difference: FloatArray, variance: FloatArray) -> FloatArray:
    """Return a difference over its standard error: 0 of equal scores, `LARGEST` of others without an error."""
    with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
        t = np.clip(difference / np.sqrt(variance), -LARGEST, LARGEST)
    return np.where(difference == 0, 0.0, t)


@frozen(eq=False)
class StudentizedExchange:
    """What exchanges of units make of the differences of two scores of sums, and of their errors; an `Exchange`.

    Parameters
    ----------
    rows : (k, S, n) float64
        The sufficient statistics of each submission and unit, such as a document.
    score : DifferentiableScore
    sign : float
        1 if higher is better, else -1.
    gives : {"t", "difference", "variance"}
        What a call returns: the oriented difference, its squared standard error, or the ratio of both.

    Notes
    -----
    With c = (a + b) / 2 and h = (a - b) / 2 for the rows of a unit of two submissions, and s = 1 where it keeps its
    answers and -1 where it exchanges them, its influence on the difference is D c + s G h. D is the difference of both
    gradients after the exchange, and G their sum. The squares add up to D'[sum c c']D + G'[sum h h']G + 2 D'[sum s c
    h']G. Only the last sum depends on the exchange, and in it only products of rows of one submission, and what two
    submissions have crosswise. A column that all submissions have in common, such as one of the gold, has h = 0.
    """

    own_statistic: ClassVar[bool] = True
    rows: FloatArray
    score: DifferentiableScore
    sign: float = 1.0
    gives: Literal["t", "difference", "variance"] = "t"
    _kept: dict[tuple[int, int], FloatArray] = field(factory=dict, init=False)

    def giving(self, what: Literal["difference", "variance"]) -> "StudentizedExchange":
        """Return the exchange that returns something else."""
        return evolve(self, gives=what)

    @property
    def cells(self) -> int:
        """One cell for each unit."""
        return self.rows.shape[2]

    def __call__(self, masks: NDArray[Any], first: IntArray, second: IntArray) -> FloatArray:
        """Return what the exchange gives, (draws, pairs): see `Exchange`."""
        difference, variance = self.studentize(masks, first, second)
        if self.gives == "t":
            return ratio(difference, variance)
        return difference if self.gives == "difference" else variance

    def studentize(self, masks: NDArray[Any], first: IntArray, second: IntArray) -> tuple[FloatArray, FloatArray]:
        """Return the oriented differences and their squared errors, (draws, pairs) both; 0 where they are rounding."""
        swapped = masks.astype(np.float64)
        signs = 1 - 2 * swapped
        signed = self._summed(self._multiplied[1], signs)
        moved, kept = (self._summed(self._scaled[self._free], chosen) for chosen in (swapped, 1 - swapped))
        difference, variance = np.empty((2, len(first), len(masks)))
        for whole in bounded_slices(len(first), self.cells + len(masks), most=_CELLS_OF_PRODUCTS):
            crosswise = self._crosswise_sums(signs, first[whole], second[whole])
            for part in bounded_slices(len(first[whole]), len(masks), most=_CELLS):
                a, b = first[whole][part], second[whole][part]
                sums = kept[:, a] + moved[:, b], kept[:, b] + moved[:, a]
                crossed = signed[:, a] - signed[:, b], crosswise[:, part]
                difference[whole][part], variance[whole][part] = self._of_pairs(signs, sums, crossed, a, b)
        return self.sign * difference.T, variance.T

    @staticmethod
    def _summed(columns: FloatArray, weights: FloatArray) -> FloatArray:
        """Return the sums of columns (c, S, n) under weights (draws, n), (c, S, draws)."""
        c, submissions, units = columns.shape
        return (columns.reshape(-1, units) @ weights.T).reshape(c, submissions, len(weights))

    @cached_property
    def _unit(self) -> FloatArray:
        """(k,) float64: powers of two, 1 for all but very small and very large columns."""
        largest = magnitude_of(self.rows.reshape(len(self.rows), -1), axis=1)
        return np.where((largest > _SMALL) & (largest < 1 / _SMALL), 1.0, largest)

    @cached_property
    def _scaled(self) -> FloatArray:
        return self.rows / self._unit[:, None, None]

    @cached_property
    def _free(self) -> list[int]:
        """The columns in which submissions differ."""
        return [nth for nth, column in enumerate(self._scaled) if (column != column[:1]).any()]

    @cached_property
    def _common(self) -> FloatArray:
        """(k, 1, 1) float64: the sums of all units, as they are for the columns that are not free."""
        return self._scaled[:, 0].sum(axis=1)[:, None, None]

    @cached_property
    def _multiplied(self) -> tuple[dict[tuple[int, int], int], FloatArray]:
        """The products of columns of one submission: by column and free column where they are, and (products, S, n)."""
        position: dict[tuple[int, int], int] = {}
        products: list[FloatArray] = []
        for m in self._free:
            for j, column in enumerate(self._scaled):
                product = column * self._scaled[m]
                alike = (i for i, other in enumerate(products) if not _differ(product, other))
                position[j, m] = next(alike, len(products))
                if position[j, m] == len(products):
                    products.append(product)
        return position, np.array(products or [self._scaled[0]])

    @cached_property
    def _crosswise(self) -> list[tuple[int, int]]:
        """The pairs of free columns whose ratio is not that of every submission."""
        columns, units = self._scaled, np.arange(self.cells)
        pairs = []
        for j, m in combinations(self._free, 2):
            largest = np.argmax(np.abs(columns[j]) + np.abs(columns[m]), axis=0)
            if _differ(columns[j] * columns[m, largest, units], columns[j, largest, units] * columns[m]):
                pairs.append((j, m))
        return pairs

    def _crosswise_sums(self, signs: FloatArray, a: IntArray, b: IntArray) -> FloatArray:
        """Return what two submissions have crosswise under signs, (pairs of columns, pairs, draws)."""
        rows, sums = self._scaled, np.empty((len(self._crosswise), len(a), len(signs)))
        for nth, (j, m) in enumerate(self._crosswise):
            sums[nth] = (rows[j, b] * rows[m, a] - rows[j, a] * rows[m, b]) @ signs.T
        return sums

    def _tables(self, a: IntArray, b: IntArray) -> tuple[FloatArray, FloatArray]:
        """Return sum c c', (pairs, k, k), and sum h h' of the free columns, (pairs, free, free)."""
        pairs, free = list(zip(a.tolist(), b.tolist(), strict=True)), self._free
        new = [nth for nth, pair in enumerate(pairs) if pair not in self._kept]
        if new:
            half = (self._scaled[free][:, a[new]] - self._scaled[free][:, b[new]]) / 2
            by_pair = np.ascontiguousarray(np.moveaxis(half, 0, 1))
            tables = by_pair @ np.moveaxis(by_pair, 1, 2)
            self._kept.update({pairs[nth]: table for nth, table in zip(new, tables, strict=True)})
        of_half = np.array([self._kept[pair] for pair in pairs])
        of_mean = (self._squares[a] + self._squares[b]) / 2
        of_mean[np.ix_(range(len(pairs)), free, free)] -= of_half
        return of_mean, of_half

    @cached_property
    def _squares(self) -> FloatArray:
        """(S, k, k) float64: sum a a' of each submission; sum c c' is the mean of two of them less sum h h'."""
        by_submission = np.moveaxis(self._scaled, 0, 1)
        return by_submission @ np.moveaxis(by_submission, 1, 2)

    def _of_pairs(
        self,
        signs: FloatArray,
        sums: tuple[FloatArray, FloatArray],
        signed: tuple[FloatArray, FloatArray],
        a: IntArray,
        b: IntArray,
    ) -> tuple[FloatArray, FloatArray]:
        """Return differences and variances, (pairs, draws).

        `sums` (free columns, pairs, draws): of both sides after the exchange. `signed` (products, pairs, draws):
        the sums of products under signs, those of the first side less those of the second; and of crosswise ones.
        """
        (score_a, of_a), (score_b, of_b) = map(self._scored, sums)
        shape, (of_means, of_halves) = sums[0].shape[1:], self._tables(a, b)
        apart, both = np.empty((len(of_a), *shape)), np.empty((len(self._free), *shape))
        for nth, (one, other) in enumerate(zip(of_a, of_b, strict=True)):
            np.subtract(one, other, out=apart[nth])
        for nth, column in enumerate(self._free):
            np.add(of_a[column], of_b[column], out=both[nth])
        (common, terms), (own, own_terms) = _form(apart, of_means), _form(both, of_halves)
        size, variance = terms + own_terms, common + own + self._crossed(apart, both, *signed)
        for pair in np.flatnonzero((variance < _LOST * size).any(axis=1)):
            lost = np.flatnonzero(variance[pair] < _LOST * size[pair])
            by_a, by_b = (
                np.stack([np.broadcast_to(of_one, shape)[pair, lost] for of_one in side], axis=1)
                for side in (of_a, of_b)
            )
            kept_a, given_b = (by_a @ self._scaled[:, side] for side in (a[pair], b[pair]))
            given_a, kept_b = (by_b @ self._scaled[:, side] for side in (a[pair], b[pair]))
            influence = np.where(signs[lost] < 0, given_b - given_a, kept_a - kept_b)
            variance[pair, lost] = np.square(influence).sum(axis=1)
        difference = score_a - score_b
        slack = np.maximum(np.maximum(abs(score_a), abs(score_b)), np.sqrt(self.cells * size))
        difference[abs(difference) <= _EQUAL * slack] = 0.0
        variance[variance <= _NO_ERROR * size] = 0.0
        return difference, variance

    def _scored(self, sums: FloatArray) -> tuple[FloatArray, Sequence[FloatArray]]:
        """Return scores, (pairs, draws), and by each column the derivatives by the scaled sums; 0 where undefined."""
        columns = [*self._common]
        for nth, of_free in zip(self._free, sums, strict=True):
            columns[nth] = of_free
        scaled = any(unit != 1 for unit in self._unit)
        if scaled:
            columns = [column * unit for column, unit in zip(columns, self._unit, strict=True)]
        score, derivatives = self.score.differentiate(*columns)
        scores = np.broadcast_to(np.where(np.isnan(score), 0.0, score), sums.shape[1:])
        if scaled:
            derivatives = [by * unit for by, unit in zip(derivatives, self._unit, strict=True)]
        return scores, derivatives

    def _crossed(self, apart: FloatArray, both: FloatArray, signed: FloatArray, crosswise: FloatArray) -> FloatArray:
        """Return 2 D'[sum s c h']G, (pairs, draws)."""
        total, by, each = np.zeros((3, *apart.shape[1:]))
        position, free = self._multiplied[0], self._free
        common = [j for j in range(len(apart)) if j not in free]
        for nth, m in enumerate(free):
            by[:] = 0.0
            for j in free:
                by += np.multiply(apart[j], signed[position[j, m]], out=each)
            by /= 2  # c of a free column is half a sum, that of a common one is the column itself
            for j in common:
                by += np.multiply(apart[j], signed[position[j, m]], out=each)
            total += np.multiply(by, both[nth], out=each)
        for (j, m), of_both in zip(self._crosswise, crosswise, strict=True):
            total += (apart[j] * both[free.index(m)] - apart[m] * both[free.index(j)]) * of_both / 2
        return total


def _differ(first: FloatArray, second: FloatArray) -> bool:
    """Return whether two arrays differ by more than rounding."""
    return bool((np.abs(first - second) > _ROUNDED * np.abs(first)).any())


def _form(by: FloatArray, table: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Return the sum of squares of linear forms, (pairs, draws), and that of their terms.

    `by` (k, pairs, draws): the coefficients. `table` (pairs, k, k): the sums of products of columns.
    """
    coefficients = np.ascontiguousarray(np.moveaxis(by, 0, 1))
    total = (table @ coefficients * coefficients).sum(axis=1)
    terms = np.diagonal(table, axis1=1, axis2=2)[:, None] @ np.square(coefficients)
    return total, terms[:, 0]
