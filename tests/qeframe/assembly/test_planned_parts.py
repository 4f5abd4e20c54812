"""Which parts a task set has."""

import pytest

from qeframe import DataError
from qeframe.assembly.parts import name_parts, plan_parts
from tests.qeframe.assembly.made_sets import resolved, task, two_pairs


def test_names(registry):
    parts, submissions, _ = plan_parts(resolved(registry), two_pairs(), complete=True)
    assert name_parts(parts)[0] == "all pairs pairwise_accuracy"
    assert [submission.name for submission in submissions] == ["m0", "m1", "m2"]


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
    parts, _, _ = plan_parts(resolved(registry, SOURCES), tasks, complete=True)
    assert name_parts(parts) == ["en-de segment_pearson", "he-en segment_pearson", "he-en acc_eq"]
    with pytest.raises(DataError, match=r"there is no submission for acc_eq \(other\); complete the data, or leave"):
        plan_parts(resolved(registry, SOURCES), tasks[:2], complete=True)
    named = SOURCES.replace('folder = "other"', 'folder = "other"\npairs = ["en-de"]')
    with pytest.raises(DataError, match="parts: 'en-de' is the name of no language pair in the data"):
        plan_parts(resolved(registry, named), tasks, complete=True)
