"""Pairwise agreement with ties within items: acc_eq and its relatives."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from itertools import combinations
from typing import Any, Literal

import numpy as np
from attrs import frozen
from numpy.typing import NDArray

from qeframe.plugin import (
    Additive,
    CapabilityError,
    FloatArray,
    Grid,
    IntArray,
    Metric,
    Statistic,
    TiePolicy,
    additive,
    mean_of_sums,
)
from qeframe.plugin.resampling import Exchange, OutcomeExchange, RowExchange, additive_exchange, exchange_rows
from qeframe_agreement.accuracy.tie_calibration import Calibrated
from qeframe_agreement.accuracy.tie_calibration import calibrate as calibrate_grid
from qeframe_agreement.exchanges.axes import (
    Axis,
    GridExchange,
    StackedExchange,
    location_and_scale,
    make_stacked,
    same_cells,
    stacked_exchange,
)
from qeframe_agreement.grids.pairing import ItemPairs, check_table, item_pairs
from qeframe_agreement.tie_tables import ACC23, bounds_of, check_epsilon, coefficients

_EXACT_IN_FLOAT32 = 2**24


@frozen(eq=False)
class LinearExchange:
    """Agreement at held thresholds, by cells or systems: the product of signs and effects.

    Parameters
    ----------
    effects : (pairs of submissions, cells) float32 or float64
        What each cell contributes to the difference of a pair, up to `scale`; the first submission has the lower
        position.
    scale : float
    submissions : int
    """

    effects: FloatArray
    scale: float
    submissions: int

    @property
    def cells(self) -> int:
        """How many cells there are to swap."""
        return self.effects.shape[1]

    def __call__(self, masks: NDArray[np.uint8], first: IntArray, second: IntArray) -> FloatArray:
        low, high = np.minimum(first, second), np.maximum(first, second)
        position = low * self.submissions - low * (low + 1) // 2 + high - low - 1
        kept = 1 - 2 * masks.astype(self.effects.dtype).T
        most = 2 * len(position) > len(self.effects)  # choosing effects would copy most of them
        sums = (self.effects @ kept)[position] if most else self.effects[position] @ kept
        return sums.T.astype(np.float64) * np.where(first < second, self.scale, -self.scale)


@frozen(eq=False)
class _Held:
    """The scores of a metric on both sides of all pairs, its threshold, and both on a common scale.

    Parameters
    ----------
    own : (pairs, n) float32 or float64
        The outcomes of pairs of its own scores.
    left, right : (pairs, n) float64
    threshold : float
    """

    own: FloatArray
    left: FloatArray
    right: FloatArray
    threshold: float


def _held(pairs: ItemPairs, batch: Grid, epsilon: float, standardize: bool) -> _Held:
    mean, scale = location_and_scale(batch) if standardize else (0.0, 1.0)
    columns = (np.ascontiguousarray(batch.predicted.T) - mean) / scale
    own = pairs.outcome(pairs.differences(batch.predicted), epsilon)
    return _Held(own, columns[pairs.first], columns[pairs.second], epsilon / scale)


def _effects(pairs: ItemPairs, held: Sequence[_Held], systems: int) -> FloatArray:
    """Return the effects of all cells on twice the difference of a pair, (pairs of submissions, n, systems)."""
    begins, ends = (np.eye(systems, dtype=pairs.table.dtype)[side].T for side in (pairs.first, pairs.second))
    count, items = len(held), pairs.middle.shape[1]
    effects = np.empty((count * (count - 1) // 2, items, systems), dtype=pairs.table.dtype)
    for position, (a, b) in enumerate(combinations(held, 2)):
        between = (a.threshold + b.threshold) / 2
        same = a.own - b.own
        mixed = pairs.outcome(a.left - b.right, between) - pairs.outcome(b.left - a.right, between)
        effects[position] = (begins @ (same + mixed) + ends @ (same - mixed)).T
    return effects


def _weights(pairs: ItemPairs) -> FloatArray:
    """Return the weight of a pair of each item in the mean over items, (n,)."""
    return pairs.defined / (pairs.size * (pairs.defined.sum() or np.nan))


def _by_cells(batches: Sequence[Grid], pairs: ItemPairs, held: Sequence[_Held], axis: Axis) -> LinearExchange:
    effects = _effects(pairs, held, batches[0].systems)
    weights = _weights(pairs)
    level = weights[weights > 0]
    exact = effects.dtype == np.float32 and bool((level == level[:1]).all())
    scale = (float(level[0]) / 2 if exact else 0.5) if len(level) else np.nan
    if not exact:
        effects = effects * weights[:, None]
    cells = effects.sum(axis=1) if axis == "system" else effects.reshape(len(effects), -1)
    if cells.dtype == np.float32 and 4 * np.abs(cells).sum(axis=1).max(initial=0.0) >= _EXACT_IN_FLOAT32:
        cells = cells.astype(np.float64)
    return LinearExchange(cells, scale, len(batches))


def linear_exchange(
    batches: Sequence[Grid], ties: TiePolicy, epsilons: Sequence[float], axis: Axis, standardize: bool
) -> Exchange:
    """Return the exchange along an axis; the threshold of each metric does not change.

    Raises
    ------
    CapabilityError
        By cells, systems or pairs, if the metrics do not have the same cells: the number of pairs of an item would
        change with the exchange.
    """
    if axis == "segment":
        return additive_exchange([_by_items(batch, ties, each) for batch, each in zip(batches, epsilons, strict=True)])
    if not same_cells(batches):
        raise CapabilityError(
            f"metrics that lack different cells cannot exchange by {axis}: exchange whole segments (unit=segment)"
        )
    pairs = item_pairs(batches[0], ties)
    held = [_held(pairs, batch, epsilon, standardize) for batch, epsilon in zip(batches, epsilons, strict=True)]
    if axis == "pair":
        counted = pairs.counted
        outcomes = np.stack([each.own[counted] for each in held]).astype(np.float64)
        return OutcomeExchange(outcomes, np.broadcast_to(_weights(pairs), counted.shape)[counted])
    return _by_cells(batches, pairs, held, axis)


def _by_items(batch: Grid, ties: TiePolicy, epsilon: float) -> Additive:
    pairs = item_pairs(batch, ties)
    return Additive(np.stack([pairs.defined, pairs.values(batch.predicted, epsilon)], axis=1), mean_of_sums, batch.unit)


Calibrate = Literal["resampled", "once", "always"]


@frozen
class _ItemRows:
    """Whether each item has a pair, and its score: (n, 2)."""

    ties: TiePolicy
    epsilon: float | None

    def __call__(self, batch: Grid) -> FloatArray:
        pairs = item_pairs(batch, self.ties)
        epsilon = _threshold(self.ties, self.epsilon, batch)
        return np.stack([pairs.defined, pairs.values(batch.predicted, epsilon)], axis=1)


def _threshold(ties: TiePolicy, epsilon: float | None, batch: Grid) -> float:
    """Return a fixed threshold, or the best one of a metric on the whole batch; 0 without any pair."""
    return float(np.nan_to_num(calibrate_grid(batch, ties)[0])) if epsilon is None else epsilon


def _parts(ties: TiePolicy, epsilon: float | None, batch: Grid) -> Callable[[Grid], Statistic]:
    """Return the accuracy at the threshold of the whole batch, whichever cells are missing."""
    rows = _ItemRows(ties, _threshold(ties, epsilon, batch))
    return additive(columns=("items", "score"), extract=rows, score=mean_of_sums)


def _bind_calibrated(ties: TiePolicy, crossed: bool, batch: Grid) -> Statistic:
    pairs, half = item_pairs(batch, ties), batch.ids % 2 == 0 if crossed else None
    return Calibrated(pairs=pairs, predicted=batch.predicted, half=half, units=len(batch), unit=batch.unit)


def _exchange_along(
    bind: Callable[[Grid], Statistic],
    ties: TiePolicy,
    epsilon: float | None,
    always: bool,
    batches: Sequence[Grid],
    axis: Axis,
    standardize: bool,
) -> Exchange:
    if axis != "pair" and (always or (epsilon is not None and not standardize and not same_cells(batches))):
        return make_stacked(batches, bind, axis, standardize)
    return linear_exchange(batches, ties, [_threshold(ties, epsilon, each) for each in batches], axis, standardize)


def _exchange(
    bind: Callable[[Grid], Statistic], ties: TiePolicy, epsilon: float | None, always: bool, batches: Sequence[Grid]
) -> GridExchange:
    """Return the exchange: of items by the statistic itself, along an axis at fixed thresholds."""
    units = exchange_rows(batches, bind)  # type: ignore[arg-type]  # the batches are grids
    if not isinstance(units, RowExchange):
        units = StackedExchange(batches, bind)
    make = partial(_exchange_along, bind, ties, epsilon, always, batches)
    return GridExchange(units, make, ("segment", "cell", "system", "pair"))


def _details(ties: TiePolicy, epsilon: float | None, batch: Grid) -> Mapping[str, Any]:
    pairs = item_pairs(batch, ties)
    return {
        "epsilon": calibrate_grid(batch, ties)[0] if epsilon is None else epsilon,
        "items": float(pairs.defined.sum()),
        "pairs": float(pairs.counted.sum()),
        "unanswered": float(batch.unanswered),
    }


def _details_of_halves(ties: TiePolicy, batch: Grid) -> Mapping[str, Any]:
    halves = (batch.take(np.flatnonzero(batch.ids % 2 == parity)) for parity in (0, 1))
    even, odd = (calibrate_grid(half, ties)[0] for half in halves)
    return {**_details(ties, np.nan, batch), "epsilon": [even, odd]}


def _outcomes(ties: TiePolicy, epsilon: float | None, batch: Grid) -> FloatArray:
    """Return the coefficients of all pairs of systems within items."""
    pairs = item_pairs(batch, ties)
    outcomes = pairs.outcome(pairs.differences(batch.predicted), _threshold(ties, epsilon, batch))
    return outcomes[pairs.counted].astype(np.float64)


def _per_item(ties: TiePolicy, epsilon: float | None, batch: Grid) -> FloatArray:
    pairs = item_pairs(batch, ties)
    if not pairs.defined.all():
        raise CapabilityError("an item without a pair of systems has no value of its own: leave such items out")
    return pairs.values(batch.predicted, calibrate_grid(batch, ties)[0] if epsilon is None else epsilon)


def acc_eq(
    *,
    ties: TiePolicy = ACC23,
    epsilon: float | Literal["calibrated", "crossed"] = "calibrated",
    calibrate: Calibrate = "resampled",
) -> Metric:
    """Pairwise accuracy with ties, within items: the mean over items of the share of pairs with the human's relation.

    Parameters
    ----------
    ties : TiePolicy
        The table of coefficients; acc23 is accuracy, tau23 the same from -1 to 1. A row is excluded as a whole or not
        at all.
    epsilon : float or {"calibrated", "crossed"}
        Two metric scores of an item tie if they differ by at most that much. calibrated: the best threshold of the
        submission on the same items, the smallest of equally good ones (official; the score is biased upward).
        crossed: the items with even ids at the best threshold of those with odd ids, and the reverse.
    calibrate : {"resampled", "once", "always"}
        How often a threshold is calibrated. resampled: again under the weights of every resample, so that intervals
        include the variation that calibration adds; a permutation along an axis uses the threshold of the whole batch.
        once: resamples use that threshold too; a whole weight is then only nearly the same as copies of an item.
        always: again after every exchange of a permutation, which is then not linear and takes long.

    Returns
    -------
    Metric
        On `Grid`, within the smallest and the largest coefficient. Items without a pair are left out; undefined (NaN)
        if there is no other, crossed also if a half has none.

    References
    ----------
    Deutsch, Foster and Freitag (2023), Ties matter; metrics tasks 2023-25.
    """
    check_table(ties)
    crossed = epsilon == "crossed"
    fixed = None if isinstance(epsilon, str) else check_epsilon(epsilon)
    held = fixed is not None or (calibrate == "once" and not crossed)
    bind = (
        additive(columns=("items", "score"), extract=_ItemRows(ties, fixed), score=mean_of_sums)
        if held
        else partial(_bind_calibrated, ties, crossed)
    )
    weights, counted = coefficients(ties.table)
    inside = weights[counted]
    return Metric(
        name="acc_eq",
        summary="Pairwise accuracy with ties within items, the threshold of ties calibrated or fixed",
        source="Deutsch, Foster and Freitag (2023); metrics tasks 2023-25",
        formula=r"\frac{1}{n} \sum_{i=1}^{n} \frac{1}{p_i} \sum_{s < t} [h_{i s t} = m_{i s t}]",
        symbols=r"$h_{i s t}$ is the relation of systems $s$ and $t$ on item $i$ by the human scores $y$: better, "
        r"worse or equal; $m_{i s t}$ is that by the metric scores $x$, equal where $|x_{is} - x_{it}|$ is at most "
        r"the threshold `epsilon`. $p_i$ is the number of pairs of item $i$, and $n$ that of the items with a pair. A "
        r"bracket is 1 where its condition holds, else 0; another table of `ties` puts its coefficients in place of "
        r"the bracket. The calibrated threshold is the smallest one with the highest score.",
        kind=Grid,
        bind=bind,
        exchange=(
            partial(stacked_exchange, bind)
            if crossed
            else partial(_exchange, bind, ties, fixed, calibrate == "always" and fixed is None)
        ),
        bind_parts=partial(_parts, ties, fixed) if held else None,
        per_unit=None if crossed else partial(_per_item, ties, fixed),
        outcomes=None if crossed else partial(_outcomes, ties, fixed),
        details=partial(_details_of_halves, ties) if crossed else partial(_details, ties, fixed),
        bounds=bounds_of([0.0, *inside.tolist()]),
        smooth=held,
    )
