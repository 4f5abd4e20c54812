"""Ranges of ranks: those that confidence sets or draws leave possible, and how tables write them."""

import math
from collections.abc import Sequence

from qeframe.core.result import ScoredSubmission


def central_ranks(shares: Sequence[float], coverage: float = 0.95) -> tuple[int, int] | None:
    """Return the smallest central range of ranks: each tail outside it holds at most half of the share not covered.

    Parameters
    ----------
    shares : sequence of float
        The share of draws at rank 1, 2, ...
    coverage : float
        The smallest share of draws in the range.

    Returns
    -------
    (int, int) or None
        The first and the last rank; None without draws.
    """
    total = math.fsum(shares)
    if not total > 0:
        return None
    tail = (1 - coverage) / 2 * total * (1 + 1e-9)
    ranks = range(1, len(shares) + 1)
    low = next(r for r in ranks if math.fsum(shares[:r]) > tail)
    high = next(r for r in reversed(ranks) if math.fsum(shares[r - 1 :]) > tail)
    return low, high


def set_or_range(scored: ScoredSubmission) -> tuple[int, int] | None:
    """Return the rank set of a submission, or without one the central range of its ranks in the draws."""
    return scored.rank_set or central_ranks(scored.rank_shares)


def ranks_in_words(ends: tuple[int, int] | None) -> str:
    """Return a range of ranks, a single rank by itself; empty for None."""
    return "" if ends is None else str(ends[0]) if ends[0] == ends[1] else f"{ends[0]}–{ends[1]}"
