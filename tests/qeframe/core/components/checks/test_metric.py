"""What a metric returns: the values that pass; tests/hostile has those that do not."""

import attrs
import numpy as np
import pytest

import qeframe
from qeframe.core.components.checks.metric import (
    bind,
    check_repeatable,
    check_scores,
    details,
    per_unit,
    scores_of_groups,
    statistics_at_work,
    unit_scores,
    vectors,
)
from qeframe.core.components.metric import Metric, group_scores, segment_scores
from qeframe.core.errors import PluginError
from qeframe.core.resampling.return_checks import StatisticError
from qeframe.core.tasks.task import Submission, Task
from qeframe.kinds.scores.batch import Scores

BATCH = Scores.from_plain([1.0, 2.0, 4.0], [1.0, 3.0, 3.0])


def test_what_an_honest_metric_returns_passes(registry):
    pearson, mae = registry.get(Metric, "pearson"), registry.get(Metric, "mae")
    assert bind(pearson, BATCH).units == 3
    assert all(len(side) == 3 for side in vectors(pearson, BATCH))
    assert per_unit(mae, BATCH).tolist() == [0.0, 1.0, 1.0]
    assert unit_scores(mae, BATCH).tolist() == segment_scores(mae, BATCH).tolist()
    groups = ["a", "b", "a"]
    assert scores_of_groups(mae, BATCH, groups).tolist() == group_scores(mae, BATCH, groups).tolist()
    assert details(attrs.evolve(mae, details=None), BATCH) == {}


def test_a_metric_that_draws_is_found_in_a_run(registry):
    drawn = np.random.default_rng(0)
    random = qeframe.metric_from(lambda gold, predicted: drawn.random(), name="lots")
    with pytest.raises(PluginError, match=r"metric 'lots' \(given\): score returned .* for the same 3 units"):
        check_repeatable(random, BATCH)
    task = Task(name="t", batches={Submission("a"): BATCH, Submission("b"): BATCH})
    known = attrs.evolve(registry.get(Metric, "mae"), bind=random.bind, origin=None)
    with pytest.raises(PluginError, match="expected equal scores"):
        check_repeatable(known, next(iter(task.batches.values())))


def test_repeated_and_undefined_scores_pass(registry):
    check_repeatable(registry.get(Metric, "pearson"), BATCH)
    check_repeatable(attrs.evolve(registry.get(Metric, "pearson"), origin=None), BATCH)
    constant = Scores.from_plain([1.0, 1.0], [1.0, 1.0])
    check_repeatable(attrs.evolve(registry.get(Metric, "pearson"), origin=None), constant)


@pytest.mark.parametrize("scores", [[0.0, 1.0], [np.nan], [1 + 1e-12, -1e-12], []])
def test_scores_within_bounds_up_to_rounding_pass(registry, scores):
    bounded = attrs.evolve(registry.get(Metric, "mae"), bounds=(0, 1))
    assert check_scores(bounded, np.array(scores)).tolist() == pytest.approx(scores, nan_ok=True)


@pytest.mark.parametrize("score", [1.001, -0.001, np.inf])
def test_scores_out_of_bounds_are_refused(registry, score):
    bounded = attrs.evolve(registry.get(Metric, "mae"), bounds=(0, 1))
    with pytest.raises(PluginError, match=r"metric 'mae' of plugin .* returned .*, expected a number from 0 to 1, or"):
        check_scores(bounded, np.array([0.5, score]))


def test_the_metric_of_a_statistic_that_fails_is_found_by_its_position(registry):
    metrics = [registry.get(Metric, name) for name in ("pearson", "mae")]
    said = pytest.raises(PluginError, match=r"^metric 'mae' .* failed in score: KeyError: 1; ")
    with said, statistics_at_work(metrics, 3):
        raise StatisticError(4, KeyError(1)) from KeyError(1)
