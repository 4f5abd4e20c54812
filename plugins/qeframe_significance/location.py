"""Tests of location on one value a unit: Student's and Welch's t-test, Wilcoxon's signed ranks."""

from __future__ import annotations

import numpy as np
from attrs import frozen
from numpy.typing import ArrayLike

from qeframe.batch import FloatArray, numbers, same_length
from qeframe.components import Sided
from qeframe_significance.p_values import tolerance

__all__ = ["TestResult", "t_of_samples", "t_test", "wilcoxon", "wilcoxon_p"]


@frozen
class TestResult:
    """A test statistic, positive when a is larger, and its p-value."""

    __test__ = False

    statistic: float
    p: float


def t_test(a: ArrayLike, b: ArrayLike, *, welch: bool = False, sided: Sided = "two") -> TestResult:
    """Compare the means of two independent samples.

    Parameters
    ----------
    a, b : (n,), (m,) array_like
        Independent samples: results of repeated experiments, not two answers to the same units.
    welch : bool
        Do not assume equal variances.
    sided : {"two", "one"}
        one: for the claim that a is larger.

    Returns
    -------
    TestResult
        NaN for fewer than two values on a side. Without any variance: equal means give t 0 and p 1 (one-sided .5),
        different means an infinite t and p 0 (one-sided: or 1).

    References
    ----------
    Student (1908); Welch (1947). Used by Logacheva et al. (2016) after repeated sampling.
    """
    t, p = t_of_samples(numbers(a, "a", least=1)[None], numbers(b, "b", least=1)[None], welch=welch, sided=sided)
    return TestResult(float(t[0]), float(p[0]))


def t_of_samples(a: FloatArray, b: FloatArray, *, welch: bool, sided: Sided) -> tuple[FloatArray, FloatArray]:
    """Return t and p for every row of two matrices of samples, (pairs, n) and (pairs, m)."""
    from scipy.special import stdtr

    n, m = a.shape[1], b.shape[1]
    if min(n, m) < 2:
        return np.full(len(a), np.nan), np.full(len(a), np.nan)
    mean_a, mean_b = a.mean(axis=1), b.mean(axis=1)
    squares_a, squares_b = _squares(a), _squares(b)
    with np.errstate(divide="ignore", invalid="ignore"):
        if welch:
            share_a, share_b = squares_a / (n - 1) / n, squares_b / (m - 1) / m
            variance = share_a + share_b
            freedom = variance**2 / (share_a**2 / (n - 1) + share_b**2 / (m - 1))
        else:
            variance = (squares_a + squares_b) / (n + m - 2) * (1 / n + 1 / m)
            freedom = np.full(len(a), float(n + m - 2))
        equal = np.abs(mean_a - mean_b) <= tolerance(mean_a, mean_b)
        difference = np.where(equal, 0.0, mean_a - mean_b)
        t = np.where(difference == 0, 0.0, difference / np.sqrt(variance))
    freedom = np.where(np.isfinite(freedom), freedom, 1.0)
    return t, stdtr(freedom, -t) if sided == "one" else 2 * stdtr(freedom, -np.abs(t))


def _squares(values: FloatArray) -> FloatArray:
    """Return the sums of squared deviations, exactly 0 for a constant sample."""
    shifted = values - values[:, :1]
    squares: FloatArray = ((shifted - shifted.mean(axis=1, keepdims=True)) ** 2).sum(axis=1)
    return squares


def wilcoxon(a: ArrayLike, b: ArrayLike, *, sided: Sided = "two") -> TestResult:
    """Compare paired values by Wilcoxon's signed ranks (scipy's, zero differences left out).

    Parameters
    ----------
    a, b : (n,) array_like
        One value a unit, higher is better.
    sided : {"two", "one"}
        one: for the claim that a is better.

    Returns
    -------
    TestResult
        The statistic is the rank sum of the positive differences minus that of the negative ones. All differences
        zero: statistic 0, p 1.

    References
    ----------
    Wilcoxon (1945). Used between metrics by Turian et al. (2003).
    """
    values_a, values_b = numbers(a, "a", least=1), numbers(b, "b", least=1)
    same_length(len(values_a), len(values_b))
    statistic, p = wilcoxon_p((values_a - values_b)[None], sided=sided)
    return TestResult(float(statistic[0]), float(p[0]))


def wilcoxon_p(differences: FloatArray, *, sided: Sided) -> tuple[FloatArray, FloatArray]:
    """Return the signed rank sum and p for every row of (pairs, n) differences."""
    from scipy.stats import wilcoxon as signed_ranks

    statistic, p = np.zeros(len(differences)), np.ones(len(differences))
    some = (differences != 0).any(axis=1)
    if some.any():
        chosen = differences[some]
        greater = signed_ranks(chosen, axis=1, alternative="greater")
        size = (chosen != 0).sum(axis=1)
        statistic[some] = 2 * greater.statistic - size * (size + 1) / 2
        p[some] = greater.pvalue if sided == "one" else signed_ranks(chosen, axis=1).pvalue
    return statistic, p
