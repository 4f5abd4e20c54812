"""The result of a significance test for all pairs, and functions over the differences of pairs."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Literal

import numpy as np
from attrs import field, frozen

from qeframe.core.batches.base import BoolArray, FloatArray, IntArray

Pairs = tuple[IntArray, IntArray]
"""The positions of both submissions of every pair, (pairs,) each."""
Scheme = Literal["multinomial", "poisson"]
IsExtreme = Callable[[FloatArray, slice], BoolArray]
"""A function that finds extreme differences: from differences (b, p) and the slice of their pairs to bool (b, p)."""


@frozen(kw_only=True, eq=False)
class Pairwise:
    """The result of a test for every pair.

    Parameters
    ----------
    p : (pairs,) float64
        NaN where the test is undefined.
    statistic : (pairs,) float64, optional
        The test statistic, positive when the first submission of the pair is better.
    least_p : float, optional
        The smallest p that is possible on these data, for the side that was asked for: 2 / 2**n two-sided where all
        2**n exchanges were enumerated, since each has an opposite one. None: that of the test.
    reasons : (pairs,) sequence of str, optional
        Why the test is undefined for each pair; empty text where it is defined.
    p_of : mapping of str to (pairs,) float64
        By the tests of which p is the largest, the p of each; NaN where it is undefined. Empty for a test of one p.

    Examples
    --------
    >>> import numpy as np
    >>> from qeframe.plugin import Pairwise
    >>> Pairwise(p=np.array([0.03, np.nan]), reasons=("", "the scores are equal")).reasons
    ('', 'the scores are equal')
    """

    p: FloatArray
    statistic: FloatArray | None = None
    least_p: float | None = None
    reasons: Sequence[str] = ()
    p_of: Mapping[str, FloatArray] = field(factory=dict)


def ordered_pairs(oriented: FloatArray, *, as_given: bool = False, compared_with_all: int | None = None) -> Pairs:
    """Return every unordered pair once, the better first.

    `oriented` (S,).
    `as_given`: whether the first submission of a pair is the one that comes first in `oriented`.
    `compared_with_all`: the submission of which every pair has one side: its pairs are a family of their own. None: all
    pairs.

    Returns `first, second`: equal scores are in the given order, undefined ones last. The order goes by the exact
    scores: which of two that differ by rounding is first says nothing, and tests call them equal.
    """
    order = np.arange(len(oriented))
    if not as_given:
        order = np.lexsort((order, -np.nan_to_num(oriented, nan=-np.inf)))
    first, second = (order[side] for side in np.triu_indices(len(order), 1))
    if compared_with_all is None:
        return first, second
    with_it = (first == compared_with_all) | (second == compared_with_all)
    return first[with_it], second[with_it]


def select_pairs(differences: FloatArray, pairs: Pairs, wanted: Pairs) -> FloatArray | None:
    """Return the differences of wanted pairs from those of `pairs`, (draws, pairs) both; None if one is not among them.

    A pair is found in either order.
    """
    if wanted is pairs:  # all of them in their order: no copy is made
        return differences
    submissions = 1 + max(int(side.max(initial=0)) for side in (*pairs, *wanted))
    column, sign = np.full((submissions, submissions), -1), np.ones((submissions, submissions))
    column[pairs] = column[pairs[::-1]] = np.arange(len(pairs[0]))
    sign[pairs[::-1]] = -1.0
    chosen = column[wanted]
    return sign[wanted] * differences[:, chosen] if chosen.min(initial=0) >= 0 else None
