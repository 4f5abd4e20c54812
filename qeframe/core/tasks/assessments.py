"""Scores that human judges gave to single translations: the human side of a meta-evaluation."""

from __future__ import annotations

import numpy as np
from attrs import frozen
from numpy.typing import ArrayLike

from qeframe.core.batches.base import FloatArray, IntArray
from qeframe.core.errors import DataError

_NOISE = 1e-13
"""The scores of a judge count as equal if they spread less than this, relative to the largest score of all."""


@frozen(kw_only=True, eq=False)
class Assessments:
    """Scores that judges gave to translations of segments, one row for each *look*.

    A look is one judge scoring the translations of one segment once.

    Parameters
    ----------
    scale : str
        What the judges scored: "rank", "adequacy", "fluency".
    systems : tuple of str
    segments : (looks,) int64
        The number of the segment of every look.
    judges : tuple of str
        The judge of every look.
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

        The mean and the standard deviation of a judge are those of all values that the judge gave. A judge whose values
        are all equal has z-scores of 0.
        """
        return z_scores(self.values, self.judges, ddof=0, constant=0.0)

    def pairs(self) -> tuple[IntArray, IntArray]:
        """Return the pairs of looks of different judges at the same segment: the positions of both, (pairs,) each."""
        order = np.argsort(self.segments, kind="stable")
        pairs: list[tuple[int, int]] = []
        for of_segment in np.split(order, np.flatnonzero(np.diff(self.segments[order])) + 1):
            looks = of_segment.tolist()
            pairs += [(a, b) for i, a in enumerate(looks) for b in looks[i + 1 :] if self.judges[a] != self.judges[b]]
        table = np.array(pairs, dtype=np.int64).reshape(-1, 2)
        return table[:, 0], table[:, 1]


@frozen(kw_only=True, eq=False)
class TranslationScores:
    """One human score for every translation of a segment, from which judgments of pairs were made.

    Parameters
    ----------
    systems : tuple of str
        In the order in which the judgments count them.
    segments : tuple of str
        The labels that the grouping "segment" of the judgments has.
    cells : (segments, systems) float64
        Higher is better; NaN for a translation without a score.
    """

    systems: tuple[str, ...]
    segments: tuple[str, ...]
    cells: FloatArray


def z_scores(values: FloatArray, judges: ArrayLike, *, ddof: int, constant: float) -> FloatArray:
    """Standardize scores by the mean and the standard deviation of all scores of their judge.

    Parameters
    ----------
    values : (n, ...) float64
        Not finite where there is no score.
    judges : (n,) array_like
        The label of the judge of each row.
    ddof : int
        Standard deviations divide by the number of scores minus `ddof`.
    constant : float
        The result for a judge who gave a single score, or equal scores only.

    Returns
    -------
    (n, ...) float64
        NaN where there is no score.
    """
    _, judge = np.unique(np.asarray(judges), return_inverse=True)
    scored = np.isfinite(values)
    judge_of = np.broadcast_to(judge.reshape(-1, *[1] * (values.ndim - 1)), values.shape)[scored]
    scores = values[scored]
    count = np.bincount(judge_of)
    centered = scores - (np.bincount(judge_of, scores) / np.maximum(count, 1))[judge_of]
    spread = np.sqrt(np.bincount(judge_of, centered**2) / np.maximum(count - ddof, 1))[judge_of]
    varied = (spread > _NOISE * np.abs(scores).max(initial=0.0)) & (count > 1)[judge_of]
    standardized = np.full(values.shape, np.nan)
    standardized[scored] = np.divide(centered, spread, out=np.full_like(centered, constant), where=varied)
    return standardized
