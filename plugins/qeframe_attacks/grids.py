"""Attacks on grids of items by systems."""

from __future__ import annotations

import warnings
from functools import partial

import attrs
import numpy as np

from qeframe.plugin import FloatArray, Grid
from qeframe.plugin.audit import Attack

_SOURCE = "qeframe"
_KEPT = (0.05, 0.1, 0.2, 0.3, 0.5, 0.7, 0.9)
_STEPS = (0.1, 0.25, 0.5, 1.0, 1.5, 2.0)


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


all_equal = Attack(
    name="all_equal",
    summary="Gives every translation the same score",
    source=_SOURCE,
    kind=Grid,
    manner="blind",
    knowledge="nothing",
    answer=_tie_all,
    refutes="constant_proof",
)

never_equal = Attack(
    name="never_equal",
    summary="Scores at random, no two scores equal",
    source=_SOURCE,
    kind=Grid,
    manner="blind",
    knowledge="nothing",
    answer=_tie_none,
    refutes="blind_proof",
)

system_means = Attack(
    name="system_means",
    summary="Gives every translation the mean gold score of its system",
    source="Deutsch, Foster and Freitag (2023) and mt-metrics-eval: why segments are grouped by item",
    kind=Grid,
    manner="informed",
    knowledge="the mean gold score of every system",
    answer=partial(_mean_answers, 0),
)

segment_means = Attack(
    name="segment_means",
    summary="Gives every translation the mean gold score of its segment, the same for all systems",
    source="Deutsch, Foster and Freitag (2023) and mt-metrics-eval: why segments are grouped by item",
    kind=Grid,
    manner="informed",
    knowledge="the mean gold score of every segment",
    answer=partial(_mean_answers, 1),
)

abstain_items = Attack(
    name="abstain_items",
    summary="Gives all systems one score, except on the items with the largest spread; how many scores best",
    source=_SOURCE,
    kind=Grid,
    manner="cosmetic",
    knowledge="the spread of its own scores, and from earlier data how many items to keep",
    answer=partial(_abstain, 0.1),
    settings={f"kept={kept:g}": partial(_abstain, kept) for kept in _KEPT},
    refutes="abstention_proof",
)

round_grid = Attack(
    name="round_grid",
    summary="Rounds the scores to steps, of the size that scores best",
    source=_SOURCE,
    kind=Grid,
    manner="cosmetic",
    knowledge="the best size of the steps, from earlier data",
    answer=partial(_round, 0.5),
    settings={f"step={step:g}": partial(_round, step) for step in _STEPS},
)

untie_grid = Attack(
    name="untie_grid",
    summary="Breaks ties between scores at random",
    source=_SOURCE,
    kind=Grid,
    manner="cosmetic",
    knowledge="nothing",
    answer=_untie,
)
