"""Human scores of systems: from comparisons (ratios of wins, expected wins) and from direct assessments."""

from __future__ import annotations

from typing import Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from qeframe.batch import FloatArray, IntArray, same_length
from qeframe.errors import DataError

__all__ = ["count_wins", "expected_wins", "standardize_by_judge", "win_ratio"]


def count_wins(
    human: ArrayLike, left: ArrayLike, right: ArrayLike, *, systems: int, weights: ArrayLike | None = None
) -> tuple[FloatArray, FloatArray]:
    """Count who won against whom.

    Parameters
    ----------
    human : (n,) array_like
        +1 left better, 0 tie, -1 right better.
    left, right : (n,) array_like of int
        Positions of the systems, 0 to ``systems - 1``.
    weights : (..., n) array_like, optional
        Of the judgments, for resampling; by default ones.

    Returns
    -------
    wins, ties : (..., systems, systems) float64
        ``wins[i, j]``: how often i was better than j. `ties` is symmetric.
    """
    signs, a, b = _judged(human, left, right)
    if len(signs) and not (min(a.min(), b.min()) >= 0 and max(a.max(), b.max()) < systems):
        raise DataError(f"a judgement names a system that is none of the {systems}")
    weight = np.ones(len(signs)) if weights is None else np.asarray(weights, dtype=np.float64)
    flat = weight.reshape(-1, len(signs))
    tables = np.zeros((2, len(flat), systems * systems))
    for kind, winner, loser in ((0, a, b), (0, b, a), (1, a, b), (1, b, a)):
        chosen = signs == (0 if kind else (1 if winner is a else -1))
        cell = winner[chosen] * systems + loser[chosen]
        for draw, each in enumerate(flat):
            tables[kind, draw] += np.bincount(cell, weights=each[chosen], minlength=systems * systems)
    wins, ties = tables.reshape(2, *weight.shape[:-1], systems, systems)
    return wins, ties


def _judged(human: ArrayLike, left: ArrayLike, right: ArrayLike) -> tuple[NDArray[np.int8], IntArray, IntArray]:
    """Return signs and positions as arrays of one length."""
    signs = np.asarray(human, dtype=np.int8)
    a, b = np.asarray(left, dtype=np.int64), np.asarray(right, dtype=np.int64)
    same_length(len(signs), len(a), unit="judgments")
    same_length(len(signs), len(b), unit="judgments")
    return signs, a, b


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
    tied = np.zeros_like(wins) if ties is None or count_ties == "ignore" else ties
    gained = wins.sum(axis=-1) + tied.sum(axis=-1) * {"ignore": 0.0, "half": 0.5, "win": 1.0}[count_ties]
    compared = (wins + np.swapaxes(wins, -1, -2) + tied).sum(axis=-1)
    return _share(gained, compared)


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
    shares = _share(wins, wins + np.swapaxes(wins, -1, -2))
    met = ~np.isnan(shares)
    return _share(np.where(met, shares, 0.0).sum(axis=-1), met.sum(axis=-1).astype(np.float64))


def standardize_by_judge(scores: ArrayLike, judges: ArrayLike) -> FloatArray:
    """Return direct assessments as z-scores of each judge's own assessments.

    Parameters
    ----------
    scores : (n,) array_like
    judges : (n,) array_like
        The label of the judge of each assessment.

    Returns
    -------
    (n,) float64
        With the sample standard deviation (n - 1). NaN for judges who gave one assessment, or always the same: they
        say nothing about differences.

    References
    ----------
    Graham et al. (2013), Continuous measurement scales in human evaluation of machine translation; WMT16-20.
    """
    raw = np.asarray(scores, dtype=np.float64)
    _, judge = np.unique(np.asarray(judges), return_inverse=True)
    same_length(len(raw), len(judge), unit="assessments")
    count = np.bincount(judge).astype(np.float64)
    centred = raw - (np.bincount(judge, weights=raw) / count)[judge]
    spread = np.sqrt(np.bincount(judge, weights=centred**2) / np.maximum(count - 1, 1))
    varied = (spread > 1e-13 * np.abs(raw).max(initial=0.0)) & (count > 1)
    return np.divide(centred, spread[judge], out=np.full_like(raw, np.nan), where=varied[judge])


def _share(part: FloatArray, whole: FloatArray) -> FloatArray:
    return np.divide(part, whole, out=np.full(part.shape, np.nan), where=whole > 0)
