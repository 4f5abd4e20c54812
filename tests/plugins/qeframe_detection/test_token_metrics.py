"""Metrics of token scores, against scikit-learn sentence by sentence."""

import numpy as np
import pytest
from hypothesis import given
from sklearn import metrics as peer

from qeframe.plugin import TokenScores
from qeframe.testing import token_scores_batches
from qeframe_detection import token_auroc, token_average_precision, token_recall_at_k
from tests.examples import FEWER


def score(metric, batch):
    return float(metric.bind(batch)(np.ones(len(batch))))


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
def test_peers(metric, measure, batch):
    assert score(metric, batch) == pytest.approx(by_sentence(batch, measure), nan_ok=True, abs=1e-12)


def test_constants_mark_the_end_of_a_sentence_under_the_official_rule():
    batch = TokenScores.from_plain(["OK OK BAD"], [[1, 1, 1]])
    assert score(token_recall_at_k(ties="last"), batch) == 1
    assert score(token_recall_at_k(), batch) == pytest.approx(1 / 3)


def test_no_sentence_of_both_classes_is_undefined():
    batch = TokenScores.from_plain(["OK OK", "", "BAD"], [[1, 2], [], [3]])
    for metric in (token_auroc, token_average_precision, token_recall_at_k()):
        assert np.isnan(score(metric, batch))
