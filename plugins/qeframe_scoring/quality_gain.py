"""What a correction gains: the quality of corrected translations less that of the original ones."""

from __future__ import annotations

import numpy as np

from qeframe.plugin import FloatArray, Metric, Scores, additive, mean_of_sums


def _gains(batch: Scores) -> FloatArray:
    return batch.predicted - batch.gold


def _rows(batch: Scores) -> FloatArray:
    gains = _gains(batch)
    return np.stack([np.ones_like(gains), gains], axis=1)


quality_gain = Metric(
    name="quality_gain",
    summary="Mean of the scores of corrected translations less those of the originals; 0 for doing nothing",
    source="WMT25 task 3, quality-informed correction",
    formula=r"\frac{1}{n} \sum_{i=1}^{n} (x_i - y_i)",
    symbols="$x_i$ is the score that a quality metric gives to corrected translation $i$, $y_i$ the score that it "
    "gives to the original one, and $n$ is the number of translations.",
    kind=Scores,
    bind=additive(columns=("units", "gain"), extract=_rows, score=mean_of_sums),
    smooth=True,
    per_unit=_gains,
)
"""The gold is the original, before it was corrected. Higher is better, without a bound; n/a without units.

It is no agreement: nothing holds a correction to the original, and the best of many rewritings by the quality metric
itself has the highest gain. A submission that changes nothing has 0 and beats every editor that does harm.
"""
