"""Outliers among the systems of 2020: those that the task left out, and the rule that its paper states.

The program of the task takes the outliers of each language pair from a list. The rule of its scripts, applied to the
published scores of systems, does not find the listed outliers: it finds none of cs-en, where two are listed.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

import numpy as np

from qeframe.plugin import FloatArray
from qeframe_wmt.selections.selection import load_selection

Outliers = Literal["keep", "listed", "rule"]

_CUTOFF = 2.5
_CONSISTENT = 1.4826
"""Turns the median absolute deviation of normally distributed scores into their standard deviation."""


def find_outliers(pair: str, systems: Sequence[str], scores: FloatArray, outliers: Outliers) -> list[str]:
    """Return the outliers among the systems of a language pair.

    Parameters
    ----------
    scores : (systems,) float64
        Human scores.
    outliers : {"keep", "listed", "rule"}
        listed: those of the selection wmt20. rule: those more than 2.5 times 1.4826 times the median absolute
        deviation away from the median; if that deviation is 0, all that differ from the median. keep: none.
    """
    if outliers == "listed":
        selected = load_selection("wmt20").of(pair)
        return [name for name in systems if selected is not None and name in selected.outliers]
    if outliers == "keep" or not len(scores):
        return []
    deviation = np.abs(scores - np.median(scores))
    far = deviation > _CUTOFF * _CONSISTENT * np.median(deviation)
    return [name for name, is_far in zip(systems, far, strict=True) if is_far]
