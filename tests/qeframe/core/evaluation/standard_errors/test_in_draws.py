"""What is computed within draws follows the draws of the scores, also of readings that are drawn together."""

import numpy as np
import pytest

from qeframe.core.components.metric import Metric
from qeframe.core.errors import CapabilityError
from qeframe.core.evaluation.scored_task import ScoredTask
from qeframe.core.evaluation.standard_errors.in_draws import covariances_in_draws, without_groups_in_draws
from qeframe.core.resampling.draws import bootstrap_counts, draw_blocks, grouped_counts
from qeframe.core.resampling.joint_units import JointUnits
from qeframe.core.resampling.standard_errors.draw_errors import covariance_by_influence, without_groups
from qeframe.kinds.scores.batch import Scores

JOINT = JointUnits(np.arange(12), np.array([0, 1, 3, 4, 6, 7, 9, 11]))


def scored(registry, joint=None, **options) -> ScoredTask:
    rng = np.random.default_rng(7)
    gold = rng.normal(size=8)
    batches = tuple(Scores.from_plain(gold, gold + rng.normal(size=8)) for _ in range(2))
    return ScoredTask(metrics=(registry.get(Metric, "mae"),), batches=batches, key=(1, 2), joint=joint, **options)


@pytest.mark.parametrize(("joint", "units"), [(None, 8), (JOINT, 12)])
def test_the_draws_are_those_of_the_scores(registry, joint, units):
    task = scored(registry, joint)
    members = np.arange(8) if joint is None else joint.members
    (block,) = draw_blocks((1, 2, 1), 5, units)
    counts = bootstrap_counts(block, units)[:, members]
    assert task.resampled(5, "multinomial")[:, 0] == pytest.approx(task.stack(counts))
    covariances = covariances_in_draws(task, 0, 5)
    assert covariances[0] == pytest.approx(covariance_by_influence(task.stack, np.ones((1, 8)))[0])
    assert covariances[1:] == pytest.approx(covariance_by_influence(task.stack, counts))
    left_out = without_groups_in_draws(task, 0, 5, 4)
    kept = (np.arange(4)[:, None] != members % 4).astype(float)
    assert left_out[0] == pytest.approx(task.stack(kept))
    assert left_out[1:] == pytest.approx(without_groups(task.stack, grouped_counts(block, units, 4)[:, :, members]))


def test_units_within_drawn_groups_have_no_error_within_a_draw(registry):
    task = scored(registry, groups={"document": list("aabbccdd")}, resample="document/unit")
    with pytest.raises(CapabilityError, match=r"has none: .*set resample="):
        covariances_in_draws(task, 0, 5)
