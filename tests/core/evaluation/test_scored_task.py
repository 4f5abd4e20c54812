"""All metrics on all submissions of one task: scores, draws, groups."""

import numpy as np
import pytest

from qeframe.batches.scores import Scores
from qeframe.components.metric import Metric
from qeframe.errors import DataError
from qeframe.evaluation.scored_task import ScoredTask


def scored_task(registry, units=6, names=("pearson", "mae"), **options):
    rng = np.random.default_rng(5)
    gold = rng.normal(size=units)
    batches = tuple(Scores.from_plain(gold, gold + spread * rng.normal(size=units)) for spread in (0.5, 1.0))
    metrics = tuple(registry.get(Metric, name) for name in names)
    return ScoredTask(metrics=metrics, batches=batches, key=(4,), **options)


def test_scores_are_metrics_by_submissions(registry):
    scored = scored_task(registry)
    expected = [[m.bind(batch)(np.ones(6)) for batch in scored.batches] for m in scored.metrics]
    assert scored.scores == pytest.approx(np.array(expected))


def test_draws_are_computed_once_and_shared_by_metrics(registry):
    scored = scored_task(registry)
    draws = scored.resampled(20, "multinomial")
    assert draws.shape == (20, 2, 2)
    assert scored.resampled(20, "multinomial") is draws
    alone = scored_task(registry, names=("mae",))
    np.testing.assert_array_equal(alone.resampled(20, "multinomial")[:, 0], draws[:, 1])


def test_the_jackknife_leaves_out_each_unit(registry):
    scored = scored_task(registry)
    for unit in range(6):
        rest = np.delete(np.arange(6), unit)
        expected = [[m.bind(b.take(rest))(np.ones(5)) for b in scored.batches] for m in scored.metrics]
        np.testing.assert_allclose(scored.left_out[unit], expected, atol=1e-12)


def test_groups_are_resampled_whole(registry):
    groups = {"document": ["a", "a", "b", "b", "b", "c"]}
    scored = scored_task(registry, groups=groups, resample="document")
    assert scored.grouping is not None
    assert scored.grouping[1] == ("a", "b", "c")
    assert scored.stack.units == 3
    assert scored.scores == pytest.approx(scored_task(registry).scores)
    assert scored.unit_stack(0).units == 6


def test_an_unknown_grouping_lists_the_known_ones(registry):
    with pytest.raises(DataError, match="no grouping 'judge' of the units; choose one of: segment"):
        _ = scored_task(registry, resample="judge").grouping


def test_a_batch_of_another_kind_is_refused(registry):
    with pytest.raises(DataError, match="metric 'mcc' works on Tags, not on Scores"):
        scored_task(registry, names=("mcc",))
