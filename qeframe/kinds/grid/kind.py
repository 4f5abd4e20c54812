"""The kind `Grid`: scores of items by systems, human and metric."""

from collections.abc import Iterator, Mapping
from functools import partial
from itertools import permutations
from random import Random
from typing import TYPE_CHECKING, Any

import attrs
import numpy as np

from qeframe.core.batch import FloatArray, IntArray
from qeframe.core.batch_kind import BatchKind, Relations
from qeframe.core.kind_parts import AuditAnswers, GeneratedGold
from qeframe.core.metric import Metric
from qeframe.core.statistic import additive
from qeframe.kinds.answers import (
    correlated,
    gold_answers,
    gold_handed_in,
    reordered_gold,
    rescaled,
    with_answer,
    with_gold_answer,
)
from qeframe.kinds.drawing import beside_thresholds, composite, few, fixed_numbers, only, whole, whole_numbers
from qeframe.kinds.grid.batch import Grid
from qeframe.kinds.judgments.kind import SIGN, TIE_RATE
from qeframe.kinds.probes import PRODUCTS, cosine, products

if TYPE_CHECKING:
    from hypothesis.strategies import DrawFn, SearchStrategy

_ITEMS, _SYSTEMS = 240, 12


# --- answers --------------------------------------------------------------------------------------------------------


def _plain(batch: Grid) -> Mapping[str, Any]:
    return {"gold": batch.gold.tolist(), "predicted": batch.predicted.tolist()}


def _with_answers(batch: Grid, predicted: FloatArray) -> Grid:
    return Grid.pair(ids=batch.ids, gold=batch.gold, predicted=predicted)


def _constants(batch: Grid) -> list[FloatArray]:
    return [np.zeros_like(batch.gold)]


def _rearrangements(_batch: Grid, cells: FloatArray) -> Iterator[FloatArray]:
    """Give the rows to other items, and the columns to other systems."""
    for shift in range(max(1, len(cells))):
        for order in permutations(range(cells.shape[1])):
            yield np.roll(cells, shift, axis=0)[:, list(order)]


def _without_answer(batch: Grid, unit: int) -> FloatArray:
    """Give all systems of an item the same score."""
    return np.asarray(with_answer(batch, unit, 0.0))


def _from_relations(relations: Relations) -> Grid:
    """Return items of two systems with the given relations."""
    gold, predicted = ([[SIGN[pair[side]], 0.0] for pair in relations] for side in (0, 1))
    return Grid.from_plain(gold, predicted)


# --- the audit ------------------------------------------------------------------------------------------------------


def _rearranged(batch: Grid, rng: np.random.Generator) -> Grid:
    """Give every item the row of another; cells that are missing there are filled with cells of the same row."""
    rows = rng.permuted(batch.gold[rng.permutation(len(batch))], axis=1)
    absent = np.isnan(rows)
    if absent.any():
        order = np.argsort(absent, axis=1, kind="stable")
        present = np.maximum(1, (~absent).sum(axis=1, keepdims=True))
        # the cells that are there come first, and again, until every system has an answer
        again = np.take_along_axis(order, np.arange(batch.systems)[None] % present, axis=1)
        packed = np.take_along_axis(rows, again, axis=1)
        rows = rng.permuted(np.where(np.isnan(packed), np.nanmean(batch.gold), packed), axis=1)
    return attrs.evolve(batch, predicted=rows)


def _mirrored(batch: Grid) -> Grid:
    """Exchange the best system by its mean answer with the worst, the second best with the second worst; items too."""
    rows, columns = _opposite(batch.predicted.T), _opposite(batch.predicted)
    return attrs.evolve(batch, predicted=batch.predicted[np.ix_(rows, columns)])


def _opposite(cells: FloatArray) -> IntArray:
    """Return for each column the column that is as far from the other end by its mean."""
    present = ~np.isnan(cells)
    order = np.argsort(np.where(present, cells, 0.0).sum(axis=0) / np.maximum(1, present.sum(axis=0)), kind="stable")
    source = np.empty_like(order)
    # the best system answers as the worst one, the second as the second to last ...
    source[order] = order[::-1]
    return source


def _generate(rng: np.random.Generator) -> GeneratedGold:
    """Generate scores of items by systems, rounded to steps at which the wanted share of pairs within items tie."""
    shape = _ITEMS, _SYSTEMS
    item, system = rng.normal(0, 1, shape[0]), rng.normal(0, 0.4, shape[1])
    cells = item[:, None] + system + rng.normal(0, 1, shape)
    within = np.sqrt(1 + system.var())
    gold = np.floor(cells / (TIE_RATE * 2 * np.sqrt(np.pi) * within))
    description = f"{shape[0]} items by {shape[1]} systems, {TIE_RATE:.0%} human ties within items"
    return GeneratedGold(Grid.from_plain(gold, gold), description)


# --- inputs ---------------------------------------------------------------------------------------------------------


def _fixed(rng: Random, units: int) -> list[Grid]:
    gold = [fixed_numbers(rng, 4, low=0, high=8) for _ in range(units)]
    sides = [[[cell + whole(rng, 0, 6) / 8 for cell in row] for row in gold] for _ in range(3)]
    return [Grid.from_plain(gold, side) for side in sides]


def _off_grid(rng: Random) -> list[Grid]:
    """Return scores of six systems with ties and missing cells, and differences on and beside usual thresholds.

    Some items have one cell, none, or equal scores on a side.
    """
    far, shape = beside_thresholds(), range(6)
    gold = [[whole(rng, 0, 5) * 0.7 + system / 7 * whole(rng, 0, 1) for system in shape] for _ in range(90)]
    sides = [
        [[0.0, *(far[whole(rng, 0, len(far) - 1)] + cell * rng.random() for cell in row[1:])] for row in gold]
        for _ in range(3)
    ]
    for row in gold[::9]:
        row[whole(rng, 0, 5)] = np.nan
    for side in sides:
        for row in side[::2]:
            row[1:] = [far[whole(rng, 0, len(far) - 1)], 0.0, *row[3:]]
        side[35] = [1.5] * 6
    gold[5], gold[15], gold[25] = [0.77] * 6, [*[np.nan] * 5, 0.7], [np.nan] * 6
    return [Grid.from_plain(gold, side) for side in sides]


def _regular(rng: np.random.Generator, units: int) -> Grid:
    """Return scores, in halves, of ten systems that are clearly apart, by the gold in part in another order."""
    systems, others, gold, predicted = (rng.standard_normal((n, 10)) for n in (1, 1, units, units))
    sides = (gold + 3 * systems, predicted + 2 * systems + 2 * others + 0.5 * gold)
    return Grid.from_plain(*(np.round(2 * side) / 2 for side in sides))


@composite
def submissions_of_grids(
    draw: "DrawFn",
    *,
    submissions: int = 2,
    min_units: int = 1,
    max_units: int = 6,
    systems: tuple[int, int] = (1, 4),
    complete: bool = False,
) -> tuple[Grid, ...]:
    """Draw several metrics on one gold.

    `systems` (int, int): the fewest and the most columns. `complete`: whether the gold has every cell; the metrics
    always do.
    """
    from hypothesis import strategies as st

    units, columns = draw(st.integers(min_units, max_units)), draw(st.integers(*systems))
    gold = draw(few(units * columns)).reshape(units, columns)
    if not complete:
        gold[draw(whole_numbers(units * columns, 0, 1)).reshape(gold.shape) == 1] = np.nan
    side = whole_numbers(units * columns, 0, 6).map(lambda drawn: drawn.reshape(gold.shape) / 2)
    return tuple(Grid.from_plain(gold, draw(side)) for _ in range(submissions))


def grids_batches(
    *, min_units: int = 1, max_units: int = 6, systems: tuple[int, int] = (1, 4), complete: bool = False
) -> "SearchStrategy[Grid]":
    """Draw one metric's scores of items by systems.

    Parameters
    ----------
    systems : (int, int)
        The fewest and the most columns.
    complete : bool
        Whether the gold has every cell; the metric always does.

    Examples
    --------
    >>> from hypothesis import given, settings
    >>> from qeframe.testing import grids_batches
    >>> @settings(max_examples=5)
    ... @given(grids_batches(max_units=3))
    ... def test_of_mine(batch):
    ...     assert len(batch) <= 3
    >>> test_of_mine()
    """
    return submissions_of_grids(
        submissions=1, min_units=min_units, max_units=max_units, systems=systems, complete=complete
    ).map(only)


def _products_of_cells(batch: Grid) -> FloatArray:
    x, y = (np.where(batch.present, side, 0.0) for side in (batch.gold, batch.predicted))
    return np.asarray(products(x, y, batch.present.astype(np.float64)).sum(axis=1))


_CORRELATION = Metric(
    name="probe_grid_correlation",
    summary="A correlation of all cells of a grid: additive over segments",
    kind=Grid,
    bind=additive(columns=PRODUCTS, extract=_products_of_cells, score=cosine),
    smooth=True,
)

KIND = BatchKind(
    batch=Grid,
    audit=AuditAnswers(
        perfect=gold_handed_in, rearranged=_rearranged, honest=correlated, mirrored=_mirrored, generate=_generate
    ),
    fixed_submissions=_fixed,
    off_grid=_off_grid,
    regular=_regular,
    submissions=submissions_of_grids,
    complete=partial(submissions_of_grids, systems=(2, 3), complete=True),
    plain=_plain,
    with_answers=_with_answers,
    gold_answers=gold_answers,
    anonymous=reordered_gold,
    constants=_constants,
    rearrangements=_rearrangements,
    corrections=with_gold_answer,
    rescaled=rescaled,
    without_answer=_without_answer,
    may_abstain=True,
    probe=_CORRELATION,
    from_relations=_from_relations,
)
