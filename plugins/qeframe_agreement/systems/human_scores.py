"""Human scores of systems: from comparisons (ratios of wins, expected wins, abilities) and from direct assessments."""

import math
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike

from qeframe.plugin import BoolArray, DataError, FloatArray, IntArray, ratio
from qeframe.plugin.kinds import check_same_length, relations
from qeframe.plugin.readers import z_scores
from qeframe.plugin.resampling import bounded_slices

_STEPS = 2000  # the most Newton steps: each one doubles the digits once it is near, and is at most `_LONGEST` before

_NEAR = 1e-8  # a step of this size, relative to 1 and the largest ability, is the last: the next one is near its square

_LONGEST = 1.0
"""The longest step of an ability; steps of the logistic likelihood from equal abilities are longer only far from it."""

_ARRAYS = 6  # how many arrays of one number a draw and pair of systems live at once


def bradley_terry(wins: FloatArray) -> FloatArray:
    """Return the abilities with the highest likelihood: i beats j with probability 1 / (1 + exp(b_j - b_i)).

    Parameters
    ----------
    wins : (..., systems, systems) float64
        How often the row was better than the column; ties do not count.

    Returns
    -------
    (..., systems) float64
        On the scale of log odds, with mean 0 over the systems that were compared; NaN for the others. There is no
        maximum, and all are NaN, if the compared systems fall into two groups of which one never beat the other: a
        system that always wins or always loses, or groups that were not compared. All are also NaN if 2000 steps do
        not reach the maximum, which takes abilities hundreds of log odds apart.

    References
    ----------
    Bradley and Terry (1952), Rank analysis of incomplete block designs; Ford (1957), for when there is a maximum.
    """
    systems = wins.shape[-1]
    flat = np.asarray(wins, dtype=np.float64).reshape(int(np.prod(wins.shape[:-2])), systems, systems)
    abilities = np.full(flat.shape[:2], np.nan)
    for part in bounded_slices(len(flat), _ARRAYS * systems**2):
        compared = (flat[part] + flat[part].swapaxes(1, 2)).sum(axis=2) > 0
        solvable = np.flatnonzero(compared.any(axis=1) & _connected(flat[part] > 0, compared)) + part.start
        chosen = compared[solvable - part.start]
        abilities[solvable] = np.where(chosen, _maximum(flat[solvable], chosen), np.nan)
    return abilities.reshape(wins.shape[:-1])


def _connected(beaten: BoolArray, compared: BoolArray) -> BoolArray:
    """Return whether every compared system has beaten every other one, perhaps through others, (draws,)."""
    systems = beaten.shape[-1]
    reached = (beaten | np.eye(systems, dtype=np.bool_)).astype(np.float64)
    # a square doubles the length of the chains; the identity keeps the shorter ones
    for _ in range(max(1, systems - 1).bit_length()):
        reached = np.minimum(reached @ reached, 1.0)
    needed = compared[:, :, None] & compared[:, None]
    return np.asarray(((reached > 0) | ~needed).all(axis=(1, 2)))


def _maximum(wins: FloatArray, compared: BoolArray) -> FloatArray:
    """Return the abilities, (draws, systems), by Newton steps; those of systems that are not compared are 0.

    Each draw ends by itself, so that its abilities do not depend on the other draws. They are NaN if it does not end.
    """
    abilities = np.zeros(compared.shape)
    left = np.arange(len(wins))
    for _ in range(_STEPS):
        if not len(left):
            break
        step = _newton_step(wins[left], compared[left], abilities[left])
        length = np.abs(step).max(axis=1)
        moved = abilities[left] + step * np.minimum(1.0, _LONGEST / np.maximum(length, 1e-300))[:, None]
        mean = (moved * compared[left]).sum(axis=1, keepdims=True) / compared[left].sum(axis=1, keepdims=True)
        abilities[left] = np.where(compared[left], moved - mean, moved)
        left = left[length > _NEAR * (1 + np.abs(abilities[left]).max(axis=1))]
    # what has not come near in all steps
    abilities[left] = np.nan
    return abilities


def _newton_step(wins: FloatArray, compared: BoolArray, abilities: FloatArray) -> FloatArray:
    """Return the full Newton step of the likelihood, (draws, systems)."""
    met, won = wins + wins.swapaxes(1, 2), wins.sum(axis=2)
    # The likelihood does not change with the mean ability: ones hold the mean at 0, the diagonal holds the others at 0.
    related = compared[:, :, None] & compared[:, None] | np.eye(compared.shape[1], dtype=np.bool_) & ~compared[:, None]
    with np.errstate(over="ignore"):
        odds = 1.0 / (1.0 + np.exp(abilities[:, None] - abilities[:, :, None]))
    slope = won - (met * odds).sum(axis=2)
    curve = met * odds * (1.0 - odds)
    # of the size of the comparisons, so that the matrix is well conditioned
    matrix = -curve + related * np.maximum(met.max(axis=(1, 2)), 1e-300)[:, None, None]
    diagonal = np.einsum("nii->ni", matrix)
    diagonal += curve.sum(axis=2)
    return np.asarray(np.linalg.solve(matrix, slope[..., None])[..., 0])


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
    row, column = np.concatenate([a[tied], b[tied]]), np.concatenate([b[tied], a[tied]])
    wins = _tables(flat, won, winner, loser, systems)
    ties = _tables(flat, np.tile(tied, 2), row, column, systems)
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
