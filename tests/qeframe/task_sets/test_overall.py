"""Overall scores as a comparable: scores, draws, and what they do not have."""

import numpy as np
import pytest

from qeframe.core.errors import CapabilityError
from qeframe.core.evaluation.comparable_across_tasks import ComparableAcrossTasks
from qeframe.core.resampling.parallel import Runner
from qeframe.task_sets.overall import ComparableOverParts
from qeframe.task_sets.parts import bind_task_set
from tests.qeframe.task_sets.made_sets import resolved, two_pairs


@pytest.fixture
def overall(registry):
    task_set = bind_task_set(resolved(registry), two_pairs(), 0, Runner())
    return ComparableOverParts(parts=task_set.parts, submissions=3)


def scaled(part, oriented):
    low, high = part.scale
    return part.weight * (oriented - low) / (high - low)


def test_the_overall_score_is_the_weighted_mean_of_scaled_scores(overall):
    assert overall.oriented == pytest.approx(sum(scaled(p, p.comparable.oriented) for p in overall.parts))
    first, second = overall.pairs
    assert (overall.oriented[first] >= overall.oriented[second]).all()


def test_what_was_not_exchanged_has_no_exchange(overall):
    with pytest.raises(CapabilityError, match="all pairs pairwise_accuracy has none; set test=jackknife or"):
        overall.along("segment")


def test_all_parts_of_a_language_pair_are_resampled_together(overall):
    drawn = overall.resample(50)
    assert drawn == pytest.approx(sum(scaled(p, p.comparable.resample(50)) for p in overall.parts), nan_ok=True)
    tasks = {id(part.comparable.scored_task) for part in overall.parts[1:]}
    assert len(tasks) == 2
    overall.collected.parts |= {part.name for part in overall.parts}
    assert overall.along("cell") is overall
    assert overall.sizes == (8, 7), "units that several parts share count once"


def test_a_unit_is_left_out_of_all_parts_that_have_it(overall):
    """The loop that is obviously right: score every part again without the unit."""
    expected = []
    for units in overall.sizes:
        for unit in range(units):
            total = np.zeros(3)
            for part in overall.parts:
                of_part = part.comparable
                pooled = isinstance(of_part, ComparableAcrossTasks)
                scores = []
                for one in of_part.comparables if pooled else (of_part,):
                    weights = np.ones(one.scored_task.stack.units)
                    if one.scored_task.stack.units == units:
                        weights[unit] = 0
                    scores.append(
                        one.sign * one.scored_task.stack(weights).reshape(len(one.scored_task.metrics), -1)[one.nth]
                    )
                oriented = of_part._aggregate(scores) if pooled else scores[0]
                total += scaled(part, oriented)
            expected.append(total)
    assert overall.jackknife() == pytest.approx(np.array(expected), nan_ok=True)


def test_what_an_overall_score_does_not_have(overall):
    for refused in (overall.outcomes, overall.vectors, overall.per_unit):
        with pytest.raises(CapabilityError, match="an overall score over parts"):
            refused()


def test_a_submission_that_lacks_a_part_has_no_overall_score(registry):
    from tests.qeframe.task_sets.made_sets import task

    tasks = [task("en-de", 1, 8, 4), task("he-en", 2, 7, 5, absent=("m1",))]
    task_set = bind_task_set(resolved(registry), tasks, 0, Runner())
    oriented = ComparableOverParts(parts=task_set.parts, submissions=3).oriented
    assert np.isnan(oriented).tolist() == [False, True, False]
