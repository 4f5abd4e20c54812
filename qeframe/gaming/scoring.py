"""Scores of single answers, and ranks among them."""

from collections.abc import Iterable

import numpy as np

from qeframe.core import metric_calls as checked
from qeframe.core.batch import Batch, BoolArray
from qeframe.core.metric import Metric
from qeframe.core.statistic import Additive, Statistic
from qeframe.gaming.audit_gold import AuditGold
from qeframe.gaming.indices import NO_HEADROOM


def value_of(metric: Metric, batch: Batch) -> float:
    """Return the score of a submission on all units."""
    return float(checked.scores(metric, checked.bind(metric, batch), np.ones(len(batch))))


def oriented(metric: Metric, score: float) -> float:
    """Return a score, turned so that high is good; NaN is worst."""
    return -np.inf if np.isnan(score) else score if metric.higher_is_better else -score


def best_real(metric: Metric, gold: AuditGold) -> list[Batch]:
    """Return the best real submission to a gold; nothing if there is none."""
    real = gold.real.values()
    return [max(real, key=lambda batch: oriented(metric, value_of(metric, batch)))] if real else []


def rank_among(metric: Metric, score: float, others: Iterable[float]) -> int:
    """Return the rank of a score among others: 1 and how many are better by more than rounding."""
    value = oriented(metric, score)
    slack = NO_HEADROOM * max(1.0, abs(score)) if np.isfinite(score) else 0.0
    return 1 + sum(oriented(metric, other) > value + slack for other in others)


def own_scores(metric: Metric, batch: Batch) -> BoolArray:
    """Return which units have a score of their own, (n,); empty if the metric is not additive."""
    return has_own(metric, checked.bind(metric, batch))


def has_own(metric: Metric, statistic: Statistic) -> BoolArray:
    """Return `own_scores` of a metric that is bound already."""
    if not isinstance(statistic, Additive):
        return np.zeros(0, dtype=np.bool_)
    return ~np.isnan(checked.unit_scores(metric, statistic))
