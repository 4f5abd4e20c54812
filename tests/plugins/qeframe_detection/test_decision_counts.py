"""Counts of decisions and sweeps against loops; thresholds that depend on the data."""

import itertools

import numpy as np
import pytest
from hypothesis import given

import qeframe
from qeframe.core.errors import DataError
from qeframe.plugin import Detections
from qeframe.testing import detections_batches
from qeframe_detection import (
    best_threshold,
    detection_f1,
    detection_kappa,
    detection_mcc,
    detection_precision,
    detection_recall,
)
from qeframe_detection.decision_counts import MEASURES, top_hits
from tests.examples import FEWER

NONE, PERFECT, ALL_POSITIVE, ALL_NEGATIVE = [0, 0, 0, 0], [2, 0, 0, 3], [2, 3, 0, 0], [0, 0, 2, 3]
NO_POSITIVE, ONLY_POSITIVE = [0, 1, 0, 4], [3, 0, 2, 0]


@pytest.mark.parametrize(
    ("measure", "expected"),
    [
        ("mcc", [0, 1, 0, 0, 0, 0]),
        ("kappa", [0, 1, 0, 0, 0, 0]),
        ("precision", [0, 1, 0.4, 0, 0, 1]),
        ("recall", [0, 1, 1, 0, 0, 0.6]),
        ("f1", [0, 1, 4 / 7, 0, 0, 0.75]),
    ],
)
def test_degenerate_counts(measure, expected):
    counts = np.array([NONE, PERFECT, ALL_POSITIVE, ALL_NEGATIVE, NO_POSITIVE, ONLY_POSITIVE], dtype=np.float64)
    assert MEASURES[measure](counts) == pytest.approx(expected, nan_ok=True)


def test_large_counts_do_not_overflow():
    counts = np.array([1e15, 1e15, 1e15, 1e15])
    assert MEASURES["mcc"](counts) == 0
    assert MEASURES["kappa"](counts) == 0


def test_the_group_at_the_border_counts_in_proportion():
    hits, totals = np.array([[1.0], [2.0], [0.0]]), np.array([[1.0], [4.0], [3.0]])
    found = [top_hits(hits, totals, np.array([float(k)]))[0] for k in range(9)]
    assert found == [0, 1, 1.5, 2, 2.5, 3, 3, 3, 3]


@FEWER
@given(batch=detections_batches(max_units=6))
def test_at_the_golds_rate_is_the_mean_over_the_orders_of_ties(batch):
    count = int(batch.gold.sum())
    orders = [
        order
        for order in itertools.permutations(range(len(batch)))
        if all(batch.predicted[a] >= batch.predicted[b] for a, b in itertools.pairwise(order))
    ]
    decisions = [np.isin(np.arange(len(batch)), order[:count]).astype(float) for order in orders]
    for build in (detection_mcc, detection_recall, detection_precision, detection_f1, detection_kappa):
        alone = [qeframe.score(build(), Detections.from_plain(batch.gold, each)) for each in decisions]
        assert qeframe.score(build(at="gold_rate"), batch) == pytest.approx(np.mean(alone), nan_ok=True, abs=1e-9)


@given(batch=detections_batches(max_units=10))
def test_best_tries_all_thresholds(batch):
    found = qeframe.score(detection_mcc(at="best"), batch)
    thresholds = [*set(batch.predicted), batch.predicted.max() + 1]
    tried = [qeframe.score(detection_mcc(threshold=float(t)), batch) for t in thresholds]
    assert found == pytest.approx(max(tried), nan_ok=True)
    chosen = best_threshold(batch)
    if np.isfinite(chosen) and not np.isnan(found):
        assert qeframe.score(detection_mcc(threshold=chosen), batch) == pytest.approx(found)


@given(batch=detections_batches(max_units=10))
def test_cross_fitted_uses_the_threshold_of_the_other_fold(batch):
    decisions = np.zeros(len(batch))
    for fold in (0, 1):
        inside = batch.ids % 2 == fold
        chosen = best_threshold(batch.take(~inside)) if (~inside).any() else np.inf
        decisions[inside] = batch.predicted[inside] >= chosen
    expected = qeframe.score(detection_mcc(), Detections.from_plain(batch.gold, decisions))
    assert qeframe.score(detection_mcc(at="cross_fitted"), batch) == pytest.approx(expected, nan_ok=True)


def test_an_unknown_measure_is_refused():
    with pytest.raises(DataError, match="unknown measure 'auc'"):
        best_threshold(Detections.from_plain([0, 1], [0, 1]), measure="auc")


def test_calling_nothing_positive_may_be_best():
    assert best_threshold(Detections.from_plain([0, 0], [1, 2])) == np.inf
