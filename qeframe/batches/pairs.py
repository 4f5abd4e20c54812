"""Pairs of systems from rankings and from direct assessments: what the Kendall family is computed on."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import combinations

import numpy as np
from attrs import frozen
from numpy.typing import ArrayLike, NDArray

from qeframe.batches.base import FloatArray, IntArray
from qeframe.errors import DataError

__all__ = ["PairedSystems", "pairs_from_ranks", "pairs_from_scores", "pairs_of_rankings"]


@frozen(kw_only=True, eq=False)
class PairedSystems:
    """Pairs of systems that were compared.

    Parameters
    ----------
    source : (pairs,) int64
        The ranking (row) or segment that each pair is from.
    left, right : (pairs,) int64
        The positions of the systems.
    human : (pairs,) int8
        +1 left better, 0 tie, -1 right better.
    """

    source: IntArray
    left: IntArray
    right: IntArray
    human: NDArray[np.int8]


def pairs_from_ranks(ranks: Mapping[str, int | None]) -> list[tuple[str, str, str]]:
    """Return the pairs of one ranking, in the order of its systems.

    Parameters
    ----------
    ranks : mapping of str to int
        The rank of each system, 1 is best; None or -1 where it was not judged.

    Returns
    -------
    list of (str, str, str)
        Left, right, and ``<`` (left better), ``=`` or ``>``; empty for fewer than two judged systems.

    Raises
    ------
    DataError
        If a rank is neither missing nor a whole number of at least 1.
    """
    judged = {system: rank for system, rank in ranks.items() if rank is not None and rank != -1}
    for system, rank in judged.items():
        if isinstance(rank, bool) or not isinstance(rank, (int, np.integer)) or rank < 1:
            raise DataError(f"rank {rank!r} of '{system}' is none", remedy="ranks count from 1; -1 means not judged")
    return [(a, b, "<=>"[(judged[a] >= judged[b]) + (judged[a] > judged[b])]) for a, b in combinations(judged, 2)]


def pairs_of_rankings(ranks: ArrayLike, systems: ArrayLike) -> PairedSystems:
    """Return the pairs of many rankings at once.

    Parameters
    ----------
    ranks : (rankings, k) array_like of int
        1 is best, -1 not judged.
    systems : (rankings, k) array_like of int
        Which system each rank is of; negative for one that is left out, such as a reference.

    Returns
    -------
    PairedSystems
        Ranking after ranking, columns in order. The same pair judged twice counts twice.

    Raises
    ------
    DataError
        If the shapes differ or a rank is neither -1 nor at least 1.
    """
    places, names = np.asarray(ranks, dtype=np.int64), np.asarray(systems, dtype=np.int64)
    if places.shape != names.shape or places.ndim != 2:
        raise DataError(f"length mismatch: ranks of shape {places.shape}, systems of shape {names.shape}")
    if ((places < 1) & (places != -1)).any():
        raise DataError("a rank is below 1", remedy="ranks count from 1; -1 means not judged")
    first, second = np.triu_indices(places.shape[1], 1)
    kept = (places > 0) & (names >= 0)
    source, pair = np.nonzero(kept[:, first] & kept[:, second])
    left, right = (source, first[pair]), (source, second[pair])
    human = np.sign(places[right] - places[left]).astype(np.int8)
    return PairedSystems(source=source, left=names[left], right=names[right], human=human)


def pairs_from_scores(scores: ArrayLike, *, threshold: float = 25.0, strict: bool = False) -> PairedSystems:
    """Return relative rankings from direct assessments (DARR): the pairs of a segment that are far enough apart.

    Parameters
    ----------
    scores : (segments, systems) array_like
        Raw mean assessments, NaN where there is none.
    threshold : float
        How far apart the scores of a pair are at least.
    strict : bool
        Farther than the threshold, as the papers say; the script of 2020 took pairs exactly at it too.

    Returns
    -------
    PairedSystems
        Without ties unless the threshold is 0 (ties are left out then too).

    References
    ----------
    Metrics tasks 2017-20.
    """
    cells: FloatArray = np.asarray(scores, dtype=np.float64)
    if cells.ndim != 2:
        raise DataError(f"assessments must be segments x systems, not of {cells.ndim} dimensions")
    first, second = np.triu_indices(cells.shape[1], 1)
    difference = cells[:, first] - cells[:, second]
    apart = np.abs(difference) > threshold if strict else np.abs(difference) >= threshold
    source, pair = np.nonzero(apart & (difference != 0) & ~np.isnan(difference))
    human = np.sign(difference[source, pair]).astype(np.int8)
    return PairedSystems(source=source, left=first[pair], right=second[pair], human=human)
