"""Scores in samples of other sizes."""

from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

from qeframe.core.resampling.draws import DrawBlock, bootstrap_counts
from qeframe.core.resampling.parallel import Runner
from qeframe.studies.power.nested_draws import nested_scores, share_above


def totals(weights):
    """Return the number of units drawn from the first task, from the second, and the largest count."""
    return np.stack([weights[:, :5].sum(axis=1), weights[:, 5:].sum(axis=1), weights.max(axis=1)], axis=1)


def test_every_sample_has_its_size_in_every_task():
    scores = nested_scores(totals, [5, 3], [20, 2], draws=700, key=(1,), runner=Runner())
    assert scores.shape == (700, 3)
    assert (scores[:, :2] == [20, 2]).all()
    assert len(np.unique(scores[:, 2])) > 1


def test_samples_do_not_depend_on_the_workers():
    with ThreadPoolExecutor(2) as executor:
        many = nested_scores(totals, [5, 3], [20, 2], draws=700, key=(1,), runner=Runner(executor))
    assert (many == nested_scores(totals, [5, 3], [20, 2], draws=700, key=(1,), runner=Runner())).all()


def test_counts_are_multinomial():
    counts = bootstrap_counts(DrawBlock((3,), 0, 0, 4000), 4, 6)
    assert (counts.sum(axis=1) == 6).all()
    assert counts.mean(axis=0) == pytest.approx(np.full(4, 1.5), abs=0.08)
    assert np.var(counts[:, 0]) == pytest.approx(6 * 1 / 4 * 3 / 4, rel=0.08)


def test_the_share_and_its_error():
    differences = np.array([[1.0, np.nan], [3.0, 1.0], [2.0, 1.0], [np.inf, -1.0]])
    first, second = share_above(differences, np.array([1.5, 0.0]), 9)
    assert (first.size, first.power, first.error) == (9, 0.75, pytest.approx(np.sqrt(0.75 * 0.25 / 4)))
    assert second.power == 0.5
