"""Honest chance: the expected score of the gold's own answers given to the units at random."""

from __future__ import annotations

from typing import Any

import numpy as np

from qeframe.core.batches.base import Batch
from qeframe.core.components.batch_kind import BatchKind
from qeframe.core.components.metric import Metric
from qeframe.testing.laws.metric import score


def oriented(metric: Metric, batch: Batch) -> float:
    """Return the score, turned so that higher is better."""
    return score(metric, batch) if metric.higher_is_better else -score(metric, batch)


def expected_oriented_score(metric: Metric, kind: BatchKind, batch: Batch, answers: Any) -> float:
    """Return the mean oriented score of answers over all ways to give them to the units.

    Answers that are given to the units at random are independent of the gold.

    Returns
    -------
    float
        The mean of the defined scores, since an attack with an undefined score has failed; NaN if none is defined.
    """
    assert kind.with_answers is not None
    assert kind.rearrangements is not None
    scores = [oriented(metric, kind.with_answers(batch, given)) for given in kind.rearrangements(batch, answers)]
    defined = [each for each in scores if not np.isnan(each)]
    return float(np.mean(defined)) if defined else np.nan


def honest_chance(metric: Metric, kind: BatchKind, batch: Batch) -> float:
    """Return the mean oriented score of the gold's own answers over all ways to give them to the units."""
    assert kind.gold_answers is not None
    return expected_oriented_score(metric, kind, batch, kind.gold_answers(batch))
