"""The plan of a task set: which language pairs take part in a pooled part."""

import math

import attrs
import pytest

import qeframe
from qeframe.core.errors import DataError
from qeframe.core.tasks.task import Submission
from qeframe.task_sets.plan import part_names, planned_parts
from tests.qeframe.task_sets.made_sets import profile, resolved, task, two_pairs

POOLED = '[[parts]]\nmetric = "pairwise_accuracy"\npool = true\nweight = "pairs"\n'


def test_a_pair_with_one_system_leaves_a_pooled_part(registry):
    two, single = two_pairs()[0], task("he-en", 2, 7, 1)
    alone = qeframe.evaluate(profile(registry, POOLED), [two], registry=registry)
    both = qeframe.evaluate(profile(registry, POOLED), [two, single], registry=registry)
    scores = [{s.name: s.scores["overall"].value for s in each.submissions} for each in (alone, both)]
    assert scores[0] == pytest.approx(scores[1])
    (note,) = both.dropped
    assert (note.task, note.what, note.count) == ("he-en", "language pair of a pooled part", 1)
    assert both.parts[0].pairs == ("en-de",)


def test_a_pooled_part_without_any_outcome(registry):
    with pytest.raises(DataError, match="nothing to score for pairwise_accuracy in any language pair: en-de, he-en"):
        planned_parts(resolved(registry, POOLED), [task("en-de", 1, 8, 1), task("he-en", 2, 7, 1)], complete=True)


def test_what_is_only_in_a_pair_without_outcomes_has_no_score(registry):
    two, single = two_pairs()[0], task("he-en", 2, 7, 1)
    batch = next(iter(single.batches.values()))
    more = {Submission("thief", "attack"): batch, Submission("late"): batch}
    single = attrs.evolve(single, batches={**single.batches, **more})
    evaluation = qeframe.evaluate(profile(registry, POOLED), [two, single], registry=registry)
    for name in ("thief", "late"):
        (found,) = (s for s in evaluation.submissions if s.name == name)
        assert math.isnan(found.scores["overall"].value)
    assert found.absent == ("all pairs pairwise_accuracy",)
    assert not any("late" in warning for warning in evaluation.warnings), "it is said of those who are absent"


def test_names(registry):
    plan = planned_parts(resolved(registry), two_pairs(), complete=True)
    assert part_names(plan.parts)[0] == "all pairs pairwise_accuracy"
    assert [submission.name for submission in plan.submissions] == ["m0", "m1", "m2"]


SOURCES = """
[[parts]]
metric = "segment_pearson"
folder = "one"
[[parts]]
metric = "acc_eq"
folder = "other"
"""


def test_parts_of_other_folders_have_the_language_pairs_that_are_there(registry):
    tasks = [task("en-de", 1, selection="one"), task("he-en", 2, selection="one"), task("he-en", 2, selection="other")]
    plan = planned_parts(resolved(registry, SOURCES), tasks, complete=True)
    assert part_names(plan.parts) == ["en-de segment_pearson", "he-en segment_pearson", "he-en acc_eq"]
    with pytest.raises(DataError, match=r"there is no submission for acc_eq \(other\); complete the data, or leave"):
        planned_parts(resolved(registry, SOURCES), tasks[:2], complete=True)
    named = SOURCES.replace('folder = "other"', 'folder = "other"\npairs = ["en-de"]')
    with pytest.raises(DataError, match="parts: 'en-de' is the name of no language pair in the data"):
        planned_parts(resolved(registry, named), tasks, complete=True)
