"""Counts and means of pseudo-documents."""

import numpy as np

from qeframe.studies.pseudo_documents import document_means, draw_documents


def test_every_document_has_its_size():
    (block, counts), *more = draw_documents(np.array([3, 3, 5]), 4, 50, (1, 2))
    assert block == slice(0, len(counts)) or not more
    assert (counts.sum(axis=1) == 4).all()


def test_means_are_weighted_by_counts():
    counts = np.array([[2.0, 1.0, 0.0], [0.0, 0.0, 3.0]])
    values = np.array([[1.0, np.nan], [4.0, 5.0], [7.0, np.nan]])
    np.testing.assert_allclose(document_means(counts, values), [[2.0, 5.0], [7.0, np.nan]])
