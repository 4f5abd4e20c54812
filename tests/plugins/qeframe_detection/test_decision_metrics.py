"""Measures of decisions, against scikit-learn and slow definitions."""

import warnings

import numpy as np
import pytest
from hypothesis import given
from sklearn import metrics as peer

import qeframe
from qeframe.core.errors import DataError
from qeframe.plugin import Detections
from qeframe.testing import detections_batches
from qeframe_detection import detection_f1, detection_kappa, detection_mcc, detection_precision, detection_recall
from tests.examples import FEWER

PEERS = {
    detection_mcc: peer.matthews_corrcoef,
    detection_kappa: peer.cohen_kappa_score,
    detection_precision: lambda g, p: peer.precision_score(g, p, zero_division=0),
    detection_recall: lambda g, p: peer.recall_score(g, p, zero_division=0),
    detection_f1: lambda g, p: peer.f1_score(g, p, zero_division=0),
}
NEEDS_POSITIVE = (detection_recall, detection_f1)


def score(metric, batch):
    return float(metric.bind(batch)(np.ones(len(batch))))


@pytest.mark.parametrize("build", PEERS)
@FEWER
@given(batch=detections_batches(max_units=12))
def test_peers(build, batch):
    found = score(build(threshold=0.5), batch)
    if build is detection_precision or len(set(batch.gold)) == 2:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            expected = PEERS[build](batch.gold, (batch.predicted >= 0.5).astype(float))
        assert found == pytest.approx(expected, abs=1e-12)
    elif build not in NEEDS_POSITIVE or not batch.gold.any():
        assert np.isnan(found)


def test_the_threshold_itself_is_called_positive_unless_strict():
    batch = Detections.from_plain([1, 0], [0.5, 0.25])
    assert score(detection_recall(threshold=0.5), batch) == 1
    assert score(detection_recall(threshold=0.5, strict=True), batch) == 0


def test_no_unit_is_undefined():
    batch = Detections.from_plain([0, 1], [0, 1])
    for at in ("threshold", "gold_rate", "cross_fitted", "best"):
        statistic = detection_mcc(at=at).bind(batch)
        assert np.isnan(statistic(np.zeros((3, 2)))).all()
        assert np.isnan(detection_mcc(at=at).bind(batch.take(np.array([], dtype=np.int64)))(np.ones(0)))


def test_details_count_the_decisions():
    batch = Detections.from_plain([0, 0, 1, 1], [0.2, 0.9, 0.9, 0.1])
    found = detection_mcc().details(batch)
    assert found == {"true_positives": 1, "false_positives": 1, "false_negatives": 1, "true_negatives": 1}
    assert detection_mcc(at="gold_rate").details(batch)["tied_at_threshold"] == 0
    tied = Detections.from_plain([0, 1], [1, 1])
    assert detection_mcc(at="gold_rate").details(tied) == {
        "called_positive": 1,
        "threshold": 1.0,
        "tied_at_threshold": 2,
    }


@given(batch=detections_batches(max_units=12))
def test_the_product_of_both_f1(batch):
    found = [score(detection_f1(of=of), batch) for of in ("positive", "negative", "product")]
    assert found[2] == pytest.approx(found[0] * found[1], nan_ok=True)


@given(batch=detections_batches(max_units=12))
def test_f1_of_the_negative_class(batch):
    found = score(detection_f1(of="negative"), batch)
    if batch.gold.all():
        assert np.isnan(found)
        return
    expected = peer.f1_score(batch.gold, (batch.predicted >= 0.5).astype(float), pos_label=0, zero_division=0)
    assert found == pytest.approx(expected, abs=1e-12)


@pytest.mark.parametrize("name", ["detection_mcc(folds=1)", "detection_f1(folds=21)"])
def test_parameters_out_of_range_are_refused(name):
    with pytest.raises(DataError, match="folds must be"):
        qeframe.score(name, [0, 1], [0, 1])
