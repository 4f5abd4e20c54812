"""The Brier score and the expected calibration error."""

import numpy as np
import pytest
from sklearn import metrics as peer

import qeframe
from qeframe.core.errors import DataError
from qeframe.plugin import Detections
from qeframe_detection import brier, ece
from qeframe_detection.calibration_errors import bin_of


def score(metric, batch):
    return float(metric.bind(batch)(np.ones(len(batch))))


def test_brier_agrees_with_a_peer():
    rng = np.random.default_rng(2)
    for units in (2, 30):
        gold, predicted = rng.integers(0, 2, units).astype(float), np.round(rng.random(units), 1)
        expected = peer.brier_score_loss(gold, predicted, pos_label=1)
        assert score(brier, Detections.from_plain(gold, predicted)) == pytest.approx(expected, abs=1e-15)


@pytest.mark.parametrize("outside", [-0.001, 1.001])
def test_other_numbers_than_probabilities_are_undefined(outside):
    batch = Detections.from_plain([0, 1, 1], [0.5, outside, 0.5])
    for metric in (brier, ece()):
        assert np.isnan(score(metric, batch))
        assert metric.bind(batch)(np.array([1.0, 0.0, 1.0])) == pytest.approx(0.25 if metric is brier else 0.0)
        assert metric.undefined(batch)
    assert ece().details(batch) == {}


def slow_ece(batch, bins):
    total = 0.0
    for b in range(bins):
        low, high = b / bins, (b + 1) / bins
        chosen = [i for i, p in enumerate(batch.predicted) if low <= p < high or (b == bins - 1 and p == 1)]
        if chosen:
            total += len(chosen) * abs(np.mean(batch.predicted[chosen]) - np.mean(batch.gold[chosen]))
    return total / len(batch)


def test_ece_agrees_with_its_definition():
    rng = np.random.default_rng(3)
    for bins in (1, 5, 10):
        batch = Detections.from_plain(rng.integers(0, 2, 40), np.round(rng.random(40), 1))
        assert score(ece(bins=bins), batch) == pytest.approx(slow_ece(batch, bins))


def test_bins_include_their_low_end():
    assert bin_of(np.array([0.0, 0.1, 0.3, 0.999, 1.0]), 10).tolist() == [0, 1, 3, 9, 9]


def test_the_stated_bias_is_the_mean_score_of_calibrated_probabilities():
    rng = np.random.default_rng(1)
    predicted = rng.random(300)
    batches = [Detections.from_plain(rng.random(300) < predicted, predicted) for _ in range(300)]
    metric = ece()
    stated = metric.details(batches[0])["expected_if_calibrated"]
    assert np.mean([score(metric, batch) for batch in batches]) == pytest.approx(stated, rel=0.05)


def test_details_show_each_bin_that_has_units():
    details = ece(bins=2).details(Detections.from_plain([0, 1, 1], [0.25, 0.5, 1.0]))
    assert details["bins"] == {
        "0": {"units": 1, "mean_prediction": 0.25, "share_positive": 0.0},
        "0.5": {"units": 2, "mean_prediction": 0.75, "share_positive": 1.0},
    }


@pytest.mark.parametrize("bins", [0, 1001])
def test_numbers_of_bins_out_of_range_are_refused(bins):
    with pytest.raises(DataError, match="bins must be from 1 to 1000"):
        qeframe.score(f"ece(bins={bins})", [0, 1], [0, 1])
