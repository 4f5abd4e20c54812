"""The exchange of soft pairwise accuracy: p-values of mixed scores, with no statistic bound again.

The sums of a mixed submission are those of the cells that it keeps, plus those of the cells that it receives. One
product in each draw serves all submissions, and for each pair of submissions only the counting remains.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np
from attrs import frozen
from numpy.typing import NDArray

from qeframe.plugin import BoolArray, FloatArray, Grid, IntArray
from qeframe.plugin.resampling import Exchange, Standardize, bounded_slices
from qeframe_agreement.exchanges.axes import Axis, Bind, make_stacked, same_cells, standardized
from qeframe_agreement.soft_accuracy.p_values import closed_exchange

_LANES = 8  # how many truth values are added at once, as the bytes of one word

_MOST = _LANES * 255  # how many permutations are counted at once: a byte counts up to 255

_CELLS = 2**18  # how many comparisons are held at once: 256 kB, which stay in the cache

_LEVELS = 2.0**15 - 8  # sums are mapped to whole numbers from minus this to this

_FILL = 2**15 - 1  # above all mapped numbers

_SHORTEST = 2**10
"""If the sums of a submission take a shorter range of these numbers, single precision tells more of them apart."""

_ROUNDING = 1e-9  # a bound on the rounding of a mapped number

_EVEN_BYTES = np.uint64(0x00FF00FF00FF00FF)
_ONES = np.uint64(0x0001000100010001)
"""A product with it has the sum of the four numbers of two bytes of a word in the two highest bytes."""


class ReachedCounter:
    """Count how many sums of kept and given cells are below 0, plus how many are at most 0, up to rounding.

    The memory for temporary arrays is taken once.
    """

    def __init__(self, submissions: int, draws: int) -> None:
        width = -(-min(draws, _MOST) // _LANES) * _LANES
        self._scaled = np.empty((submissions, width))
        self._mapped = np.empty((3, submissions, width), dtype=np.int16)
        self._rows = max(1, _CELLS // max(1, submissions * width))
        self._truths = np.empty(self._rows * submissions * width, dtype=np.bool_)

    def __call__(self, kept: FloatArray, given: FloatArray, slack: FloatArray) -> FloatArray:
        """Return the counts, (K, K) from 0 to twice the number of draws, of sums that each keeps and gives, (K, draws).

        Sums of row (kept) and column (given) within `slack`, (K, K), of 0 are 0.
        """
        total = np.zeros(slack.shape)
        for start in range(0, kept.shape[1], _MOST):
            part = slice(start, start + _MOST)
            total += self._count(kept[:, part], given[:, part], slack)
        return total

    def _count(self, kept: FloatArray, given: FloatArray, slack: FloatArray) -> IntArray:
        draws, margin = kept.shape[1], float(slack.max())
        of_kept, below, up_to = self._map(kept, given, margin, self._mapped)
        least, most, lowest, highest = _ends(of_kept, below, up_to, draws)
        # a submission of a small spread would have few of the whole numbers, and nearly all its draws be compared again
        if min((most - least).min(), (highest - lowest).min()) < _SHORTEST:
            of_kept, below, up_to = self._map(kept, given, margin, np.empty(self._mapped.shape, dtype=np.float32))
            least, most, lowest, highest = _ends(of_kept, below, up_to, draws)
        # in order, so that what is decided by the ends alone lies together
        rows, columns = np.argsort(least + most), np.argsort(lowest + highest)
        of_kept, below, up_to = of_kept[rows], below[columns], up_to[columns]
        reached = most[rows, None] < lowest[columns]  # every sum is below 0
        undecided = ~reached & (least[rows, None] <= highest[columns])
        words = self._compare(of_kept, below, up_to, undecided)
        sorted_total = np.where(undecided, 2 * _add_bytes(words[1]), 2 * draws * reached)
        unclear = np.argwhere(undecided & (words[0] != words[1]))
        for part in bounded_slices(len(unclear), of_kept.shape[1], most=_CELLS):
            a, b = unclear[part].T
            nth, draw = np.divmod(np.flatnonzero((of_kept[a] >= below[b]) & (of_kept[a] <= up_to[b])), of_kept.shape[1])
            a, b = a[nth], b[nth]
            sums = kept[rows[a], draw] + given[columns[b], draw]
            near = slack[rows[a], columns[b]]
            np.subtract.at(sorted_total, (a, b), (sums >= -near).astype(np.int64) + (sums > near))
        total = np.empty_like(sorted_total)
        total[rows[:, None], columns] = sorted_total
        return total

    def _map(self, kept: FloatArray, given: FloatArray, slack: float, mapped: NDArray[Any]) -> NDArray[Any]:
        """Return the kept sums, what they are below if a sum is below 0, and what they are above if it is above 0.

        They are written to `mapped`, (3, K, draws); the last axis is filled up to whole words.
        """
        draws = kept.shape[1]
        ends = kept.min(), kept.max(), -given.max(), -given.min()
        low, high = min(ends) - slack, max(ends) + slack
        middle, scale = low + (high - low) / 2, _LEVELS / max((high - low) / 2, 1e-300)
        margin, scaled = slack * scale + _ROUNDING, self._scaled[:, :draws]
        np.multiply(np.subtract(kept, middle, out=scaled), scale, out=scaled)
        mapped[0, :, :draws] = scaled
        np.multiply(np.add(given, middle, out=scaled), -scale, out=scaled)
        mapped[1, :, :draws] = np.subtract(scaled, margin, out=scaled)
        mapped[2, :, :draws] = np.add(scaled, 2 * margin, out=scaled)
        mapped[0, :, draws:], mapped[1:, :, draws:] = _FILL, -_FILL
        return mapped

    def _compare(
        self, kept: NDArray[Any], below: NDArray[Any], up_to: NDArray[Any], undecided: BoolArray
    ) -> NDArray[np.uint64]:
        """Return how often each row of `kept` is less, and not greater, (2, K, K): the bytes of a word are to be added.

        Only undecided pairs are compared, and what lies between them.
        """
        words = np.zeros((2, *undecided.shape), dtype=np.uint64)
        for part in bounded_slices(len(kept), 1, most=self._rows):
            columns = np.flatnonzero(undecided[part].any(axis=0))
            if not len(columns):
                continue
            span = slice(columns[0], columns[-1] + 1)
            rows, bounds = kept[part, None], (below[span], up_to[span])
            shape = len(rows), *bounds[0].shape
            truths = self._truths[: shape[0] * shape[1] * shape[2]].reshape(shape)
            np.less(rows, bounds[0], out=truths)
            np.einsum("abw->ab", truths.view(np.uint64), out=words[0, part, span])
            np.less_equal(rows, bounds[1], out=truths)
            np.einsum("abw->ab", truths.view(np.uint64), out=words[1, part, span])
        return words


def _ends(kept: NDArray[Any], below: NDArray[Any], up_to: NDArray[Any], draws: int) -> tuple[FloatArray, ...]:
    """Return the least and the largest kept sum, and the least and the largest bound, of each submission."""
    ends = kept.min(axis=1), kept[:, :draws].max(axis=1), below[:, :draws].min(axis=1), up_to.max(axis=1)
    return tuple(end.astype(np.float64) for end in ends)


def _add_bytes(words: NDArray[np.uint64]) -> IntArray:
    """Return the sums of the eight bytes of each word."""
    by_two = (words & _EVEN_BYTES) + ((words >> np.uint64(8)) & _EVEN_BYTES)
    # the product adds up the four 16-bit parts in the highest of them
    return ((by_two * _ONES) >> np.uint64(48)).astype(np.int64)


_SLACK = 1e-12  # sums that differ by less, relative to the sum of absolute scores, are equal; as in `p_of_sums`


@frozen(kw_only=True, eq=False)
class SoftExchange:
    """Swaps of the cells of complete items."""

    predicted: FloatArray  # the scores of all submissions in the complete items, (S, systems, n)
    gold: FloatArray  # the p-values of the humans, (pairs of systems,)
    signs: FloatArray  # of the permutation of systems, (draws, n); each one counts for its opposite too
    complete: NDArray[np.bool_]
    axis: Axis

    @property
    def cells(self) -> int:
        """One cell for each item, for each system, or for each cell of the grid."""
        items, systems = len(self.complete), self.predicted.shape[1]
        return {"segment": items, "system": systems}.get(self.axis, items * systems)

    def _swapped(self, mask: NDArray[Any]) -> FloatArray:
        """Return a mask of cells as (systems, n) zeros and ones."""
        items, systems = len(self.complete), self.predicted.shape[1]
        if self.axis == "system":
            return np.broadcast_to(mask.astype(np.float64)[:, None], self.predicted.shape[1:])
        by_item = mask.reshape(items, -1)[self.complete].T.astype(np.float64)
        return np.broadcast_to(by_item, (systems, by_item.shape[1]))

    def __call__(self, masks: NDArray[Any], first: IntArray, second: IntArray) -> FloatArray:
        if not self.gold.size or not self.complete.any():
            return np.full((len(masks), len(first)), np.nan)
        chosen, position = np.unique(np.concatenate([first, second]), return_inverse=True)
        a, b = position[: len(first)], position[len(first) :]
        mixed = _Mixed.of(self.predicted[chosen], self.signs)
        differences = np.empty((len(masks), len(first)))
        for draw, mask in enumerate(masks):
            apart = mixed.apart(self._swapped(mask), self.gold)
            differences[draw] = apart[b, a] - apart[a, b]
        return differences


@frozen(eq=False)
class _Mixed:
    """The scores of submissions, and their sums over the flipped items of every permutation."""

    scores: FloatArray  # (systems, K, n)
    flipped: FloatArray  # (n, draws): 1 where a permutation swaps an item, else 0
    observed: FloatArray  # over all items, (systems, K)
    # over the flipped items, then over those that the opposite permutation flips, (systems, K, 2 * draws)
    sums: FloatArray
    size: FloatArray  # the sums of absolute scores, (K, systems); rounding errors are relative to them
    count: ReachedCounter

    @classmethod
    def of(cls, scores: FloatArray, signs: FloatArray) -> "_Mixed":
        """Return the scores (K, systems, n) with their sums, for signs (draws, n)."""
        flipped = np.ascontiguousarray((1.0 - signs.T) / 2)
        by_system = np.ascontiguousarray(scores.swapaxes(0, 1))
        counter = ReachedCounter(len(scores), 2 * flipped.shape[1])
        return cls(by_system, flipped, *_sums(by_system, flipped), np.abs(scores).sum(axis=2), counter)

    def apart(self, swapped: FloatArray, gold: FloatArray) -> FloatArray:
        """Return the mean absolute difference of the p-values from those of the humans, (K, K).

        A submission (row) receives the cells of another one (column) that are swapped, (systems, n). `p_of_sums` says
        which p-values these are.
        """
        observed, moved = _sums(self.scores * swapped[:, None], self.flipped)
        kept_observed, kept = self.observed - observed, self.sums - moved
        slack = _SLACK * np.maximum((self.size[:, None] + self.size).max(axis=2), 1e-300)
        first, second = np.triu_indices(len(self.scores), 1)
        total = np.zeros(slack.shape)
        kept_apart, moved_apart = np.empty((2, *moved.shape[1:]))
        for i, j, human in zip(first, second, gold, strict=True):
            np.subtract(kept[i], kept[j], out=kept_apart)
            np.subtract(moved[i], moved[j], out=moved_apart)
            p = self.count(kept_apart, moved_apart, slack / 2) / (2 * moved.shape[2])
            difference = (kept_observed[i] - kept_observed[j])[:, None] + (observed[i] - observed[j])
            p[np.abs(difference) <= slack] = 0.5
            total += np.abs(p - human)
        return total / len(gold)


def _sums(scores: FloatArray, flipped: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Return the sums over all items, (systems, K), and over flipped and other items, (systems, K, 2 * draws)."""
    systems, count, items = scores.shape
    draws = flipped.shape[1]
    observed, sums = scores.sum(axis=2), np.empty((systems, count, 2 * draws))
    sums[..., :draws] = (scores.reshape(-1, items) @ flipped).reshape(systems, count, draws)
    np.subtract(observed[..., None], sums[..., :draws], out=sums[..., draws:])
    return observed, sums


def soft_exchange(bind: Bind, batches: Sequence[Grid], axis: Axis, standardize: Standardize) -> Exchange:
    """Return the exchange along an axis; computed again if the submissions lack different cells.

    With standardize=as_needed, by segments, the p-values of systems are in closed form: see `closed_exchange`.
    """
    if not same_cells(batches) or batches[0].systems < 2:
        return make_stacked(batches, bind, axis, standardize)
    if standardize == "as_needed" and axis == "segment":
        return closed_exchange(standardized(batches))
    bound: Any = [bind(batch) for batch in (standardized(batches) if standardize else batches)]
    statistic = bound[0]
    return SoftExchange(
        predicted=np.stack([soft.predicted[:, statistic.complete] for soft in bound]),
        gold=statistic.gold_p_values,
        signs=statistic.signs[:, statistic.complete],
        complete=statistic.complete,
        axis=axis,
    )
