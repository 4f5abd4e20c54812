"""The exchange of standardized predictions between two submissions, and the studentized difference that it leaves."""

from typing import Any

import numpy as np
from attrs import field, frozen
from numpy.typing import NDArray

from qeframe.plugin import FloatArray, IntArray
from qeframe.plugin.resampling import bounded_slices

_ARRAYS = 40
"""How many arrays of one number a pair and draw, or a pair and unit, live at once."""

_ROUNDING = 1e-12
"""A difference, or a share of a sum of squares, that is not larger is rounding."""


def _standardized(values: FloatArray) -> FloatArray:
    """Return each row with mean 0 and standard deviation 1 (ddof 0); NaN for a constant row."""
    away = values - values[..., :1]
    away = away - away.mean(axis=-1, keepdims=True)
    spread = np.sqrt(np.mean(away**2, axis=-1, keepdims=True))
    varied = spread > _ROUNDING * np.abs(values).max(axis=-1, keepdims=True, initial=0.0)
    return np.divide(away, spread, out=np.full_like(away, np.nan), where=varied)


@frozen(eq=False)
class CorrelationExchange:
    """What two submissions' correlations with the gold become when they swap units on one scale.

    Every prediction is first set to mean 0 and standard deviation 1, so that a scale does not tell the submissions
    apart.

    `gold` (n,).
    `predicted` (S, n).
    `studentize`: whether the difference of Fisher's z is divided by its standard error after the exchange (by
      influence), in the place of the difference of the correlations.

    Notes
    -----
    With z the standardized values, the influence of a unit on arctanh r is (z_a z_g - r (z_a^2 + z_g^2) / 2) divided by
    1 - r^2. It is a polynomial of the predictions and of the gold, so that the sum of its squares follows from sums of
    products. Those of one submission are linear in the mask. Of the products of two submissions only ab(a - b) and
    g ab(a - b) are changed by an exchange.
    """

    gold: FloatArray = field(converter=_standardized)
    predicted: FloatArray = field(converter=_standardized)
    studentize: bool = False

    @property
    def cells(self) -> int:
        """One cell for each unit."""
        return len(self.gold)

    def __call__(self, masks: NDArray[Any], first: IntArray, second: IntArray) -> FloatArray:
        """Return the differences after each exchange, (draws, pairs): see `Exchange`."""
        mask = masks.astype(np.float64)
        own = self._powers(self.predicted)  # (3, S, n): ag, a, a^2
        products = self._products(own)
        total, moved = products.sum(axis=-1), np.moveaxis(np.tensordot(mask, products, axes=(1, 2)), 0, -1)
        parts = bounded_slices(len(first), _ARRAYS * (self.cells + len(mask)))
        differences = [self._of_pairs(mask, own, total, moved, first[part], second[part]) for part in parts]
        return np.concatenate([np.empty((len(mask), 0)), *differences], axis=1)

    def _of_pairs(
        self, mask: FloatArray, own: FloatArray, total: FloatArray, moved: FloatArray, first: IntArray, second: IntArray
    ) -> FloatArray:
        # what a keeps, and what b hands over; all sums of products move alike
        a = total[:, first, None] - moved[:, first] + moved[:, second]  # (15, pairs, draws)
        b = total[:, second, None] - moved[:, second] + moved[:, first]
        (r_a, *of_a), (r_b, *of_b) = self._correlation(a), self._correlation(b)
        if not self.studentize:
            return (r_a - r_b).T
        with np.errstate(divide="ignore", invalid="ignore"):
            difference = np.arctanh(r_a) - np.arctanh(r_b)
        left, right = self._coefficients(r_a, *of_a), self._coefficients(r_b, *of_b)
        squares = self._squares(a, left) + self._squares(b, right)
        crossed = 2 * (self._crossed(mask, own[:, first], own[:, second], left, right) + _with_gold(a, b, left, right))
        variance = np.where(squares - crossed > _ROUNDING * squares, squares - crossed, np.nan)
        ratio = difference * self.cells / np.sqrt(variance)
        return np.where(np.abs(r_a - r_b) <= _ROUNDING, 0.0, ratio).T

    def _powers(self, values: FloatArray) -> FloatArray:
        return np.stack([values * self.gold, values, values**2])

    @property
    def _of_gold(self) -> FloatArray:
        """(3, n) float64: g, g^2 and 1."""
        return np.stack([self.gold, self.gold**2, np.ones_like(self.gold)])

    def _products(self, own: FloatArray) -> FloatArray:
        """Return the products of the powers of each submission, (15, S, n): with one another, and with those of g."""
        rows, columns = _UPPER
        return np.concatenate([own[rows] * own[columns], *(own * power for power in self._of_gold)])

    def _correlation(self, sums: FloatArray) -> tuple[FloatArray, FloatArray, FloatArray]:
        """Return the correlations, means and standard deviations from the sums of products."""
        n = float(self.cells)
        # the last three of `_products`: 12 is a*g, 13 is a, 14 is a^2 for a submission a and the gold g; the gold has
        # mean 0 and variance 1, so that r is the mean of a*g over the deviation of a
        mean, square, product = sums[13] / n, sums[14] / n, sums[12] / n
        variance = square - mean**2
        with np.errstate(divide="ignore", invalid="ignore"):
            deviation = np.sqrt(np.where(variance > _ROUNDING * square, variance, np.nan))
            return np.clip(product / deviation, -1.0, 1.0), mean, deviation

    def _coefficients(self, r: FloatArray, mean: FloatArray, deviation: FloatArray) -> FloatArray:
        """Return the coefficients of ag, a, a^2, g, g^2 and 1 in the influence on arctanh r, (6, pairs, draws)."""
        with np.errstate(divide="ignore", invalid="ignore"):
            slope = 1 / np.where(r**2 < 1, 1 - r**2, np.nan)  # infinite influences have no products
            half = r / (2 * deviation**2)
            parts = [1 / deviation, 2 * half * mean, -half, -mean / deviation, -r / 2, -half * mean**2]
            return np.asarray(slope * np.stack(parts))

    def _squares(self, sums: FloatArray, c: FloatArray) -> FloatArray:
        """Return the sum of squared influences on one correlation."""
        own = sum(times * c[i] * c[j] * sums[k] for k, (i, j, times) in enumerate(_OWN))
        with_gold = sum(2 * c[i] * c[3 + j] * sums[6 + 3 * j + i] for i in range(3) for j in range(3))
        return np.asarray(own + with_gold + self._gold_part(c, c))

    def _gold_part(self, c: FloatArray, d: FloatArray) -> FloatArray:
        powers = self._of_gold
        table = powers @ powers.T
        return np.asarray(sum(table[i, j] * c[3 + i] * d[3 + j] for i in range(3) for j in range(3)))

    def _crossed(self, mask: FloatArray, x: FloatArray, y: FloatArray, c: FloatArray, d: FloatArray) -> FloatArray:
        """Return the sum of products of both influences but those of predictions and gold, (pairs, draws)."""
        between = np.einsum("ipn,jpn->ijp", x, y)
        # where a unit is swapped, a and b change places in each product: a b^2 becomes b a^2, and so with g; the other
        # products stay as they are
        swapped = x[1] * y[1] * (x[1] - y[1])
        plain, with_gold = (mask @ swapped.T).T, (mask @ (swapped * self.gold).T).T
        result = sum(c[i] * d[j] * between[i, j, :, None] for i in range(3) for j in range(3))
        result = result + (c[0] * d[2] - c[2] * d[0]) * with_gold + (c[1] * d[2] - c[2] * d[1]) * plain
        return np.asarray(result + self._gold_part(c, d))


def _with_gold(a: FloatArray, b: FloatArray, c: FloatArray, d: FloatArray) -> FloatArray:
    """Return the sum of the products of each prediction's part of an influence with the gold's part of the other."""
    cells = [(i, 3 + j, 6 + 3 * j + i) for i in range(3) for j in range(3)]
    return np.asarray(sum(c[i] * d[j] * a[k] + d[i] * c[j] * b[k] for i, j, k in cells))


_UPPER = (np.array([0, 0, 0, 1, 1, 2]), np.array([0, 1, 2, 1, 2, 2]))
"""The products of ag, a and a^2 with one another."""

_OWN = [(int(i), int(j), 1 if i == j else 2) for i, j in zip(*_UPPER, strict=True)]
"""These products with the number of times that each occurs in a square."""
