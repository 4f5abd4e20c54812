"""Honest chance: what the gold's own answers score if they are given to other units."""

from __future__ import annotations

from typing import Any

import numpy as np

from qeframe.batches.base import Batch
from qeframe.components.metric import Metric
from qeframe.testing.kinds.materials import Material
from qeframe.testing.laws.metric import score

__all__ = ["expected_oriented_score", "honest_chance", "oriented"]


def oriented(metric: Metric, batch: Batch) -> float:
    """Return the score, turned so that higher is better."""
    return score(metric, batch) if metric.higher_is_better else -score(metric, batch)


def expected_oriented_score(metric: Metric, material: Material, batch: Batch, answers: Any) -> float:
    """Return the mean oriented of answers over all ways to give them to the units: they then know nothing of the gold.

    Returns
    -------
    float
        Over the defined ones (an attack whose score is undefined has failed); NaN if there is none.
    """
    assert material.answer is not None
    assert material.turned is not None
    scores = [oriented(metric, material.answer(batch, given)) for given in material.turned(batch, answers)]
    defined = [each for each in scores if not np.isnan(each)]
    return float(np.mean(defined)) if defined else np.nan


def honest_chance(metric: Metric, material: Material, batch: Batch) -> float:
    """Return the mean oriented of the gold's own answers over all ways to give them to the units."""
    assert material.own is not None
    return expected_oriented_score(metric, material, batch, material.own(batch))
