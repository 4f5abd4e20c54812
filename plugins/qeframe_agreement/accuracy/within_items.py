"""Pairwise agreement with ties within items: acc_eq and its relatives."""

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
    Bind,
    GridExchange,
    by_segments,
    location_and_scale,
    make_stacked,
    same_cells,
    stacked_exchange,
)
from qeframe_agreement.grids import ACC23, ItemPairs, bounds_of, check_epsilon, check_table, coefficients, item_pairs

_EXACT_IN_FLOAT32 = 2**24


@frozen(eq=False)
class LinearExchange:
    """Agreement at held thresholds, by cells or systems: the product of signs and effects."""

    # of each cell on the difference of two submissions, the first one lower, up to `scale`: (pairs, cells)
    effects: FloatArray
    scale: float
    submissions: int

    @property
    def cells(self) -> int:
        """How many cells there are to swap."""
        return self.effects.shape[1]

    def __call__(self, masks: NDArray[np.uint8], first: IntArray, second: IntArray) -> FloatArray:
        low, high = np.minimum(first, second), np.maximum(first, second)
        # the place of the pair (low, high) among all combinations
        position = low * self.submissions - low * (low + 1) // 2 + high - low - 1
        kept = 1 - 2 * masks.astype(self.effects.dtype).T
        most = 2 * len(position) > len(self.effects)  # choosing effects would copy most of them
        sums = (self.effects @ kept)[position] if most else self.effects[position] @ kept
        return sums.T.astype(np.float64) * np.where(first < second, self.scale, -self.scale)


@frozen(eq=False)
class _Held:
    """The scores of a metric on both sides of all pairs, (pairs, n), its threshold, and both on a common scale."""

    outcomes: FloatArray  # of pairs of its own scores
    left: FloatArray
    right: FloatArray
    threshold: float


def _held(pairs: ItemPairs, batch: Grid, epsilon: float, standardize: bool) -> _Held:
    mean, scale = location_and_scale(batch) if standardize else (0.0, 1.0)
    columns = (np.ascontiguousarray(batch.predicted.T) - mean) / scale
    outcomes = pairs.outcome(pairs.differences(batch.predicted), epsilon)
    return _Held(outcomes, columns[pairs.first], columns[pairs.second], epsilon / scale)


def _effects(pairs: ItemPairs, sides: Sequence[_Held], systems: int) -> FloatArray:
    """Return the effects of all cells on twice the difference of a pair, (pairs of submissions, n, systems)."""
    begins, ends = (np.eye(systems, dtype=pairs.table.dtype)[side].T for side in (pairs.first, pairs.second))
    count, items = len(sides), pairs.middle.shape[1]
    effects = np.empty((count * (count - 1) // 2, items, systems), dtype=pairs.table.dtype)
    for position, (a, b) in enumerate(combinations(sides, 2)):
        between = (a.threshold + b.threshold) / 2
        same = a.outcomes - b.outcomes
        # with signs s of the two cells, the difference is ((s + s') same + (s - s') mixed) / 2: linear in the signs
        mixed = pairs.outcome(a.left - b.right, between) - pairs.outcome(b.left - a.right, between)
        effects[position] = (begins @ (same + mixed) + ends @ (same - mixed)).T
    return effects


def _weights(pairs: ItemPairs) -> FloatArray:
    """Return the weight of a pair of each item in the mean over items, (n,)."""
    return pairs.defined / (pairs.size * (pairs.defined.sum() or np.nan))


def _by_cells(batches: Sequence[Grid], pairs: ItemPairs, sides: Sequence[_Held], axis: Axis) -> LinearExchange:
    effects = _effects(pairs, sides, batches[0].systems)
    weights = _weights(pairs)
    level = weights[weights > 0]
    exact = effects.dtype == np.float32 and bool((level == level[:1]).all())
    scale = (float(level[0]) / 2 if exact else 0.5) if len(level) else np.nan
    if not exact:
        effects = effects * weights[:, None]
    cells = effects.sum(axis=1) if axis == "system" else effects.reshape(len(effects), -1)
    # entries are multiples of 1/4: four times a sum is a whole number, exact below 2**24
    if cells.dtype == np.float32 and 4 * np.abs(cells).sum(axis=1).max(initial=0.0) >= _EXACT_IN_FLOAT32:
        cells = cells.astype(np.float64)
    return LinearExchange(cells, scale, len(batches))


def linear_exchange(
    batches: Sequence[Grid], ties: TiePolicy, epsilons: Sequence[float], axis: Axis, standardize: bool
) -> Exchange:
    """Return the exchange along an axis; the threshold of each metric does not change.

    By cells, systems or pairs the metrics must have the same cells: else the number of pairs of an item would change.
    """
    if axis == "segment":
        rows = [_Agreement(ties, epsilon)(batch) for batch, epsilon in zip(batches, epsilons, strict=True)]
        return additive_exchange([Additive(of, mean_of_sums, batches[0].unit) for of in rows])
    if not same_cells(batches):
        raise CapabilityError(
            f"metrics that lack different cells cannot exchange by {axis}: exchange whole segments (unit=segment)"
        )
    pairs = item_pairs(batches[0], ties)
    sides = [_held(pairs, batch, epsilon, standardize) for batch, epsilon in zip(batches, epsilons, strict=True)]
    if axis == "pair":
        counted = pairs.counted
        outcomes = np.stack([side.outcomes[counted] for side in sides]).astype(np.float64)
        return OutcomeExchange(outcomes, np.broadcast_to(_weights(pairs), counted.shape)[counted])
    return _by_cells(batches, pairs, sides, axis)


Calibrate = Literal["resampled", "once", "always"]


@frozen
class _Agreement:
    """Agreement at a threshold, or with None at the best one of the batch.

    As an ``extract`` it gives whether each item has a pair, and its score, (n, 2).
    """

    ties: TiePolicy
    epsilon: float | None

    def __call__(self, batch: Grid) -> FloatArray:
        pairs = item_pairs(batch, self.ties)
        return np.stack([pairs.defined, pairs.values(batch.predicted, self.threshold(batch))], axis=1)

    def threshold(self, batch: Grid) -> float:
        """Return the threshold; the best one is 0 without any pair."""
        return float(np.nan_to_num(calibrate_grid(batch, self.ties)[0])) if self.epsilon is None else self.epsilon

    def bind(self, batch: Grid) -> Statistic:
        return additive(columns=("items", "score"), extract=self, score=mean_of_sums)(batch)

    def parts(self, batch: Grid) -> Callable[[Grid], Statistic]:
        """Return the accuracy at the threshold of the whole batch, whichever cells are missing."""
        return _Agreement(self.ties, self.threshold(batch)).bind

    def details(self, batch: Grid) -> Mapping[str, Any]:
        pairs = item_pairs(batch, self.ties)
        return {
            "epsilon": calibrate_grid(batch, self.ties)[0] if self.epsilon is None else self.epsilon,
            "items": float(pairs.defined.sum()),
            "pairs": float(pairs.counted.sum()),
            "unanswered": float(batch.unanswered),
        }

    def outcomes(self, batch: Grid) -> FloatArray:
        """Return the coefficients of all pairs of systems within items."""
        pairs = item_pairs(batch, self.ties)
        outcomes = pairs.outcome(pairs.differences(batch.predicted), self.threshold(batch))
        return outcomes[pairs.counted].astype(np.float64)

    def per_item(self, batch: Grid) -> FloatArray:
        pairs = item_pairs(batch, self.ties)
        if not pairs.defined.all():
            raise CapabilityError("an item without a pair of systems has no value of its own: leave such items out")
        return pairs.values(batch.predicted, self.threshold(batch))


def _bind_calibrated(ties: TiePolicy, crossed: bool, batch: Grid) -> Statistic:
    return Calibrated(batch=batch, ties=ties, half=batch.ids % 2 == 0 if crossed else None)


def _exchange_along(
    bind: Bind, at: _Agreement, always: bool, batches: Sequence[Grid], axis: Axis, standardize: bool
) -> Exchange:
    if axis != "pair" and (always or (at.epsilon is not None and not standardize and not same_cells(batches))):
        return make_stacked(batches, bind, axis, standardize)
    return linear_exchange(batches, at.ties, list(map(at.threshold, batches)), axis, standardize)


def _exchange(bind: Bind, at: _Agreement, always: bool, batches: Sequence[Grid]) -> GridExchange:
    """Return the exchange: of items by the statistic itself, along an axis at fixed thresholds."""
    make = partial(_exchange_along, bind, at, always, batches)
    return GridExchange(len(batches[0]), partial(_of_items, bind, batches), make, ("segment", "cell", "system", "pair"))


def _of_items(bind: Bind, batches: Sequence[Grid]) -> Exchange:
    rows = exchange_rows(batches, bind)  # type: ignore[arg-type]  # the batches are grids
    return rows if isinstance(rows, RowExchange) else by_segments(batches, bind)


def _details_of_halves(ties: TiePolicy, batch: Grid) -> Mapping[str, Any]:
    halves = (batch.take(np.flatnonzero(batch.ids % 2 == parity)) for parity in (0, 1))
    even, odd = (calibrate_grid(half, ties)[0] for half in halves)
    return {**_Agreement(ties, np.nan).details(batch), "epsilon": [even, odd]}


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
    once = fixed is not None or (calibrate == "once" and not crossed)
    at = _Agreement(ties, fixed)
    bind: Bind = at.bind if once else partial(_bind_calibrated, ties, crossed)
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
            else partial(_exchange, bind, at, calibrate == "always" and fixed is None)
        ),
        bind_parts=at.parts if once else None,
        per_unit=None if crossed else at.per_item,
        outcomes=None if crossed else at.outcomes,
        details=partial(_details_of_halves, ties) if crossed else at.details,
        bounds=bounds_of([0.0, *inside.tolist()]),
        smooth=once,
        left_out=dict.fromkeys(_OF_ALL_UNITS, _HELD) if once and fixed is None else {},
        known_weaknesses={"blind": 0.08, "cosmetic": 0.05},
    )


_OF_ALL_UNITS = ("repetition", "absence", "shards", "exchange")
_HELD = "calibrate=once holds the threshold that is best on all items of the batch"
