"""Units that several readings of the same data draw together, though each reading has only some of them.

All domains and one domain are such readings. Drawn by themselves, their scores would vary independently of each other,
although they depend on the same segments. One draw on the union of their units serves them all: each takes its own.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from attrs import frozen
from numpy.typing import NDArray

from qeframe.core.batches.base import IntArray
from qeframe.core.resampling.draws import DrawBlock, all_masks, exchange_masks
from qeframe.core.resampling.memory import MOST_CELLS


@frozen(eq=False)
class DrawnCells:
    """The cells that are swapped for several readings together.

    `chosen` (cells,): the positions of those of one reading.
    """

    count: int
    chosen: IntArray


@frozen(eq=False)
class JointUnits:
    """The units of all readings, and those of one reading among them.

    `ids` (N,): ascending. `members` (n,): the positions in `ids` of the units of the reading, in its order.
    """

    ids: IntArray
    members: IntArray

    def cells_of(self, cells: int, *, by_unit: bool, by_cell: bool) -> DrawnCells | None:
        """Return the cells of all units and those of the reading; None if they do not lie unit by unit.

        `cells`: how many the reading has. `by_unit`, `by_cell`: whether a cell is a unit, and whether each unit has the
        same number of cells.
        """
        units = len(self.members)
        if (by_unit and cells == units) or (by_cell and cells % units == 0):
            width = cells // units  # cells to a unit
            return DrawnCells(len(self.ids) * width, (self.members[:, None] * width + np.arange(width)).ravel())
        return None


def joint_units(readings: Sequence[IntArray]) -> list[JointUnits | None]:
    """Return the joint units of readings, from the ids of the units of each; None for all if they are the same.

    `readings` (n,): each without repetition.
    """
    if all(np.array_equal(ids, readings[0]) for ids in readings):
        return [None] * len(readings)
    union = np.unique(np.concatenate(list(readings)))
    return [JointUnits(union, np.searchsorted(union, ids)) for ids in readings]


def drawn_masks(drawn: DrawnCells | None, cells: int, blocks: Sequence[DrawBlock]) -> NDArray[Any]:
    """Return the drawn exchanges of blocks, (draws, cells): of the cells of one reading, if several draw together."""
    if drawn is None:
        return np.concatenate([exchange_masks(block, cells) for block in blocks])
    return np.concatenate([exchange_masks(block, drawn.count)[:, drawn.chosen] for block in blocks])


def enumerated_masks(cells: int, blocks: Sequence[DrawBlock]) -> NDArray[Any]:
    """Return the exchanges of blocks of all 2**cells exchanges, (draws, cells)."""
    return all_masks(cells, blocks[0].start, blocks[-1].start + blocks[-1].draws)


_MOST_IN_A_GROUP = 64
"""How many exchanges are worked through at once, if they fit: few would read the cells of all submissions too often."""


def grouped_blocks(blocks: Sequence[DrawBlock], cells: int) -> list[list[DrawBlock]]:
    """Return consecutive blocks in groups of bounded size; the random numbers of a block stay the same."""
    draws = blocks[0].draws if blocks else 1
    most = max(1, min(_MOST_IN_A_GROUP, MOST_CELLS // max(1, cells)) // draws)
    return [list(blocks[start : start + most]) for start in range(0, len(blocks), most)]
