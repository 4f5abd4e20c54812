"""Scores over several tasks together, on one scale."""

import attrs
import numpy as np
import pytest

import qeframe
from qeframe.core.resampling.parallel import Runner
from qeframe.kinds.tags.batch import Tags
from qeframe.task_sets.parts import bind_task_set
from qeframe.task_sets.pooling import standardized_together
from tests.qeframe.task_sets.made_sets import resolved, two_pairs


@pytest.fixture
def pooled(registry):
    parts = '[[parts]]\nmetric = "pairwise_accuracy"\npool = true'
    return bind_task_set(resolved(registry, parts), two_pairs(), 0, Runner()).parts[0].comparable


def test_the_scores_of_a_submission_are_standardized_over_all_tasks(pooled):
    moved = standardized_together(pooled.comparables, pooled.positions)
    for nth in range(3):
        together = np.concatenate([each.scored_task.batches[nth].predicted.ravel() for each in moved])
        assert (together.mean(), together.std()) == pytest.approx((0, 1))
        alone = moved[0].scored_task.batches[nth].predicted
        assert abs(alone.mean()) > 1e-3
    along = pooled.along("cell", standardize=True)
    assert along.comparables[0].swap.unit == "cell"
    assert not along.comparables[0].swap.standardize
    assert along.oriented == pytest.approx(pooled.oriented)


def test_a_constant_submission_keeps_its_scale(pooled):
    ones = [attrs.evolve(b, predicted=np.full(b.gold.shape, 3.0)) for b in pooled.comparables[0].scored_task.batches]
    task = attrs.evolve(pooled.comparables[0].scored_task, batches=tuple(ones))
    (moved,) = standardized_together([attrs.evolve(pooled.comparables[0], scored_task=task)], pooled.positions[:1])
    assert (moved.scored_task.batches[0].predicted == 0).all()


def test_only_numbers_are_standardized(pooled):
    tags = Tags.from_plain([["OK"]], [["BAD"]])
    task = attrs.evolve(pooled.comparables[0].scored_task, batches=(tags,), metrics=())
    with pytest.raises(qeframe.QeframeError, match="only if they are numbers"):
        standardized_together([attrs.evolve(pooled.comparables[0], scored_task=task)], [np.array([0])])
