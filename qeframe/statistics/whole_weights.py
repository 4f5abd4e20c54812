"""Spearman's correlation of many submissions under whole weights, such as counts of a bootstrap: few bytes, same bits.

Mid-ranks are multiples of one half, so that all sums are whole numbers once doubled, and exact in any order. Weights
are bytes, deviations of the gold 32 bits. In the order of a submission, units are in blocks of 16 that are laid out as
(16, blocks, draws): each step of the running sums within all blocks is then one pass over flat memory.
"""

import numpy as np
from attrs import field, frozen
from numpy.typing import NDArray

from qeframe.core.batch import FloatArray, IntArray
from qeframe.statistics.ranks import TieGroups

_ROWS = 16
_MOST = 127
"""The largest weight of a block: twice that is a byte."""
_MOST_IN_ALL = 2**31 // (2 * _MOST * _MOST)
"""The largest sum of weights: with it the sums of a block fit into 32 bits."""


@frozen(eq=False)
class WholeWeights:
    """Weights of draws, and the deviations of gold ranks under them, as whole numbers.

    `weights` (n + 1, draws): the last row is 0: it fills the last block.
    `deviations` (n + 1, draws): Twice the weight times the deviation of the gold rank from its mean.
    `total` (draws,): the sums of the weights.
    `cubes` (draws,): the sums of the cubes of the weights.
    """

    weights: NDArray[np.uint8]
    deviations: NDArray[np.int32]
    total: FloatArray
    cubes: FloatArray
    _run: NDArray[np.uint8] = field(init=False)
    _part: NDArray[np.int32] = field(init=False)
    _room: FloatArray = field(init=False)
    """Memory that all submissions use: new memory for each would take as long as the sums."""

    @_run.default
    def _rows(self) -> NDArray[np.uint8]:
        n, draws = self.weights.shape
        return np.empty((-(-(n - 1) // _ROWS) * _ROWS, draws), dtype=np.uint8)

    @_part.default
    def _rows_of_deviations(self) -> NDArray[np.int32]:
        return np.empty(self._run.shape, dtype=np.int32)

    @_room.default
    def _rows_of_groups(self) -> FloatArray:
        return np.empty((3, *self.weights.shape))

    def sums(self, groups: TieGroups) -> tuple[FloatArray, FloatArray] | None:
        """Return four times the covariance with the ranks of a submission, and the sum of cubes of its tie groups.

        Result: None where a block has too much weight for a byte.
        """
        n, rows = len(groups.order), len(self._run)
        order = np.full(rows, n)
        order[:n] = groups.order
        # row r of all blocks side by side: unit r of block b is at r * blocks + b
        laid_out = order.reshape(-1, _ROWS).T.ravel()
        np.take(self.weights, laid_out, axis=0, out=self._run, mode="clip")
        np.take(self.deviations, laid_out, axis=0, out=self._part, mode="clip")
        run, part = self._run.reshape(_ROWS, rows // _ROWS, -1), self._part.reshape(_ROWS, rows // _ROWS, -1)
        for row in range(1, _ROWS):
            run[row] += run[row - 1]
        ends = run[-1].astype(np.float64).cumsum(axis=0)
        # sums of bytes wrap around at 256: a lost 256 shows in the total, and a larger block than 127 is refused
        if run[-1].max() > _MOST or not np.array_equal(ends[-1], self.total):
            return None
        before = ends - run[-1]
        if len(groups.starts) == n:
            return _without_ties(run, part, before), self.cubes
        for row in range(1, _ROWS):
            part[row] += part[row - 1]
        return self._of_groups(part[-1], before, np.append(groups.starts[1:], n) - 1)

    def _of_groups(
        self, of_blocks: NDArray[np.int32], before: FloatArray, last: IntArray
    ) -> tuple[FloatArray, FloatArray]:
        """Return the sums from running sums: the differences of those at the last unit of each group."""
        block, row = np.divmod(last, _ROWS)
        at, draws = row * len(before) + block, before.shape[1]
        weight, deviation, sizes = self._room[:, : len(last)]
        np.take(before, block, axis=0, out=weight, mode="clip")
        weight += self._run.take(at, axis=0)
        np.take(of_blocks.astype(np.float64).cumsum(axis=0) - of_blocks, block, axis=0, out=deviation, mode="clip")
        # memory of the sizes, which are written below: half of it holds the same number of int32
        within = sizes.reshape(-1).view(np.int32)[: len(last) * draws].reshape(len(last), draws)
        deviation += np.take(self._part, at, axis=0, out=within, mode="clip")
        np.subtract(weight[1:], weight[:-1], out=sizes[1:])
        sizes[0] = weight[0]
        cubes = np.einsum("gb,gb,gb->b", sizes, sizes, sizes)
        # twice the mid-rank: twice the weight up to the end of the group, less the weight of the group
        weight *= 2
        weight -= sizes
        np.subtract(deviation[1:], deviation[:-1], out=sizes[1:])
        sizes[0] = deviation[0]
        return np.einsum("gb,gb->b", sizes, weight), cubes


def whole_weights(weights: FloatArray, deviations: FloatArray, total: FloatArray) -> WholeWeights | None:
    """Return weights (n, draws) and deviations of the gold as whole numbers; None where they are not, or are too large.

    `weights`, `deviations`, `total`: as for `qeframe.statistics.correlation.spearman_of_groups`.
    """
    n, draws = weights.shape
    if not draws or not n or not total.max() < _MOST_IN_ALL:
        return None
    whole = np.zeros((n + 1, draws), dtype=np.uint8)
    with np.errstate(invalid="ignore"):
        whole[:n] = weights
    if not np.array_equal(whole[:n], weights):
        return None
    doubled = np.zeros((n + 1, draws), dtype=np.int32)
    doubled[:n] = 2 * deviations
    return WholeWeights(whole, doubled, total, np.einsum("gb,gb,gb->b", weights, weights, weights))


def _without_ties(run: NDArray[np.uint8], part: NDArray[np.int32], before: FloatArray) -> FloatArray:
    """Return the sum of deviations times twice the rank, within blocks and by what is before each."""
    within, whole = run[0] * part[0], part[0].copy()
    twice, product = np.empty_like(run[0]), np.empty_like(whole)
    for row in range(1, len(run)):
        np.add(run[row], run[row - 1], out=twice)
        np.multiply(part[row], twice, out=product)
        within += product
        whole += part[row]
    return np.asarray(2 * np.einsum("gb,gb->b", before, whole) + within.sum(axis=0, dtype=np.float64))
