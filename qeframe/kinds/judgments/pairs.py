"""Pairs of systems from rankings and from direct assessments: the input of Kendall's tau and its variants."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import combinations

import numpy as np
from attrs import frozen
from numpy.typing import ArrayLike, NDArray

from qeframe.core.batches.base import FloatArray, IntArray
from qeframe.core.errors import DataError


@frozen(kw_only=True, eq=False)
class PairedSystems:
    """Pairs of systems with a human relation.

    Parameters
    ----------
    source : (pairs,) int64
        The ranking (row) or segment of each pair.
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
        The rank of each system, 1 is best. None or -1 means that the system was not judged.

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
            raise DataError(f"{rank!r} is no rank of '{system}'", remedy="ranks count from 1; -1 means not judged")
    return [(a, b, "<=>"[(judged[a] >= judged[b]) + (judged[a] > judged[b])]) for a, b in combinations(judged, 2)]


def pairs_of_rankings(ranks: ArrayLike, systems: ArrayLike) -> PairedSystems:
    """Return the pairs of many rankings.

    Parameters
    ----------
    ranks : (rankings, k) array_like of int
        1 is best, -1 not judged.
    systems : (rankings, k) array_like of int
        The system of each rank; negative for a system that is left out, such as a reference.

    Returns
    -------
    PairedSystems
        Ranking by ranking, with the columns in order. A pair that was judged twice occurs twice.

    Raises
    ------
    DataError
        If the shapes differ or a rank is neither -1 nor at least 1.
    """
    rank_table, system_table = np.asarray(ranks, dtype=np.int64), np.asarray(systems, dtype=np.int64)
    if rank_table.shape != system_table.shape or rank_table.ndim != 2:
        what = f"length mismatch: ranks of shape {rank_table.shape}, systems of shape {system_table.shape}"
        raise DataError(what, remedy="give two tables of the same shape, one row per ranking")
    if ((rank_table < 1) & (rank_table != -1)).any():
        raise DataError("a rank is below 1", remedy="ranks count from 1; -1 means not judged")
    first, second = np.triu_indices(rank_table.shape[1], 1)
    kept = (rank_table > 0) & (system_table >= 0)
    source, pair = np.nonzero(kept[:, first] & kept[:, second])
    left, right = (source, first[pair]), (source, second[pair])
    human = np.sign(rank_table[right] - rank_table[left]).astype(np.int8)
    return PairedSystems(source=source, left=system_table[left], right=system_table[right], human=human)


def pairs_from_scores(scores: ArrayLike, *, threshold: float = 25.0, strict: bool = False) -> PairedSystems:
    """Return relative rankings from direct assessments (DARR): the pairs of a segment whose scores differ enough.

    Parameters
    ----------
    scores : (segments, systems) array_like
        Raw mean assessments; NaN where there is none.
    threshold : float
        The smallest difference between the scores of a pair.
    strict : bool
        Whether the difference must exceed the threshold, as the papers state. The script of 2020 also takes pairs whose
        difference equals the threshold.

    Returns
    -------
    PairedSystems
        Without ties, also if the threshold is 0.

    References
    ----------
    Metrics tasks 2017-20.
    """
    cells: FloatArray = np.asarray(scores, dtype=np.float64)
    if cells.ndim != 2:
        what = f"assessments must be segments x systems, not of {cells.ndim} dimensions"
        raise DataError(what, remedy="give a table with one row per segment")
    first, second = np.triu_indices(cells.shape[1], 1)
    difference = cells[:, first] - cells[:, second]
    apart = np.abs(difference) > threshold if strict else np.abs(difference) >= threshold
    source, pair = np.nonzero(apart & (difference != 0) & ~np.isnan(difference))
    human = np.sign(difference[source, pair]).astype(np.int8)
    return PairedSystems(source=source, left=first[pair], right=second[pair], human=human)
