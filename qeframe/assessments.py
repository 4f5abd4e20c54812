"""What human judges said of translations, one by one: the human side of a meta-evaluation."""

from __future__ import annotations

import numpy as np
from attrs import frozen

from qeframe.batch import FloatArray, IntArray
from qeframe.errors import DataError

__all__ = ["Assessments"]


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
        _, judge = np.unique(np.array(self.judges), return_inverse=True)
        given = np.isfinite(self.values)
        whose = np.broadcast_to(judge[:, None], given.shape)[given]
        values = self.values[given]
        count = np.bincount(whose)
        centered = values - (np.bincount(whose, values) / np.maximum(count, 1))[whose]
        spread = np.sqrt(np.bincount(whose, centered**2) / np.maximum(count, 1))[whose]
        scores = np.full(self.values.shape, np.nan)
        scores[given] = np.divide(centered, spread, out=np.zeros_like(centered), where=spread > 1e-12)
        return scores

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
