"""Aggregation over language pairs by rank: the share of systems that are better."""

from __future__ import annotations

import numpy as np

from qeframe.plugin import Aggregation, FloatArray
from qeframe_aggregations.within import weighted_mean


def _share_better(scores: FloatArray, weights: FloatArray, higher_is_better: bool) -> FloatArray:
    shares = np.full(scores.shape, np.nan)
    for part in range(scores.shape[-1]):  # one task at a time, to save memory
        column = scores[..., part] if higher_is_better else -scores[..., part]
        taking_part = (~np.isnan(column)).sum(axis=-1, keepdims=True)
        better = (column[..., None, :] > column[..., :, None]).sum(axis=-1)
        share = np.divide(better, taking_part, out=np.zeros(column.shape), where=taking_part > 0)
        shares[..., part] = np.where(np.isnan(column), np.nan, share)
    return weighted_mean(shares, weights, undefined="drop")


share_better = Aggregation(
    name="share_better",
    summary="Mean over the tasks of a system of the share of systems with a higher score; lower is better",
    source="WMT26 general MT task, global order of systems",
    aggregate=_share_better,
    linear=False,
    higher_is_better=False,
)
"""Tasks in which a system does not take part are left out of its mean."""
