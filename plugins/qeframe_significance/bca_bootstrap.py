"""The BCa bootstrap of differences of means, of paired values and of independent ones, for all pairs at once."""

from collections.abc import Iterator, Sequence
from typing import Literal
from zlib import crc32

import numpy as np

from qeframe.plugin import Contest, DataError, FloatArray, IntArray, Pairwise, Sided, SignificanceTest
from qeframe.plugin.resampling import magnitude_of

MOST_DRAWS = 1_000_000
_POOL = 20
"""From how many times the draws of one seed those of a pair are taken."""

_CELLS = 2**22
"""How many drawn values are in memory at the same time."""


def bca_bootstrap(
    *, draws: int = 100, seed: int = 0, replicate: Literal["none", "official"] = "none"
) -> SignificanceTest:
    """Claim that a mean is larger if the lower BCa limit of the difference is above 0; missing values are left out.

    Parameters
    ----------
    draws : int
        How many samples are drawn, of common items and of each side's own.
    seed : int
        The seed of the draws, whatever that of the run is.
    replicate : {"none", "official"}
        none: the difference is that of common items where there are two, and that of independent means elsewhere.
        official: the smaller p of both counts, as in the program of WMT26, which has no seed: it errs more often than
        each of the two.

    Returns
    -------
    SignificanceTest
        One-sided: p is the smallest alpha whose lower limit is above 0, and at least 1 / (1 + draws). The limit of
        equal differences is undefined, and so is that of fewer than two values.

    References
    ----------
    Efron (1987), Better bootstrap confidence intervals; WMT26 general MT task, humeval/02b-analyze_results.py.
    """
    if not 1 <= draws <= MOST_DRAWS:
        raise DataError(f"draws must be from 1 to {MOST_DRAWS}, not {draws}")
    if seed < 0:
        raise DataError(f"seed must be at least 0, not {seed}")

    def over_seeds(contest: Contest, seeds: int) -> FloatArray:
        values, (first, second) = contest.per_unit(), contest.pairs
        # the draws of a pair depend on its values alone, not on the pairs that are tested beside it
        keys = [crc32(np.ascontiguousarray(of).tobytes()) for of in values]
        paired = _paired(values, first, second, draws, seeds, (seed, keys))
        independent = _independent(values, first, second, draws, seeds, (seed, keys))
        if replicate == "official":
            return np.fmin(paired, independent)
        common = (~np.isnan(values[first] - values[second])).sum(axis=1)
        return np.where(common >= 2, paired, independent)

    def run(contest: Contest, sided: Sided) -> Pairwise:
        p = over_seeds(contest, 1)[0]
        undefined = "equal differences, or fewer than two values"
        return Pairwise(p=p, reasons=tuple(undefined if np.isnan(value) else "" for value in p))

    return SignificanceTest(
        name="bca_bootstrap",
        summary="Lower BCa limit of the difference of means, of common items or of all: one-sided, of few draws",
        source="Efron (1987); WMT26 general MT task, human evaluation",
        needs="per_unit",
        run=run,
        null="equal scores",
        sides=("one",),
        least_p=1 / (1 + draws),
        measured="false-positive rate .06 at .05 of normal values, up to .10 of skewed ones; more "
        "where the larger mean is asked for",
        over_seeds=over_seeds,
    )


Keys = tuple[int, Sequence[int]]  # the seed, and a number for the values of each submission


def _paired(values: FloatArray, first: IntArray, second: IntArray, draws: int, seeds: int, keys: Keys) -> FloatArray:
    """Return p (seeds, pairs) of the differences of common items; 1 without a positive one, NaN where undefined."""
    p = np.full((seeds, len(first)), np.nan)
    for pair, (i, j) in enumerate(zip(first, second, strict=True)):
        differences = values[i] - values[j]
        differences = differences[~np.isnan(differences)]
        if len(differences) >= 2:
            if not (differences > 0).any():
                p[:, pair] = 1.0
                continue
            rng = np.random.default_rng([keys[0], *sorted((keys[1][i], keys[1][j]))])
            drawn = _means_of_samples(differences, draws * seeds, rng).reshape(seeds, draws)
            p[:, pair] = _p_of_lower_limit(drawn, differences.mean(), _acceleration([differences]))
    return p


def _independent(
    values: FloatArray, first: IntArray, second: IntArray, draws: int, seeds: int, keys: Keys
) -> FloatArray:
    """Return p (seeds, pairs) of the differences of independent means; NaN where it is undefined.

    The means of each submission are drawn once, so many that the pairs of one seed take others, and those of many seeds
    take them in other orders.
    """
    known = [of[~np.isnan(of)] for of in values]
    pool = draws * max(seeds, _POOL)
    means = [
        _means_of_samples(of, pool, np.random.default_rng([keys[0], key])) if len(of) >= 2 else None
        for of, key in zip(known, keys[1], strict=True)
    ]
    p = np.full((seeds, len(first)), np.nan)
    for pair, (i, j) in enumerate(zip(first, second, strict=True)):
        of_first, of_second = means[i], means[j]
        if of_first is None or of_second is None:
            continue
        # the same draws for the pair in the other order, so that its p is 1 - p
        rng = np.random.default_rng([keys[0], *sorted((keys[1][i], keys[1][j])), 1])
        taken, others = (rng.permutation(pool)[: draws * seeds] for _ in range(2))
        if keys[1][i] > keys[1][j]:
            taken, others = others, taken
        drawn = (of_first[taken] - of_second[others]).reshape(seeds, draws)
        observed = known[i].mean() - known[j].mean()
        p[:, pair] = _p_of_lower_limit(drawn, observed, _acceleration([known[i], -known[j]]))
    return p


def _means_of_samples(values: FloatArray, samples: int, rng: np.random.Generator) -> FloatArray:
    """Return the means of samples with replacement, (samples,)."""
    size = len(values)
    small = np.uint16 if size <= np.iinfo(np.uint16).max else np.int64  # half the time, and a quarter of the memory
    return np.concatenate(
        [
            values[rng.integers(0, size, size=(rows, size), dtype=small)].mean(axis=1)
            for rows in _rows(samples, max(_CELLS // size, 1))
        ]
    )


def _rows(samples: int, most: int) -> Iterator[int]:
    while samples > 0:
        yield min(samples, most)
        samples -= most


def _acceleration(samples: Sequence[FloatArray]) -> float:
    """Return the acceleration of a sum of means; NaN where nothing varies.

    Without its unit i the mean of n values is off by (mean - x_i) / (n - 1), so that the jackknife needs no loop.
    """
    unit = max(float(magnitude_of(values, axis=0)) for values in samples)
    centered = [(values - values.mean()) / unit for values in samples]
    cubes = sum(float((of**3).sum()) / len(of) ** 3 for of in centered)
    squares = sum(float((of**2).sum()) / len(of) ** 2 for of in centered)
    return cubes / squares**1.5 / 6 if squares > 0 else np.nan


def _p_of_lower_limit(drawn: FloatArray, observed: float, acceleration: float) -> FloatArray:
    """Return the smallest alpha whose lower BCa limit is above 0, (seeds,), from draws (seeds, B).

    The limit is the quantile of the draws at the level Phi(z0 + w / (1 - a w)), w = z0 + z_alpha. It is above 0 from
    the level on at which the quantiles, linear between the sorted draws, leave 0; the formula is solved for alpha.
    """
    from scipy.special import ndtr, ndtri

    draws = drawn.shape[1]
    bias = ndtri(((drawn < observed).sum(axis=1) + (drawn <= observed).sum(axis=1)) / (2 * draws))
    positive = drawn > 0
    below = (~positive).sum(axis=1)
    last = np.where(positive, -np.inf, drawn).max(axis=1)
    above = np.where(positive, drawn, np.inf).min(axis=1)
    with np.errstate(all="ignore"):
        level = (below - 1 + -last / (above - last)) / max(draws - 1, 1)
        away = ndtri(level) - bias
        scale = 1 + acceleration * away
        p = np.where(scale > 0, ndtr(away / scale - bias), away > 0)
    p = np.where(below == 0, 0.0, np.where(below == draws, 1.0, p))
    undefined = np.isnan(acceleration) | ~np.isfinite(bias)
    return np.where(undefined, np.nan, np.clip(p, 1 / (1 + draws), 1.0))
