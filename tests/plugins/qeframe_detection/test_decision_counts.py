"""Measures of counts where a side has only one class."""

import numpy as np
import pytest

from qeframe.plugin import Detections
from qeframe.plugin.resampling import ExchangeByWeights, RecomputedExchange
from qeframe_detection import auroc
from qeframe_detection.decision_counts import MEASURES, top_hits
from qeframe_detection.thresholds import BindCrossFitted

NONE, PERFECT, ALL_POSITIVE, ALL_NEGATIVE = [0, 0, 0, 0], [2, 0, 0, 3], [2, 3, 0, 0], [0, 0, 2, 3]
NO_POSITIVE, ONLY_POSITIVE = [0, 1, 0, 4], [3, 0, 2, 0]


@pytest.mark.parametrize(
    ("measure", "expected"),
    [
        ("mcc", [np.nan, 1, 0, 0, np.nan, np.nan]),
        ("kappa", [np.nan, 1, 0, 0, np.nan, np.nan]),
        ("precision", [np.nan, 1, 0.4, 0, 0, 1]),
        ("recall", [np.nan, 1, 1, 0, np.nan, 0.6]),
        ("f1", [np.nan, 1, 4 / 7, 0, np.nan, 0.75]),
    ],
)
def test_degenerate_counts(measure, expected):
    counts = np.array([NONE, PERFECT, ALL_POSITIVE, ALL_NEGATIVE, NO_POSITIVE, ONLY_POSITIVE], dtype=np.float64)
    assert MEASURES[measure](counts) == pytest.approx(expected, nan_ok=True)


def test_large_counts_do_not_overflow():
    counts = np.array([1e15, 1e15, 1e15, 1e15])
    assert MEASURES["mcc"](counts) == 0
    assert MEASURES["kappa"](counts) == 0


@pytest.mark.parametrize("bind", [auroc.bind, BindCrossFitted(MEASURES["f1"], 3)], ids=["auroc", "cross_fitted"])
def test_exchanges_agree_with_swapped_answers(bind):
    rng = np.random.default_rng(6)
    gold = rng.integers(0, 2, 30).astype(float)
    batches = [Detections.from_plain(gold, rng.integers(0, 5, 30)) for _ in range(3)]
    masks, first, second = rng.integers(0, 2, (7, 30), dtype=np.uint8), np.array([0, 2, 1]), np.array([1, 0, 1])
    found = ExchangeByWeights(bind)(batches)(masks, first, second)
    assert found == pytest.approx(RecomputedExchange(batches, bind)(masks, first, second), abs=1e-12)


def test_the_group_at_the_border_counts_in_proportion():
    hits, totals = np.array([[1.0], [2.0], [0.0]]), np.array([[1.0], [4.0], [3.0]])
    found = [top_hits(hits, totals, np.array([float(k)]))[0] for k in range(9)]
    assert found == [0, 1, 1.5, 2, 2.5, 3, 3, 3, 3]
