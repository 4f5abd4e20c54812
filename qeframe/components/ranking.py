"""The components that plugins bring: frozen values, one class for each hook.

A component has a name and a one-line summary. Where it has parameters, the plugin brings a `Parametric`: a documented
function from keyword parameters to the component, with which ``f_beta(beta=2)`` is found, checked and printed back.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from attrs import frozen

from qeframe.batches.base import BoolArray, FloatArray
from qeframe.components.component import Component

__all__ = ["Ranking", "RankingInput", "RankingRule"]


@frozen(kw_only=True, eq=False)
class RankingInput:
    """What a ranking rule is given.

    Parameters
    ----------
    oriented : (S,) float64
        Scores turned so that higher is better; NaN where undefined.
    better : (S, S) bool
        ``better[i, j]``: i is significantly better than j.
    draws : (B, S) float64, optional
        Goodness in every bootstrap draw.
    """

    oriented: FloatArray
    better: BoolArray
    draws: FloatArray | None = None


@frozen(kw_only=True, eq=False)
class Ranking:
    """What a ranking rule returns, all arrays in the order of the submissions.

    Parameters
    ----------
    rank : (S,) int64
        From 1, equal scores share the smaller number, undefined last.
    cluster : (S,) int64
        From 1; cluster 1 are the winners. Winner rules know clusters 1 and 2 only. 0 where the score is undefined.
    shares : (S, S) float64, optional
        The share of draws in which a submission took each rank.
    """

    rank: np.ndarray[Any, np.dtype[np.int64]]
    cluster: np.ndarray[Any, np.dtype[np.int64]]
    shares: FloatArray | None = None


@frozen(kw_only=True)
class RankingRule(Component):
    """How scores and comparisons become ranks, winners, clusters."""

    rank: Callable[[RankingInput], Ranking]
