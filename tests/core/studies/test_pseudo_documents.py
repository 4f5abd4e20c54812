"""Means and rank correlations of pseudo-documents, against loops."""

import numpy as np
import pytest
from scipy.stats import spearmanr

from qeframe.studies.pseudo_documents import document_means, draw_documents, spearman_of_rows


def test_every_document_has_its_size():
    (block, counts), *more = draw_documents(np.array([3, 3, 5]), 4, 50, (1, 2))
    assert block == slice(0, len(counts)) or not more
    assert (counts.sum(axis=1) == 4).all()


def test_means_are_weighted_by_counts():
    counts = np.array([[2.0, 1.0, 0.0], [0.0, 0.0, 3.0]])
    values = np.array([[1.0, np.nan], [4.0, 5.0], [7.0, np.nan]])
    np.testing.assert_allclose(document_means(counts, values), [[2.0, 5.0], [7.0, np.nan]])


def test_rank_correlations_are_those_of_scipy():
    rng = np.random.default_rng(3)
    human, scores = rng.integers(0, 4, (20, 6)).astype(float), rng.normal(size=(20, 6))
    human[:, 0], human[:, 1] = 9.0, -9.0
    expected = [spearmanr(a, b).statistic for a, b in zip(human, scores, strict=True)]
    assert spearman_of_rows(human, scores) == pytest.approx(expected)


def test_degenerate_rows():
    human = np.array([[1.0, 1.0], [1.0, 2.0], [1.0, np.nan]])
    scores = np.array([[1.0, 2.0], [3.0, 3.0], [1.0, 2.0]])
    np.testing.assert_array_equal(spearman_of_rows(human, scores), [np.nan, 0.0, np.nan])
