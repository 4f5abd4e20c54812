"""The approximate and the exact randomization test: swap the outputs of two submissions unit by unit."""

from collections.abc import Sequence

import numpy as np
from attrs import frozen
from numpy.typing import ArrayLike

from qeframe.plugin import DataError, FloatArray, Sided
from qeframe.plugin.kinds import check_same_length, finite_numbers
from qeframe.plugin.resampling import rounding_slack
from qeframe_significance.p_values import at_least, share


@frozen
class RandomizationResult:
    """The outcome of a randomization test of the difference of two means.

    Parameters
    ----------
    difference : float
        Mean of a minus mean of b.
    count, total : int
        How many exchanges are at least as extreme as the observed difference, and how many there are.
    p : float
    exhaustive : bool
        Whether all exchanges were enumerated, so that p is exact.
    """

    difference: float
    count: int
    total: int
    p: float
    exhaustive: bool


def randomization(
    a: ArrayLike, b: ArrayLike, *, draws: int | Sequence[Sequence[int]] = 1000, sided: Sided = "two", seed: int = 0
) -> RandomizationResult:
    """Test whether two submissions have the same mean by swapping their values unit by unit.

    Parameters
    ----------
    a, b : (n,) array_like
        One value per unit, higher is better.
    draws : int or list of lists of 0 and 1
        How many exchanges are drawn, or the exchanges themselves, in which 1 swaps the unit. If there are not more than
        `draws` exchanges, all 2**n are enumerated.
    sided : {"two", "one"}
        one: for the claim that a is better.
    seed : int
        The seed of the draws.

    Returns
    -------
    RandomizationResult
        p = (1 + count) / (1 + total) when drawn, never 0; count / total when enumerated.

    Raises
    ------
    DataError
        For values that are missing or not numbers, different lengths, or exchanges of a wrong shape.

    References
    ----------
    Noreen (1989); Yeh (2000), More accurate tests for the statistical significance of result differences.
    """
    values_a, values_b = finite_numbers(a, "a", least=1), finite_numbers(b, "b", least=1)
    check_same_length(len(values_a), len(values_b))
    signs, exhaustive = _signs(draws, len(values_a), seed)
    difference = values_a - values_b
    observed = np.array([difference.mean()])
    slack = rounding_slack(values_a.mean(keepdims=True), values_b.mean(keepdims=True))
    exchanged = (signs @ difference / len(difference))[:, None]
    count = at_least(exchanged, observed, sided, slack).sum(axis=0, dtype=np.float64)
    p = share(count, len(signs), observed, exhaustive=exhaustive)
    return RandomizationResult(float(observed[0]), int(count[0]), len(signs), float(p[0]), exhaustive)


def _signs(draws: int | Sequence[Sequence[int]], units: int, seed: int) -> tuple[FloatArray, bool]:
    """Return +1 (kept) and -1 (swapped), (draws, units), and whether they are all exchanges."""
    from qeframe.plugin.resampling import all_masks, exchange_blocks, exchange_masks, seed_key

    if isinstance(draws, int):
        if draws < 1:
            raise DataError(f"draws must be at least 1, not {draws}")
        key = seed_key(np.random.default_rng(seed))
        parts, _, exhaustive = exchange_blocks(key, draws, units, enumerable=True)
        drawn = [
            all_masks(units, part.start, part.start + part.draws) if exhaustive else exchange_masks(part, units)
            for part in parts
        ]
        return 1.0 - 2.0 * np.concatenate(drawn).astype(np.float64), exhaustive
    try:
        masks = np.asarray(draws, dtype=np.float64)
    except (TypeError, ValueError):
        raise DataError("exchanges must be lists of 0 and 1, one entry for each unit") from None
    if masks.ndim != 2 or masks.shape[1] != units or not len(masks) or not np.isin(masks, (0, 1)).all():
        raise DataError(f"exchanges must be lists of {units} entries, 0 or 1")
    return 1.0 - 2.0 * masks, False
