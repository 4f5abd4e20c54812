"""Soft pairwise accuracy: whether human and metric believe a difference of two systems to the same degree."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache, partial
from typing import Literal

import numpy as np
from attrs import frozen
from numpy.typing import NDArray

from qeframe.batch import FloatArray
from qeframe.components import Metric
from qeframe.errors import DataError
from qeframe.grid import Grid
from qeframe_agreement.pairing import flatten_draws
from qeframe_agreement.swaps import stacked_exchange

__all__ = ["spa", "system_p_values"]

Replicate = Literal["none", "official"]
_SLACK = 1e-12
_STREAM = np.uint64(0x5350412D71656672)
_STEP = np.uint64(0x9E3779B97F4A7C15)
_MOST_CELLS = 2**22


def _scramble(x: NDArray[np.uint64]) -> NDArray[np.uint64]:
    """Return 64 mixed bits for each number (the finalizer of SplitMix64)."""
    with np.errstate(over="ignore"):
        x = x + _STEP
        x = (x ^ (x >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
        x = (x ^ (x >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return x ^ (x >> np.uint64(31))


@lru_cache(maxsize=8)
def _keyed_signs(ids: bytes, draws: int) -> FloatArray:
    """Return signs, (draws, n), that depend on the draw and on the id of the item alone; the second half negates."""
    half = (draws + 1) // 2
    keys = _scramble(np.frombuffer(ids, dtype=np.int64).astype(np.uint64) ^ _STREAM)
    words = np.arange(1, half // 64 + 2, dtype=np.uint64)[:, None]
    with np.errstate(over="ignore"):
        bits = _scramble(keys + words * _STEP)
    positions = np.arange(64, dtype=np.uint64)[:, None]
    drawn = ((bits[:, None, :] >> positions) & np.uint64(1)).reshape(-1, len(keys))[:half]
    signs = 1.0 - 2.0 * drawn.astype(np.float64)
    signs.setflags(write=False)
    return signs


@lru_cache(maxsize=8)
def _official_signs(items: int, draws: int) -> FloatArray:
    """Return the signs of the official program, which depend on the order of the items."""
    signs = np.rint(np.random.default_rng(4).random((draws, items), dtype=np.float32)) * 2.0 - 1.0
    signs.setflags(write=False)
    return signs.astype(np.float64)


def system_p_values(scores: FloatArray, signs: FloatArray, *, official: bool = False) -> FloatArray:
    """Return one-sided p-values of all pairs of systems, the first one better, under exchanges of segments.

    Parameters
    ----------
    scores : (metrics, systems, n) float64
        Weighted segment scores.
    signs : (draws, n) float64
        +1 kept, -1 swapped. Unless official every draw stands for its negation too.
    official : bool
        Count draws at least as large as the observed difference. Else those that are level with it count half, and
        the p-values of both directions sum to 1.

    Returns
    -------
    (metrics, pairs) float64
        In [0, 1]; identical systems .5, officially 1.
    """
    metrics, systems, items = scores.shape
    first, second = np.triu_indices(systems, 1)
    centred = scores - scores.mean(axis=1, keepdims=True) if systems else scores
    observed = centred.sum(axis=2)
    difference = observed[:, first] - observed[:, second]
    slack = _SLACK * np.maximum(np.abs(centred).sum(axis=2).max(axis=1, initial=0.0), 1e-300)[:, None]
    draws = (signs @ centred.reshape(-1, items).T).reshape(len(signs), metrics, systems)
    null = draws[:, :, first] - draws[:, :, second]
    if official:
        return np.asarray((null >= difference - slack).mean(axis=0))
    above = (null > difference + slack).sum(axis=0) + (null < -difference - slack).sum(axis=0)
    level = (np.abs(null - difference) <= slack).sum(axis=0) + (np.abs(null + difference) <= slack).sum(axis=0)
    return np.asarray((above + level / 2) / (2 * len(signs)))


@frozen(eq=False)
class SoftAccuracy:
    """Soft pairwise accuracy as a statistic.

    Parameters
    ----------
    gold, predicted : (systems, n) float64
        0 in items that are left out.
    complete : (n,) bool
        Items of which both sides have every cell; the others are left out.
    ids : bytes
        The ids of the items, which the signs are keyed by.
    """

    gold: FloatArray
    predicted: FloatArray
    complete: NDArray[np.bool_]
    ids: bytes
    draws: int
    official: bool
    units: int
    unit: str

    def __call__(self, weights: FloatArray) -> FloatArray:
        return SoftAccuracy.jointly([self])(weights)[..., 0]

    @property
    def signs(self) -> FloatArray:
        """(draws, n): +1 kept, -1 swapped."""
        if not self.official:
            return _keyed_signs(self.ids, self.draws)
        signs = np.ones((self.draws, self.units))
        signs[:, self.complete] = _official_signs(int(self.complete.sum()), self.draws)
        return signs

    @staticmethod
    def jointly(statistics: Sequence[SoftAccuracy]) -> Callable[[FloatArray], FloatArray]:
        """Return all scores as one function, the gold and the signs shared by those that have the same."""
        return _Together(tuple(statistics))


@frozen(eq=False)
class _Together:
    statistics: tuple[SoftAccuracy, ...]

    def __call__(self, weights: FloatArray) -> FloatArray:
        flat = flatten_draws(weights)
        alike: dict[tuple[bytes, bytes, int, bool], list[int]] = {}
        for i, one in enumerate(self.statistics):
            alike.setdefault((one.gold.tobytes(), one.complete.tobytes(), one.draws, one.official), []).append(i)
        scores = np.empty((len(flat), len(self.statistics)))
        for places in alike.values():
            chosen = [self.statistics[i] for i in places]
            for draw, each in enumerate(flat):
                scores[draw, places] = _soft(chosen, each)
        return scores.reshape(*weights.shape[:-1], len(self.statistics))


def _soft(statistics: Sequence[SoftAccuracy], weights: FloatArray) -> FloatArray:
    """Return the scores of statistics with the same gold, (m,)."""
    one = statistics[0]
    if len(one.gold) < 2 or not (weights[one.complete] > 0).any():
        return np.full(len(statistics), np.nan)
    signs, width = one.signs, max(1, _MOST_CELLS // (one.draws * len(one.gold) ** 2))
    gold = system_p_values(one.gold[None] * weights, signs, official=one.official)
    scores = np.empty(len(statistics))
    for start in range(0, len(statistics), width):
        some = np.stack([each.predicted for each in statistics[start : start + width]])
        apart = np.abs(system_p_values(some * weights, signs, official=one.official) - gold)
        scores[start : start + width] = 1.0 - apart.mean(axis=1)
    return scores


def _bind(draws: int, official: bool, batch: Grid) -> SoftAccuracy:
    complete: NDArray[np.bool_] = np.logical_and.reduce(batch.present, axis=1)
    gold, predicted = (np.where(complete[:, None], side, 0.0).T for side in (batch.gold, batch.predicted))
    return SoftAccuracy(
        np.ascontiguousarray(gold),
        np.ascontiguousarray(predicted),
        complete,
        batch.ids.astype(np.int64).tobytes(),
        draws,
        official,
        len(batch),
        batch.unit,
    )


def spa(*, permutations: int = 1000, replicate: Replicate = "none") -> Metric:
    """Soft pairwise accuracy: 1 minus the mean distance of human and metric p-values over all pairs of systems.

    Parameters
    ----------
    permutations : int
        How many exchanges of segments the p-values are read from, the same for all pairs, humans and metrics. They
        are keyed by the ids of the segments: the order of segments and systems does not matter. Each one is used with
        its opposite, so that p-values do not depend on which system of a pair stands first.
    replicate : {"none", "official"}
        official: the random numbers of the official program and its p-values, with draws level with the observed
        difference counted in full, for pairs in the order given. The value then depends on the order of segments, and
        on that of systems where differences are level.

    Returns
    -------
    Metric
        On `Grid`, in [0, 1]. Only segments are used of which both sides have every cell; undefined (NaN) without any,
        or with fewer than two systems.

    References
    ----------
    Thompson et al. (2024), Improving statistical significance in human evaluation of automatic metrics via soft
    pairwise accuracy; metrics tasks 2024-25.
    """
    if permutations < 1:
        raise DataError(f"permutations must be at least 1, not {permutations}")
    bind = partial(_bind, permutations, replicate == "official")
    return Metric(
        name="spa",
        summary="Soft pairwise accuracy of systems: agreement of p-values; undefined below two systems",
        source="Thompson et al. (2024); metrics tasks 2024-25",
        kind=Grid,
        bind=bind,
        exchange=partial(stacked_exchange, bind),
        bounds=(0.0, 1.0),
    )
