"""The scores of grids with parts left out: what a jackknife of segments and systems is given."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from attrs import frozen

from qeframe.core.batches.base import FloatArray


@frozen(eq=False)
class GridLeftOut:
    """The scores of m statistics on a grid, with parts of the grid left out.

    `segments` (n, m): with each segment left out in turn.
    `systems` (systems, m): with each system left out in turn.
    `cells` (cells, m): with each cell that is present left out in turn, system after system.
    `cell_factor`: what the sum of the squared deviations of `cells` is multiplied by. It corrects for the number of
      systems.
    """

    segments: FloatArray
    systems: FloatArray
    cells: FloatArray
    cell_factor: float

    def changed(self, change: Callable[[FloatArray], FloatArray]) -> GridLeftOut:
        """Return the same with a function of the scores (k, m) applied, such as differences of statistics."""
        with np.errstate(invalid="ignore"):
            return GridLeftOut(change(self.segments), change(self.systems), change(self.cells), self.cell_factor)
