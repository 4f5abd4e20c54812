"""The differences of all ordered pairs in all draws, studentized, in blocks of bounded memory."""

from collections.abc import Iterator

import numpy as np

from qeframe.plugin import FloatArray, IntArray
from qeframe.plugin.resampling import bounded_slices

_CELLS = 2**17
"""How many numbers of the differences are worked on at once: they stay in the cache."""

_ARRAYS = 3
"""How many arrays with one number for each draw and pair live at once."""


def ordered_pairs_of(first: IntArray, second: IntArray) -> tuple[IntArray, IntArray]:
    """Return all ordered pairs: the unordered ones as they are given, then each of them reversed."""
    return np.concatenate([first, second]), np.concatenate([second, first])


def spread_of_differences(drawn: FloatArray, first: IntArray, second: IntArray) -> FloatArray:
    """Return the standard deviation over draws (ddof 0) of the differences of pairs, (pairs,).

    `drawn` (B, S): Centered at their means. A draw that is undefined on either side is left out.
    """
    spread = np.empty(len(first))
    by_submission = np.ascontiguousarray(drawn.T)
    undefined = bool(np.isnan(by_submission).any())
    for part in bounded_slices(len(first), _ARRAYS * max(1, len(drawn)), most=_CELLS):
        differences = by_submission[first[part]] - by_submission[second[part]]
        count = np.float64(len(drawn))
        if undefined:
            defined = ~np.isnan(differences)
            count, differences = defined.sum(axis=1), np.where(defined, differences, 0.0)
        total = np.einsum("pb,pb->p", differences, differences)
        spread[part] = np.sqrt(np.divide(total, count, out=np.full(len(total), np.nan), where=count > 0))
    return spread


def studentized_blocks(
    drawn: FloatArray, first: IntArray, second: IntArray, spread: FloatArray
) -> Iterator[FloatArray]:
    """Yield the differences of the pairs over their spread, (b, pairs) each, for blocks of draws.

    `drawn` (B, S): Centered at their means. `spread` (pairs,): positive; a pair whose spread is 0 or NaN is NaN.
    """
    with np.errstate(divide="ignore"):
        factor = np.where(spread > 0, 1 / spread, np.nan)
    for part in bounded_slices(len(drawn), _ARRAYS * max(1, len(first))):
        yield (drawn[part][:, first] - drawn[part][:, second]) * factor
