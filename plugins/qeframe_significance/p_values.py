"""The conventions for p-values of sampled and enumerated tests, and p of Student's and of the normal law."""

import numpy as np

from qeframe.plugin import BoolArray, FloatArray, Sided


def at_least(differences: FloatArray, observed: FloatArray, sided: Sided, slack: FloatArray) -> BoolArray:
    """Return which differences, (B, pairs), are at least as extreme as the observed ones, (pairs,).

    An undefined difference counts as extreme. `slack`, (pairs,), is the result of `rounding_slack`.
    """
    if sided == "two":
        differences, observed = np.abs(differences), np.abs(observed)
    # negated, so that an undefined draw counts as extreme
    return ~(differences < observed - slack)


def share(counts: FloatArray, total: int, observed: FloatArray, *, exhaustive: bool = False) -> FloatArray:
    """Return p: count / total if all exchanges were enumerated, else (1 + count) / (1 + total); NaN if undefined."""
    p = counts / total if exhaustive else (1 + counts) / (1 + total)
    return np.where(np.isnan(observed), np.nan, p)


def least_share(total: int, sided: Sided) -> float:
    """Return the smallest p that `total` enumerated exchanges can give.

    Two-sided, every exchange has a reverse that is as extreme: the smallest count is 2.
    """
    return 1 / total if sided == "one" else min(1.0, 2 / total)


def p_of_t(t: FloatArray, freedom: FloatArray | int, sided: Sided) -> FloatArray:
    """Return p of Student's t, one-sided for a large t or two-sided; both would double the time."""
    from scipy.special import stdtr

    return np.asarray(stdtr(freedom, -t) if sided == "one" else 2 * stdtr(freedom, -np.abs(t)))


def p_of_z(z: FloatArray, sided: Sided) -> FloatArray:
    """Return p of a normal score, one-sided for a large one or two-sided."""
    from scipy.special import ndtr

    return np.asarray(ndtr(-z) if sided == "one" else 2 * ndtr(-np.abs(z)))
