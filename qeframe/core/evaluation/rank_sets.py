"""The ranks that significant differences allow."""

from __future__ import annotations

from qeframe.core.batches.base import BoolArray, IntArray


def rank_sets(better: BoolArray) -> tuple[IntArray, IntArray]:
    """Return the first and the last rank that each submission can have if all significant differences hold.

    `better` (S, S): ``better[i, j]``: i is significantly better than j. Returns `low, high`: low = 1 + the number of
    submissions that are better; high = S less the number of submissions that are worse. If the differences hold
    together with confidence 1 - alpha, so do all ranks.

    References
    ----------
    Mogstad, Romano, Shaikh and Wilhelm (2024), Inference for ranks with applications to mobility across neighbourhoods
    and academic achievement across countries.
    """
    return 1 + better.sum(axis=0), len(better) - better.sum(axis=1)
