"""Human scores of systems: from comparisons (ratios of wins, expected wins) and from direct assessments."""

from __future__ import annotations

import math
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike

from qeframe.plugin import DataError, FloatArray, IntArray, ratio
from qeframe.plugin.kinds import check_same_length, relations
from qeframe.plugin.readers import z_scores


def count_wins(
    human: ArrayLike, left: ArrayLike, right: ArrayLike, *, systems: int, weights: ArrayLike | None = None
) -> tuple[FloatArray, FloatArray]:
    """Count who won against whom.

    Parameters
    ----------
    human : (n,) array_like
        +1 left better, 0 tie, -1 right better; or the relations ``<=>``.
    left, right : (n,) array_like of int
        Positions of the systems, 0 to ``systems - 1``.
    weights : (..., n) array_like, optional
        The weights of the judgments, for resampling; by default 1.

    Returns
    -------
    wins, ties : (..., systems, systems) float64
        ``wins[i, j]``: how often i was better than j. `ties` is symmetric.

    Raises
    ------
    DataError
        For an invalid sign, an invalid position of a system, and different lengths.
    """
    signs = relations(human)
    a, b = np.asarray(left, dtype=np.int64), np.asarray(right, dtype=np.int64)
    check_same_length(len(signs), len(a), unit="judgments")
    check_same_length(len(signs), len(b), unit="judgments")
    if len(signs) and not (min(a.min(), b.min()) >= 0 and max(a.max(), b.max()) < systems):
        raise DataError(
            f"a judgment names a system outside of the {systems} systems",
            remedy="positions are from 0 to the number of systems less 1",
        )
    weight = np.ones(len(signs)) if weights is None else np.asarray(weights, dtype=np.float64)
    flat = weight.reshape(math.prod(weight.shape[:-1]), len(signs))
    won, tied = np.flatnonzero(signs), np.flatnonzero(signs == 0)
    winner, loser = np.where(signs[won] > 0, (a[won], b[won]), (b[won], a[won]))
    one, other = np.concatenate([a[tied], b[tied]]), np.concatenate([b[tied], a[tied]])
    wins = _tables(flat, won, winner, loser, systems)
    ties = _tables(flat, np.tile(tied, 2), one, other, systems)
    shape = (*weight.shape[:-1], systems, systems)
    return wins.reshape(shape), ties.reshape(shape)


def _tables(weights: FloatArray, judgment: IntArray, row: IntArray, column: IntArray, systems: int) -> FloatArray:
    """Return the weights of judgments summed in their cells, (draws, systems squared)."""
    from scipy.sparse import csr_array

    ones = np.ones(len(judgment))
    cells = csr_array((ones, (judgment, row * systems + column)), shape=(weights.shape[1], systems**2))
    return np.asarray(weights @ cells)


def win_ratio(
    wins: FloatArray, ties: FloatArray | None = None, *, count_ties: Literal["ignore", "half", "win"] = "ignore"
) -> FloatArray:
    """Return the share of comparisons that each system won.

    Parameters
    ----------
    wins, ties : (..., systems, systems) float64
        As `count_wins` returns them; `ties` may be left out where they are ignored.
    count_ties : {"ignore", "half", "win"}
        ignore: neither won nor compared. half: half a win. win: "better or equal", as until 2011.

    Returns
    -------
    (..., systems) float64
        In [0, 1]; NaN for a system without a comparison that counts.

    References
    ----------
    Bojar et al. (2011), A grain of salt for the WMT manual evaluation; metrics tasks 2009-13.
    """
    tied = np.zeros_like(wins) if ties is None else ties
    return ratio_of_wins(wins.sum(axis=-1), wins.sum(axis=-2), tied.sum(axis=-1), count_ties)


def ratio_of_wins(
    won: FloatArray, lost: FloatArray, tied: FloatArray, count_ties: Literal["ignore", "half", "win"]
) -> FloatArray:
    """Return the share of comparisons won, (...), from how many each system won, lost and tied. See `win_ratio`."""
    if count_ties == "ignore":
        return ratio(won, won + lost)
    return ratio(won + tied * {"half": 0.5, "win": 1.0}[count_ties], won + lost + tied)


def expected_wins(wins: FloatArray) -> FloatArray:
    """Return each system's chance to win against another one drawn at random, ties ignored.

    Parameters
    ----------
    wins : (..., systems, systems) float64

    Returns
    -------
    (..., systems) float64
        The mean over opponents of wins / (wins + losses), over those it was compared with; NaN without any.

    References
    ----------
    Koehn (2012), Simulating human judgment in machine translation evaluation campaigns; WMT13 translation task.
    """
    shares = ratio(wins, wins + np.swapaxes(wins, -1, -2))
    met = ~np.isnan(shares)
    return ratio(np.where(met, shares, 0.0).sum(axis=-1), met.sum(axis=-1).astype(np.float64))


def standardize_by_judge(scores: ArrayLike, judges: ArrayLike) -> FloatArray:
    """Return direct assessments as z-scores of each judge's own assessments.

    Parameters
    ----------
    scores : (n,) array_like
        NaN where there is none: it stays NaN and does not count.
    judges : (n,) array_like
        The label of the judge of each assessment.

    Returns
    -------
    (n,) float64
        With the sample standard deviation (n - 1). NaN for judges with one assessment, or with equal ones, which hold
        no information about differences.

    Raises
    ------
    DataError
        For infinite scores and different lengths.

    References
    ----------
    Graham et al. (2013), Continuous measurement scales in human evaluation of machine translation; WMT16-20.
    """
    raw = np.asarray(scores, dtype=np.float64)
    check_same_length(len(raw), len(np.asarray(judges)), unit="assessments")
    if np.isinf(raw).any():
        raise DataError(f"infinite score at position {np.flatnonzero(np.isinf(raw))[0]}", remedy="scores are finite")
    return z_scores(raw, judges, ddof=1, constant=np.nan)
