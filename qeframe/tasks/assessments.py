"""What human judges said of translations, one by one: the human side of a meta-evaluation."""

from __future__ import annotations

import numpy as np
from attrs import frozen
from numpy.typing import ArrayLike

from qeframe.batches.base import FloatArray, IntArray
from qeframe.errors import DataError

__all__ = ["Assessments", "z_scores"]

_NOISE = 1e-13
"""A judge's scores that spread less, relative to the largest of all, are the same."""


@frozen(kw_only=True, eq=False)
class Assessments:
    """Scores that judges gave to translations of segments, one row a *look*: one judge at one segment, once.

    Parameters
    ----------
    scale : str
        What was asked: "rank", "adequacy", "fluency".
    systems : tuple of str
    segments : (looks,) int64
        The number of the segment.
    judges : tuple of str
        Who looked, one name a look.
    values : (looks, systems) float64
        Higher is better; NaN for a translation that was not judged.

    Raises
    ------
    DataError
        If nothing was judged.
    """

    scale: str
    systems: tuple[str, ...]
    segments: IntArray
    judges: tuple[str, ...]
    values: FloatArray

    def __attrs_post_init__(self) -> None:
        if not np.isfinite(self.values).any():
            raise DataError(f"no translation was judged on the scale '{self.scale}'")

    def standardized(self) -> FloatArray:
        """Return the values as z-scores of their judge, (looks, systems).

        A judge's mean and standard deviation are those of all values that the judge gave; a judge who always gave the
        same has z-scores of 0.
        """
        return z_scores(self.values, self.judges, ddof=0, constant=0.0)

    def pairs(self) -> tuple[IntArray, IntArray]:
        """Return the pairs of looks of different judges at one segment, the positions of both, (pairs,) each."""
        order = np.argsort(self.segments, kind="stable")
        found: list[tuple[int, int]] = []
        for looks in np.split(order, np.flatnonzero(np.diff(self.segments[order])) + 1):
            several = looks.tolist()
            found += [
                (a, b) for i, a in enumerate(several) for b in several[i + 1 :] if self.judges[a] != self.judges[b]
            ]
        table = np.array(found, dtype=np.int64).reshape(-1, 2)
        return table[:, 0], table[:, 1]


def z_scores(values: FloatArray, judges: ArrayLike, *, ddof: int, constant: float) -> FloatArray:
    """Return scores as z-scores of all that their judge gave.

    Parameters
    ----------
    values : (n, ...) float64
        Not finite where there is no score.
    judges : (n,) array_like
        The label of the judge of each row.
    ddof : int
        Standard deviations divide by the number of scores less this.
    constant : float
        What the scores of a judge become who gave one score, or always the same.

    Returns
    -------
    (n, ...) float64
        NaN where there is no score.
    """
    _, judge = np.unique(np.asarray(judges), return_inverse=True)
    given = np.isfinite(values)
    whose = np.broadcast_to(judge.reshape(-1, *[1] * (values.ndim - 1)), values.shape)[given]
    told = values[given]
    count = np.bincount(whose)
    centered = told - (np.bincount(whose, told) / np.maximum(count, 1))[whose]
    spread = np.sqrt(np.bincount(whose, centered**2) / np.maximum(count - ddof, 1))[whose]
    varied = (spread > _NOISE * np.abs(told).max(initial=0.0)) & (count > 1)[whose]
    scores = np.full(values.shape, np.nan)
    scores[given] = np.divide(centered, spread, out=np.full_like(centered, constant), where=varied)
    return scores
