"""Metrics of a ranking, against scikit-learn and against slow definitions."""

import warnings

import numpy as np
import pytest
from hypothesis import given
from sklearn import metrics as peer

import qeframe
from qeframe.core.errors import DataError
from qeframe.plugin import Detections
from qeframe.testing import detections_batches
from qeframe_detection import auroc, average_precision, recall_at_k, recall_at_precision


def pairs_won(batch):
    """The share of pairs of a positive and a negative unit that are ordered right; a tie is half of a pair."""
    positive, negative = batch.predicted[batch.gold == 1], batch.predicted[batch.gold == 0]
    won = [1.0 if p > n else 0.5 if p == n else 0.0 for p in positive for n in negative]
    return float(np.mean(won)) if won else np.nan


@given(detections_batches(max_units=12))
def test_auroc_counts_pairs(batch):
    assert qeframe.score(auroc, batch) == pytest.approx(pairs_won(batch), nan_ok=True, abs=1e-12)


@given(detections_batches(max_units=12))
def test_peers(batch):
    if len(set(batch.gold)) == 2:
        assert qeframe.score(auroc, batch) == pytest.approx(peer.roc_auc_score(batch.gold, batch.predicted), abs=1e-12)
    if batch.gold.any():
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            expected = peer.average_precision_score(batch.gold, batch.predicted)
        assert qeframe.score(average_precision, batch) == pytest.approx(expected, abs=1e-12)


def test_peers_under_weights_on_many_units():
    rng = np.random.default_rng(4)
    gold, weights = (rng.random(400) < 0.2).astype(float), rng.integers(0, 4, (20, 400))
    for predicted in (rng.random(400), np.round(rng.random(400), 1), gold + rng.integers(0, 3, 400)):
        batch = Detections.from_plain(gold, predicted)
        for metric, expected in ((auroc, peer.roc_auc_score), (average_precision, peer.average_precision_score)):
            found = metric.bind(batch)(weights.astype(float))
            wanted = [expected(gold, predicted, sample_weight=row) for row in weights]
            assert found == pytest.approx(wanted, abs=1e-12)


@pytest.mark.parametrize(
    ("gold", "expected"),
    [
        ([0, 0, 0], (np.nan, np.nan, np.nan, np.nan)),
        ([1, 1, 1], (np.nan, 1.0, 2 / 3, 1.0)),
        ([0, 1, 0], (0.5, 1 / 3, 2 / 3, 0.0)),
    ],
)
def test_all_tied_and_one_class(gold, expected):
    batch = Detections.from_plain(gold, [1, 1, 1])
    found = [
        qeframe.score(each, batch)
        for each in (auroc, average_precision, recall_at_k(k=2), recall_at_precision(precision=0.5))
    ]
    assert found == pytest.approx(expected, nan_ok=True)


def test_no_unit_is_undefined():
    empty = Detections.from_plain([0, 1], [0, 1]).take(np.array([], dtype=np.int64))
    for metric in (auroc, average_precision, recall_at_k(), recall_at_precision()):
        assert np.isnan(metric.bind(empty)(np.ones(0)))
        assert np.isnan(metric.bind(Detections.from_plain([0, 1], [0, 1]))(np.zeros((2, 2)))).all()


@given(detections_batches(max_units=8))
def test_recall_at_precision_tries_all_thresholds(batch):
    best = 0.0
    for threshold in set(batch.predicted):
        called = batch.predicted >= threshold
        hits = batch.gold[called].sum()
        if hits / called.sum() >= 0.6 - 1e-9:
            best = max(best, hits / max(1, batch.gold.sum()))
    expected = best if batch.gold.any() else np.nan
    assert qeframe.score(recall_at_precision(precision=0.6), batch) == pytest.approx(expected, nan_ok=True)


@given(detections_batches(max_units=7))
def test_recall_at_k_is_the_mean_over_orders_of_ties(batch):
    """Every unit has a random rank among those tied with it: the share of the k highest that it is in."""
    k, expected = 3, 0.0
    for unit in np.flatnonzero(batch.gold):
        above, tied = (batch.predicted > batch.predicted[unit]).sum(), (batch.predicted == batch.predicted[unit]).sum()
        expected += np.clip((k - above) / tied, 0, 1) / batch.gold.sum()
    wanted = expected if batch.gold.any() else np.nan
    assert qeframe.score(recall_at_k(k=k), batch) == pytest.approx(wanted, nan_ok=True, abs=1e-12)


@pytest.mark.parametrize(
    "name",
    [
        "recall_at_k(k=0)",
        "recall_at_k(k=1.5)",
        "recall_at_precision(precision=0)",
        "recall_at_precision(precision=1.1)",
    ],
)
def test_parameters_out_of_range_are_refused(name):
    with pytest.raises(DataError, match="must be"):
        qeframe.score(name, [0, 1], [0, 1])


def test_a_ranking_is_compared_by_all_tests_of_weights():
    rng = np.random.default_rng(5)
    gold = (rng.random(60) < 0.3).astype(float)
    answers = {"good": gold + 0.5 * rng.random(60), "bad": rng.random(60)}
    for test in ("bootstrap(draws=200)", "randomization(draws=200)"):
        (found,) = qeframe.compare("auroc", gold, answers, test=test, seed=1)
        assert found.p < 0.05


def test_k_may_be_a_share_of_the_units():
    batch = Detections.from_plain([1, 0, 1, 0], [4, 3, 2, 1])
    assert qeframe.score(recall_at_k(k=0.25), batch) == qeframe.score(recall_at_k(k=1), batch) == 0.5
    assert recall_at_k(k=0.5).bind(batch)(np.array([1.0, 1.0, 2.0, 0.0])) == pytest.approx(1 / 3)
