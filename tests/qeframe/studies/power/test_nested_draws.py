"""Scores in samples of other sizes."""

from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

from qeframe.core.errors import DataError
from qeframe.core.resampling.draws import DrawBlock, bootstrap_counts
from qeframe.core.resampling.parallel import Runner
from qeframe.core.tasks.task import Submission, Task
from qeframe.studies.power.nested_draws import nested_scores, scored_submissions, share_above
from tests.qeframe.core.evaluation.made_comparables import made_task, profile
from tests.qeframe.task_sets.made_sets import resolved, two_pairs


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


def test_attacks_and_human_scores_are_left_out(registry):
    task = made_task()
    batches = {Submission(s.name, "attack" if s.name == "poor" else "real"): b for s, b in task.batches.items()}
    found = scored_submissions(profile("mae"), [Task(name="t", batches=batches)], registry, seed=0, runner=Runner())
    assert (found.names, found.metric, found.unit, found.sign) == (("good", "fair"), "mae", "segment", -1.0)
    assert found.weighted is not None
    assert found.weighted(np.ones(40)) == pytest.approx(found.comparable.oriented)


def test_weights_of_two_tasks_follow_each_other(registry):
    tasks = [made_task(units=12), made_task("en-ru", 9, 4)]
    found = scored_submissions(profile("pearson"), tasks, registry, seed=0, runner=Runner())
    assert found.weighted is not None
    left_out = np.array([found.weighted(row) for row in 1 - np.eye(21)])
    assert left_out == pytest.approx(found.comparable.jackknife(), abs=1e-12)


def test_the_overall_score_of_a_task_set(registry):
    found = scored_submissions(resolved(registry).profile, two_pairs(), registry, seed=0, runner=Runner())
    assert (found.metric, found.weighted) == ("overall", None)
    assert np.isfinite(found.comparable.oriented).any()


def test_nothing_to_compare(registry):
    with pytest.raises(DataError, match="there is no submission to compare"):
        scored_submissions(profile("mae"), [Task(name="t", batches={})], registry, seed=0, runner=Runner())
