"""Attacks on grids that add a metric's own means: nothing that the metric did not know, in other proportions.

A metric that pools all cells mixes three questions: which segment is easy, which system is good, and which translation
is good. Means of items and systems have less noise than single scores. A submission that weights them more answers the
first two questions better and the third one no better.
"""

from __future__ import annotations

from functools import partial

import attrs
import numpy as np

from qeframe.plugin import Grid
from qeframe.plugin.audit import Attack
from qeframe_attacks.grids import mean_over

_SHARES = (0.25, 1.0, 2.0, 4.0, 8.0)


def _add(item: float, system: float, batch: Grid, rng: np.random.Generator) -> Grid:
    """Add multiples of the means of each item and of each system of the submission."""
    own = batch.predicted
    if not own.size:
        return batch
    return attrs.evolve(batch, predicted=own + item * mean_over(own, 1) + system * mean_over(own, 0))


def _draw(item: float, system: float, step: float, batch: Grid, rng: np.random.Generator) -> Grid:
    """Draw an effect of each item, of each system and of each cell, and round their sum."""
    items, systems = batch.gold.shape
    drawn = item * rng.standard_normal((items, 1)) + system * rng.standard_normal(systems)
    drawn = drawn + rng.standard_normal((items, systems))
    return attrs.evolve(batch, predicted=np.rint(drawn / step) * step if step else drawn)


add_own_means = Attack(
    name="add_own_means",
    summary="Adds a multiple of its own means of items and of systems",
    source="qeframe",
    kind=Grid,
    manner="cosmetic",
    knowledge="its own scores, and the best multiple from earlier data",
    answer=partial(_add, 1.0, 1.0),
    settings={f"factor={share:g}": partial(_add, share, share) for share in _SHARES},
)

add_item_means = Attack(
    name="add_item_means",
    summary="Adds a multiple of its own means of items",
    source="qeframe",
    kind=Grid,
    manner="cosmetic",
    knowledge="its own scores, and the best multiple from earlier data",
    answer=partial(_add, 1.0, 0.0),
    settings={f"factor={share:g}": partial(_add, share, 0.0) for share in _SHARES},
)

add_system_means = Attack(
    name="add_system_means",
    summary="Adds a multiple of its own means of systems",
    source="qeframe",
    kind=Grid,
    manner="cosmetic",
    knowledge="its own scores, and the best multiple from earlier data",
    answer=partial(_add, 0.0, 1.0),
    settings={f"factor={share:g}": partial(_add, 0.0, share) for share in _SHARES},
)


def mix_means(*, item: float = 1.0, system: float = 1.0) -> Attack:
    """Add multiples of a submission's own means.

    Parameters
    ----------
    item, system : float
        The multiples of the means of items and of systems; below 0 they are subtracted.

    Returns
    -------
    Attack
        On `Grid`, cosmetic. Missing cells stay missing, and means are over the others.
    """
    values = (-1.0, -0.5, 0.0, 0.1, 0.25, 0.5, 0.75, 1.0, 1.5, 2.0, 3.0, 4.0, 6.0, 8.0)
    return Attack(
        name="mix_means",
        summary="Adds multiples of its own means of items and systems: the space of mixes that a search tries",
        source="qeframe",
        kind=Grid,
        manner="cosmetic",
        knowledge="its own scores, and the best multiples from earlier data",
        answer=partial(_add, item, system),
        space={"item": values, "system": values},
    )


def random_mix(*, item: float = 1.0, system: float = 1.0, step: float = 0.0) -> Attack:
    """Draw scores at random, with effects of items and of systems.

    Parameters
    ----------
    item, system : float
        The standard deviations of the effects, where that of a single score is 1.
    step : float
        The steps to which scores are rounded; 0 for no rounding.

    Returns
    -------
    Attack
        On `Grid`, blind.
    """
    return Attack(
        name="random_mix",
        summary="Draws effects of items, of systems and of cells: the space of random grids that a search tries",
        source="qeframe",
        kind=Grid,
        manner="blind",
        knowledge="the proportions that score best, from earlier data",
        answer=partial(_draw, item, system, abs(step)),
        space={
            "item": (0.0, 0.25, 0.5, 1.0, 2.0, 4.0, 16.0),
            "system": (0.0, 0.25, 0.5, 1.0, 2.0, 4.0, 16.0),
            "step": (0.0, 0.5, 1.0, 2.0, 4.0, 8.0),
        },
        refutes="blind_proof",
    )
