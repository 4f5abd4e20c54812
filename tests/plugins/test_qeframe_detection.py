"""Metrics of detections."""

import warnings

import numpy as np
import pytest
from hypothesis import given
from sklearn import metrics as peer

import qeframe
from qeframe.core.errors import DataError
from qeframe.plugin import Detections, TokenScores
from qeframe.testing import detections_batches, token_scores_batches
from qeframe_detection import (
    brier,
    detection_f1,
    detection_kappa,
    detection_mcc,
    detection_precision,
    detection_recall,
    ece,
    token_auroc,
    token_average_precision,
    token_recall_at_k,
)
from qeframe_detection.calibration_errors import bin_of
from tests.examples import FEWER


# The Brier score and the expected calibration error.
def test_brier_agrees_with_a_peer():
    rng = np.random.default_rng(2)
    for units in (2, 30):
        gold, predicted = rng.integers(0, 2, units).astype(float), np.round(rng.random(units), 1)
        expected = peer.brier_score_loss(gold, predicted, pos_label=1)
        assert qeframe.score(brier, Detections.from_plain(gold, predicted)) == pytest.approx(expected, abs=1e-15)


@pytest.mark.parametrize("outside", [-0.001, 1.001])
def test_other_numbers_than_probabilities_are_undefined(outside):
    batch = Detections.from_plain([0, 1, 1], [0.5, outside, 0.5])
    for metric in (brier, ece()):
        assert np.isnan(qeframe.score(metric, batch))
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
        assert qeframe.score(ece(bins=bins), batch) == pytest.approx(slow_ece(batch, bins))


def test_bins_include_their_low_end():
    assert bin_of(np.array([0.0, 0.1, 0.3, 0.999, 1.0]), 10).tolist() == [0, 1, 3, 9, 9]


def test_the_stated_bias_is_the_mean_score_of_calibrated_probabilities():
    rng = np.random.default_rng(1)
    predicted = rng.random(300)
    batches = [Detections.from_plain(rng.random(300) < predicted, predicted) for _ in range(300)]
    metric = ece()
    stated = metric.details(batches[0])["expected_if_calibrated"]
    assert np.mean([qeframe.score(metric, batch) for batch in batches]) == pytest.approx(stated, rel=0.05)


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


# Measures of decisions, against scikit-learn and slow definitions.
PEERS = {
    detection_mcc: peer.matthews_corrcoef,
    detection_kappa: lambda g, p: np.nan_to_num(peer.cohen_kappa_score(g, p)),  # NaN if both are one class
    detection_precision: lambda g, p: peer.precision_score(g, p, zero_division=0),
    detection_recall: lambda g, p: peer.recall_score(g, p, zero_division=0),
    detection_f1: lambda g, p: peer.f1_score(g, p, zero_division=0),
}


@pytest.mark.parametrize("build", PEERS)
@FEWER
@given(batch=detections_batches(max_units=12))
def test_peers(build, batch):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        expected = PEERS[build](batch.gold, (batch.predicted >= 0.5).astype(float))
    assert qeframe.score(build(threshold=0.5), batch) == pytest.approx(expected, abs=1e-12)


@given(batch=detections_batches(max_units=12))
def test_decisions_are_scored_as_tags(batch):
    """One convention: also where gold or decisions have one class."""
    tags = [[[["OK", "BAD"][int(side >= 0.5)]] for side in numbers] for numbers in (batch.gold, batch.predicted)]
    names = {"mcc": "mcc", "kappa": "cohen_kappa", "precision": "precision", "recall": "recall", "f1": "f1_bad"}
    for decisions, of_tags in names.items():
        found = qeframe.score(f"detection_{decisions}", batch)
        assert found == pytest.approx(qeframe.score(of_tags, *tags), abs=1e-12)


def test_the_threshold_itself_is_called_positive_unless_strict():
    batch = Detections.from_plain([1, 0], [0.5, 0.25])
    assert qeframe.score(detection_recall(threshold=0.5), batch) == 1
    assert qeframe.score(detection_recall(threshold=0.5, strict=True), batch) == 0


def test_without_a_unit_all_are_zero():
    batch = Detections.from_plain([0, 1], [0, 1])
    for at in ("threshold", "gold_rate", "cross_fitted", "best"):
        statistic = detection_mcc(at=at).bind(batch)
        assert (statistic(np.zeros((3, 2))) == 0).all()
        assert detection_mcc(at=at).bind(batch.take(np.array([], dtype=np.int64)))(np.ones(0)) == 0


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
    found = [qeframe.score(detection_f1(of=of), batch) for of in ("positive", "negative", "product")]
    assert found[2] == pytest.approx(found[0] * found[1])


@given(batch=detections_batches(max_units=12))
def test_f1_of_the_negative_class(batch):
    found = qeframe.score(detection_f1(of="negative"), batch)
    expected = peer.f1_score(batch.gold, (batch.predicted >= 0.5).astype(float), pos_label=0, zero_division=0)
    assert found == pytest.approx(expected, abs=1e-12)


@pytest.mark.parametrize("name", ["detection_mcc(folds=1)", "detection_f1(folds=21)"])
def test_parameters_out_of_range_are_refused(name):
    with pytest.raises(DataError, match="folds must be"):
        qeframe.score(name, [0, 1], [0, 1])


# Metrics of token scores, against scikit-learn sentence by sentence.


def by_sentence(batch, measure):
    found = [measure(g, p) for g, p in zip(batch.gold, batch.predicted, strict=True) if len(set(g)) == 2]
    return np.mean(found) if found else np.nan


def recall_of_last(gold, predicted):
    """As the official script: the last K of an ascending order."""
    count = int(gold.sum())
    return gold[np.argsort(predicted, kind="stable")[-count:]].sum() / count


def expected_recall(gold, predicted):
    count, total = int(gold.sum()), 0.0
    for at in np.flatnonzero(gold):
        above, tied = (predicted > predicted[at]).sum(), (predicted == predicted[at]).sum()
        total += np.clip((count - above) / tied, 0, 1)
    return total / count


@pytest.mark.parametrize(
    ("metric", "measure"),
    [
        (token_auroc, peer.roc_auc_score),
        (token_average_precision, peer.average_precision_score),
        (token_recall_at_k(ties="last"), recall_of_last),
        (token_recall_at_k(), expected_recall),
    ],
    ids=["auroc", "average_precision", "recall last", "recall shared"],
)
@FEWER
@given(batch=token_scores_batches(longest=6))
def test_peers_of_token_metrics(metric, measure, batch):
    assert qeframe.score(metric, batch) == pytest.approx(by_sentence(batch, measure), nan_ok=True, abs=1e-12)


def test_constants_mark_the_end_of_a_sentence_under_the_official_rule():
    batch = TokenScores.from_plain(["OK OK BAD"], [[1, 1, 1]])
    assert qeframe.score(token_recall_at_k(ties="last"), batch) == 1
    assert qeframe.score(token_recall_at_k(), batch) == pytest.approx(1 / 3)


def test_no_sentence_of_both_classes_is_undefined():
    batch = TokenScores.from_plain(["OK OK", "", "BAD"], [[1, 2], [], [3]])
    for metric in (token_auroc, token_average_precision, token_recall_at_k()):
        assert np.isnan(qeframe.score(metric, batch))
