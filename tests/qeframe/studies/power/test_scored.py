"""The submissions whose power is computed: those that are ranked, on tasks and task sets."""

import numpy as np
import pytest

from qeframe.core.errors import DataError
from qeframe.core.resampling.parallel import Runner
from qeframe.core.tasks.task import Submission, Task
from qeframe.studies.power.scored import scored_submissions
from tests.qeframe.core.evaluation.made_comparables import made_task, profile
from tests.qeframe.task_sets.made_sets import resolved, two_pairs


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
