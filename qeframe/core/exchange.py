"""What a swap of answers makes of the difference of two scores; answers on one scale before it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cached_property
from typing import Any, ClassVar, Literal, Protocol, runtime_checkable

import attrs
import numpy as np
from attrs import frozen
from numpy.typing import NDArray

from qeframe.core.batch import Batch, BoolArray, FloatArray, IntArray, is_sparse
from qeframe.core.component import scores_of_shape
from qeframe.core.draws import CELLS_IN_CACHE, DrawBlock, bounded_slices
from qeframe.core.errors import CapabilityError
from qeframe.core.statistic import Additive, Statistic
from qeframe.core.statistic_stack import SMALL_SHARE, StatisticStack, is_rounded

_TAIL = 0.05
"""The share of answers at each end that count as the last one before them."""
_ROUNDING = 1e-12
"""A spread that is a smaller share of the largest answer is rounding."""


def on_one_scale(batches: Sequence[Batch], kind: type[Batch]) -> tuple[Batch, ...]:
    """Return batches of a kind with the answers of others less their median, divided by their spread.

    `kind` is that of the metric, of which the batches may be a subclass with further parts.

    The spread is the standard deviation (n units) of the answers that are winsorized: the lowest and the highest .05
    are set to the quantiles .05 and .95, by linear interpolation. So a gross error does not set the scale. If a
    submission has no such spread, as where nearly all answers are equal, all have that of their answers as they are.

    Batches whose answers are not one number for each unit are returned as they are, and so are constant answers.
    """
    answers = [getattr(batch, "predicted", None) for batch in batches]
    numbers = [values for values in answers if isinstance(values, np.ndarray) and values.dtype == np.float64]
    if len(numbers) < len(batches) or any(values.ndim != 1 or not len(values) for values in numbers):
        return tuple(batches)
    predicted = np.stack(numbers)
    spread = _spread(winsorized(predicted))
    if (spread == 0).any():
        spread = _spread(predicted)
    scaled = (predicted - np.median(predicted, axis=1, keepdims=True)) / np.where(spread > 0, spread, 1.0)[:, None]
    return tuple(
        kind.pair(
            ids=batch.ids, gold=getattr(batch, "gold", None), predicted=values, best=getattr(batch, "best", "low")
        )
        for batch, values in zip(batches, scaled, strict=True)
    )


def winsorized(values: FloatArray) -> FloatArray:
    """Return each row with its lowest and highest .05 set to its quantiles .05 and .95."""
    low, high = np.quantile(values, [_TAIL, 1 - _TAIL], axis=-1, keepdims=True)
    return np.clip(values, low, high)


def _spread(values: FloatArray) -> FloatArray:
    """Return the standard deviation of each row, 0 where it is rounding."""
    spread = values.std(axis=1)
    return np.where(spread > _ROUNDING * np.abs(values).max(axis=1), spread, 0.0)


def on_scale_of_all(batches: Sequence[Sequence[Batch]], positions: Sequence[IntArray]) -> list[tuple[Batch, ...]]:
    """Return the batches of several tasks with the scores of each submission standardized over all tasks together.

    `positions` (s,): for each task, the positions of its submissions among all submissions.

    The mean and the standard deviation (n cells) are over the cells of all tasks in which both sides are present. A
    constant submission keeps its scale.

    Raises CapabilityError if the batches are not grids of numbers.
    """
    cells: dict[int, list[FloatArray]] = {}
    for of_task, in_task in zip(batches, positions, strict=True):
        for batch, position in zip(of_task, in_task.tolist(), strict=True):
            cells.setdefault(position, []).append(_numbers(batch))
    scale = {position: _location_and_scale(np.concatenate(values)) for position, values in cells.items()}
    return [
        tuple(_moved(batch, *scale[position]) for batch, position in zip(of_task, in_task.tolist(), strict=True))
        for of_task, in_task in zip(batches, positions, strict=True)
    ]


def _numbers(batch: Any) -> FloatArray:
    """Return the scores of a batch in the cells that both sides have, flat."""
    predicted = getattr(batch, "predicted", None)
    if not (isinstance(predicted, np.ndarray) and predicted.dtype == np.float64):
        raise CapabilityError("scores of several tasks can be standardized together only if they are numbers")
    return predicted[batch.present] if batch.crossed else predicted.ravel()


def _location_and_scale(values: FloatArray) -> tuple[float, float]:
    if not len(values):
        return 0.0, 1.0
    mean = float(values[0] + np.mean(values - values[0]))
    scale = float(np.sqrt(np.mean((values - mean) ** 2)))
    return mean, scale if scale > 1e-13 * max(abs(mean), 1e-300) else 1.0


def _moved(batch: Any, mean: float, scale: float) -> Batch:
    changed: dict[str, Any] = {"predicted": (batch.predicted - mean) / scale}
    if hasattr(batch, "pivot"):
        changed["pivot"] = (batch.pivot[0], (batch.pivot[1] - mean) / scale)
    moved: Batch = attrs.evolve(batch, **changed)
    return moved


Standardize = bool | Literal["as_needed"]
"""Whether scores are set to one scale before they are exchanged: always, never, or as a metric needs: see `Swap`."""
RESAMPLED = ""
"""The unit of a `Swap` of what the profile resamples."""

Mix = Callable[[FloatArray, FloatArray, IntArray, IntArray], FloatArray]
_ARRAYS = 2
"""How many arrays of one number a pair, draw and column live at once: the sums kept and those received."""


class Exchange(Protocol):
    """Differences of pairs of submissions after exchanges."""

    @property
    def cells(self) -> int:
        """How many cells there are to swap."""

    def __call__(self, masks: NDArray[Any], first: IntArray, second: IntArray) -> FloatArray:
        """Return score(first) - score(second) after each exchange.

        Parameters
        ----------
        masks : (draws, cells) array of 0 and 1
        first, second : (pairs,) int64
            Positions of the submissions.

        Returns
        -------
        (draws, pairs) float64, NaN where a score is undefined
        """


@frozen
class Swap:
    """What a test exchanges.

    Parameters
    ----------
    unit : str
        An axis of the metric's exchange (segment, cell, system, pair), the batch's own unit or a grouping of units.
        `RESAMPLED`, empty: what the profile resamples.
    standardize : bool or "as_needed"
        Whether scores are set to mean 0 and deviation 1, each submission by itself, before parts of them are mixed.
        as_needed: what the metric needs, so that neither a scale nor an outlier tells two submissions apart. Grids are
        exchanged by segments, standardized over all cells. Answers to a metric that claims to be
        location_scale_invariant are set to one scale: see `on_one_scale`. Other answers stay as they are.
    """

    unit: str = RESAMPLED
    standardize: Standardize = False


AS_RESAMPLED = Swap()
"""The exchange of the units that are resampled."""


@runtime_checkable
class AxisExchange(Protocol):
    """An exchange that offers other axes than that of the units.

    Axes of grids have these names: "segment", whose cells are the units; "cell", the cells unit by unit, with equally
    many of each; "system", one cell for each system. An axis of another name, such as "pair", may have any cells.
    """

    def along(self, axis: str, *, standardize: Standardize = False) -> Exchange:
        """Return the exchange along an axis, or raise a `CapabilityError` that lists the axes."""


@frozen(eq=False)
class RowExchange:
    """The exchange of additive metrics, a product of masks and rows.

    With T = masks @ rows, the exchanged sums of a pair are sum_a - T_a + T_b and sum_b - T_b + T_a.

    Parameters
    ----------
    score : callable
        From sums (..., k) to scores (...).
    columns : (k, S) int64
        Where in the stack's sums the columns of each submission are.
    mix : callable, optional
        From the sums kept and the sums received, (k, pairs, draws) each, and the submissions (pairs,) that keep and
        that give them, to the sums of both together. Needed for rows that are measured from an origin of each
        submission. None: the sums are added.
    """

    stack: StatisticStack
    score: Callable[[FloatArray], FloatArray]
    columns: IntArray
    mix: Mix | None = None

    @property
    def cells(self) -> int:
        """One cell for each unit."""
        return self.stack.units

    def __call__(self, masks: NDArray[Any], first: IntArray, second: IntArray) -> FloatArray:
        moved = self.stack.sums(masks)
        kept = self._kept(masks, moved)
        differences = np.empty((len(first), len(masks)))
        for part in bounded_slices(len(first), _ARRAYS * len(masks) * len(self.columns), most=CELLS_IN_CACHE):
            a, b = first[part], second[part]
            differences[part] = self._mixed(kept, moved, a, b)
            differences[part] -= self._mixed(kept, moved, b, a)
        return differences.T

    def _kept(self, masks: NDArray[Any], moved: FloatArray) -> FloatArray:
        """Return the sums of what is kept: the whole less what is moved, or summed anew if that loses digits."""
        total, is_checked = self._whole
        kept = total - moved
        lost = ((kept < SMALL_SHARE * total) & is_checked).any(axis=0)
        if lost.any():
            kept[:, lost] = self.stack.sums(1 - masks[lost])
        return kept

    @cached_property
    def _whole(self) -> tuple[FloatArray, BoolArray]:
        """The sums of all units, (C, 1), and which are checked: those that are rounded, of no negative numbers."""
        total, columns = self.stack.sums(np.ones((1, self.cells), dtype=np.uint8)), self.stack.columns
        is_checked = np.zeros_like(total, np.bool_)
        for nth, column in enumerate(() if is_sparse(columns) else columns):
            is_checked[nth] = column.min(initial=0.0) >= 0 and is_rounded(column, float(total[nth, 0]))
        return total, is_checked

    def _mixed(self, kept: FloatArray, moved: FloatArray, own: IntArray, other: IntArray) -> FloatArray:
        """Return the scores of `own` with the exchanged units of `other`, (pairs, draws)."""
        mine, received = kept[self.columns[:, own]], moved[self.columns[:, other]]
        return self._score(mine + received if self.mix is None else self.mix(mine, received, own, other))

    def _score(self, sums: FloatArray) -> FloatArray:
        return scores_of_shape(self.score(np.moveaxis(sums, 0, -1)), "score", sums.shape[1:], "a number for each row")


@frozen(eq=False)
class RecomputedExchange:
    """The exchange of any metric: the units are swapped, and the metric is bound and scored again in every draw."""

    recomputes: ClassVar[bool] = True
    batches: Sequence[Batch]
    bind: Callable[[Batch], Statistic]

    @property
    def cells(self) -> int:
        """One cell for each unit."""
        return len(self.batches[0])

    def __call__(self, masks: NDArray[Any], first: IntArray, second: IntArray) -> FloatArray:
        ones = np.ones(self.cells)
        differences = np.empty((len(masks), len(first)))
        for row, mask in enumerate(masks.astype(np.bool_)):
            for column, (a, b) in enumerate(zip(first, second, strict=True)):
                changed = self.batches[a].swap_answers(self.batches[b], mask)
                score_a, score_b = (float(self.bind(batch)(ones)) for batch in changed)
                differences[row, column] = score_a - score_b
        return differences


@frozen(eq=False)
class GroupedExchange:
    """An exchange whose cells are groups: all members of a document or a judge are swapped together."""

    exchange: Exchange
    index: IntArray
    cells: int

    def __call__(self, masks: NDArray[Any], first: IntArray, second: IntArray) -> FloatArray:
        return self.exchange(masks[:, self.index], first, second)


def exchange_rows(batches: Sequence[Batch], bind: Callable[[Batch], Statistic], *, mix: Mix | None = None) -> Exchange:
    """Return the exchange of units: through rows where the metric is additive, else by computing again."""
    return exchange_of_stack(StatisticStack([bind(batch) for batch in batches]), mix) or RecomputedExchange(
        batches, bind
    )


def exchange_of_stack(stack: StatisticStack, mix: Mix | None = None) -> RowExchange | None:
    """Return the exchange through rows of the statistics of one metric; None if they are not additive."""
    together = stack.exchangeable
    return None if together is None else RowExchange(stack, *together, mix)


def additive_exchange(statistics: Sequence[Additive]) -> RowExchange:
    """Return the exchange of units of additive statistics, one for each submission, that share one score function."""
    exchange = exchange_of_stack(StatisticStack(statistics))
    assert exchange is not None, "additive, with one score"
    return exchange


def says(exchange: Exchange, what: str) -> bool:
    """Return whether an exchange, or the one that it wraps, has an attribute that is true.

    `recomputes`: it computes the score of every pair again. `own_statistic`: its differences are not those of the
    score.
    """
    inner = getattr(exchange, "exchange", None)
    return bool(getattr(exchange, what, False)) or (inner is not None and says(inner, what))


Masks = Callable[[Sequence[DrawBlock]], NDArray[Any]]
"""From blocks of draws to masks (draws, cells) of what is exchanged."""


def differences_of_block(
    exchange: Exchange, pairs: tuple[IntArray, IntArray], sign: float, masks_of: Masks, blocks: Sequence[DrawBlock]
) -> FloatArray:
    """Return the oriented differences of pairs in every exchange of some blocks, (draws, pairs)."""
    return sign * exchange(masks_of(blocks), *pairs)


def count_block(
    exchange: Exchange,
    pairs: tuple[IntArray, IntArray],
    sign: float,
    extreme: Callable[[FloatArray, slice], BoolArray],
    masks_of: Masks,
    blocks: Sequence[DrawBlock],
) -> FloatArray:
    """Return how many exchanges of some blocks have an extreme difference, (pairs,)."""
    masks, (first, second) = masks_of(blocks), pairs
    counts = np.empty(len(first))
    for part in bounded_slices(len(first), len(masks)):
        differences = sign * exchange(masks, first[part], second[part])
        counts[part] = extreme(differences, part).sum(axis=0, dtype=np.float64)
    return counts
