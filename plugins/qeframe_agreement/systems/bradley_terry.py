"""Abilities of systems after Bradley and Terry, from who beat whom, for many draws at once."""

from __future__ import annotations

import numpy as np

from qeframe.plugin import BoolArray, FloatArray
from qeframe.plugin.resampling import bounded_slices

_STEPS = 2000
"""The most Newton steps: each one doubles the digits once it is near, and is at most `_LONGEST` before."""

_NEAR = 1e-8
"""A step of this size, relative to 1 and the largest ability, is the last: the next one is near its square."""

_LONGEST = 1.0
"""The longest step of an ability; steps of the logistic likelihood from equal abilities are longer only far from it."""

_ARRAYS = 6
"""How many arrays of one number a draw and pair of systems live at once."""


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
    matrix = -curve + related * np.maximum(met.max(axis=(1, 2)), 1e-300)[:, None, None]
    diagonal = np.einsum("nii->ni", matrix)
    diagonal += curve.sum(axis=2)
    return np.asarray(np.linalg.solve(matrix, slope[..., None])[..., 0])
