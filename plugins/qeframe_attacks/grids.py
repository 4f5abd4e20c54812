"""Attacks on grids of items by systems; some add a metric's own means: what it knew, in other proportions.

A metric that pools all cells mixes three questions: which segment is easy, which system is good, and which translation
is good. Means of items and systems have less noise than single scores. A submission that weights them more answers the
first two questions better and the third one no better.
"""

import warnings
from functools import partial

import attrs
import numpy as np

from qeframe.plugin import FloatArray, Grid
from qeframe.plugin.audit import Attack

_KEPT = (0.05, 0.1, 0.2, 0.3, 0.5, 0.7, 0.9)
_STEPS = (0.1, 0.25, 0.5, 1.0, 1.5, 2.0)
_attack = partial(Attack, kind=Grid, source="qeframe")
_blind = partial(_attack, manner="blind", knowledge="nothing")
_cosmetic = partial(_attack, manner="cosmetic", knowledge="nothing")


def _answered(batch: Grid, predicted: FloatArray) -> Grid:
    return attrs.evolve(batch, predicted=predicted)


def _tie_all(batch: Grid, rng: np.random.Generator) -> Grid:
    return _answered(batch, np.zeros(batch.gold.shape))


def _tie_none(batch: Grid, rng: np.random.Generator) -> Grid:
    return _answered(batch, rng.standard_normal(batch.gold.shape))


def mean_over(cells: FloatArray, axis: int) -> FloatArray:
    """Return means over the cells that are not missing; the mean of all cells where all are missing."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", RuntimeWarning)
        means = np.nanmean(cells, axis=axis, keepdims=True)
        return np.where(np.isnan(means), np.nanmean(cells), means)


def _mean_answers(axis: int, batch: Grid, rng: np.random.Generator) -> Grid:
    return _answered(batch, np.broadcast_to(mean_over(batch.gold, axis), batch.gold.shape).copy())


def _abstain(kept: float, batch: Grid, rng: np.random.Generator) -> Grid:
    """Keep the items with the largest spread between systems; give all systems one score in the others."""
    center = mean_over(batch.predicted, 1)
    spread = np.nansum((batch.predicted - center) ** 2, axis=1)
    unsure = spread < np.quantile(spread, 1 - kept) if len(batch) else np.zeros(0, dtype=np.bool_)
    return _answered(batch, np.where(unsure[:, None], center, batch.predicted))


def _round(step: float, batch: Grid, rng: np.random.Generator) -> Grid:
    """Round to multiples of a share of the standard deviation."""
    answered = batch.predicted[~np.isnan(batch.predicted)]
    size = (step * answered.std() if len(answered) else 0.0) or 1.0
    return _answered(batch, np.rint(batch.predicted / size) * size)


def _untie(batch: Grid, rng: np.random.Generator) -> Grid:
    """Break ties by amounts below the smallest difference between two scores."""
    levels = np.unique(batch.predicted[~np.isnan(batch.predicted)])
    small = 0.25 * np.diff(levels).min() if len(levels) > 1 else 1.0
    return _answered(batch, batch.predicted + small * rng.uniform(-1, 1, batch.predicted.shape))


all_equal = _blind(
    name="all_equal", summary="Gives every translation the same score", answer=_tie_all, refutes="constant_proof"
)

never_equal = _blind(
    name="never_equal", summary="Scores at random, no two scores equal", answer=_tie_none, refutes="blind_proof"
)

system_means = _attack(
    name="system_means",
    summary="Gives every translation the mean gold score of its system",
    source="Deutsch, Foster and Freitag (2023) and mt-metrics-eval: why segments are grouped by item",
    manner="informed",
    knowledge="the mean gold score of every system",
    answer=partial(_mean_answers, 0),
)

segment_means = _attack(
    name="segment_means",
    summary="Gives every translation the mean gold score of its segment, the same for all systems",
    source="Deutsch, Foster and Freitag (2023) and mt-metrics-eval: why segments are grouped by item",
    manner="informed",
    knowledge="the mean gold score of every segment",
    answer=partial(_mean_answers, 1),
)

abstain_items = _cosmetic(
    name="abstain_items",
    summary="Gives all systems one score, except on the items with the largest spread; how many scores best",
    knowledge="the spread of its own scores, and from earlier data how many items to keep",
    answer=partial(_abstain, 0.1),
    settings={f"kept={kept:g}": partial(_abstain, kept) for kept in _KEPT},
    refutes="abstention_proof",
)

round_grid = _cosmetic(
    name="round_grid",
    summary="Rounds the scores to steps, of the size that scores best",
    knowledge="the best size of the steps, from earlier data",
    answer=partial(_round, 0.5),
    settings={f"step={step:g}": partial(_round, step) for step in _STEPS},
)

untie_grid = _cosmetic(name="untie_grid", summary="Breaks ties between scores at random", answer=_untie)


_SHARES = (0.25, 1.0, 2.0, 4.0, 8.0)


def _add(item: float, system: float, batch: Grid, rng: np.random.Generator) -> Grid:
    """Add multiples of the means of each item and of each system of the submission."""
    scores = batch.predicted
    if not scores.size:
        return batch
    return _answered(batch, scores + item * mean_over(scores, 1) + system * mean_over(scores, 0))


def _draw(item: float, system: float, step: float, batch: Grid, rng: np.random.Generator) -> Grid:
    """Draw an effect of each item, of each system and of each cell, and round their sum."""
    items, systems = batch.gold.shape
    drawn = item * rng.standard_normal((items, 1)) + system * rng.standard_normal(systems)
    drawn = drawn + rng.standard_normal((items, systems))
    return _answered(batch, np.rint(drawn / step) * step if step else drawn)


add_own_means = _cosmetic(
    name="add_own_means",
    summary="Adds a multiple of its own means of items and of systems",
    knowledge="its own scores, and the best multiple from earlier data",
    answer=partial(_add, 1.0, 1.0),
    settings={f"factor={share:g}": partial(_add, share, share) for share in _SHARES},
)

add_item_means = _cosmetic(
    name="add_item_means",
    summary="Adds a multiple of its own means of items",
    knowledge="its own scores, and the best multiple from earlier data",
    answer=partial(_add, 1.0, 0.0),
    settings={f"factor={share:g}": partial(_add, share, 0.0) for share in _SHARES},
)

add_system_means = _cosmetic(
    name="add_system_means",
    summary="Adds a multiple of its own means of systems",
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
    return _cosmetic(
        name="mix_means",
        summary="Adds multiples of its own means of items and systems: the space of mixes that a search tries",
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
    return _blind(
        name="random_mix",
        summary="Draws effects of items, of systems and of cells: the space of random grids that a search tries",
        knowledge="the proportions that score best, from earlier data",
        answer=partial(_draw, item, system, abs(step)),
        space={
            "item": (0.0, 0.25, 0.5, 1.0, 2.0, 4.0, 16.0),
            "system": (0.0, 0.25, 0.5, 1.0, 2.0, 4.0, 16.0),
            "step": (0.0, 0.5, 1.0, 2.0, 4.0, 8.0),
        },
        refutes="blind_proof",
    )
