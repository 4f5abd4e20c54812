"""Submissions that are not ranked, each entered alone."""

import math

import attrs
import pytest

import qeframe
from qeframe.core.evaluation.canonical_json import canonical_json
from qeframe.core.tasks.task import Submission
from tests.qeframe.task_sets.made_sets import WMT23, profile, task, two_pairs


def with_attack(made, nth):
    batches = {**made.batches, Submission("thief", "attack"): list(made.batches.values())[nth]}
    return attrs.evolve(made, batches=batches)


def test_an_attack_takes_the_rank_of_the_submission_that_it_copies(registry):
    rules = profile(registry, WMT23)
    plain = qeframe.evaluate(rules, two_pairs(), registry=registry)
    attacked = qeframe.evaluate(rules, [with_attack(each, 0) for each in two_pairs()], registry=registry)
    thief = next(s for s in attacked.submissions if s.kind == "attack")
    copied = next(s for s in plain.submissions if s.name == "m0")
    assert (thief.rank, thief.cluster) == (copied.rank, None)
    assert thief.scores["overall"].value == pytest.approx(copied.scores["overall"].value)
    real = [s for s in attacked.submissions if s.kind == "real"]
    assert canonical_json(real) == canonical_json(plain.submissions)
    assert attacked.comparisons == plain.comparisons


def test_one_that_lacks_a_language_pair_has_no_overall_score(registry):
    first, second = two_pairs()
    evaluation = qeframe.evaluate(profile(registry, WMT23), [with_attack(first, 1), second], registry=registry)
    thief = next(s for s in evaluation.submissions if s.kind == "attack")
    assert math.isnan(thief.scores["overall"].value)
    assert set(thief.scores["overall"].tasks) == {"en-de system_pearson", "en-de segment_pearson", "en-de acc_eq"}


@pytest.mark.parametrize("weight", [1, 0])
def test_one_that_has_a_single_reading_keeps_to_the_part_of_that_reading(registry, weight):
    parts = f"""
[[parts]]
metric = "segment_pearson"
read = {{domain = ""}}
[[parts]]
metric = "segment_pearson"
read = {{domain = "news"}}
weight = {weight}
"""
    whole, news = task("en-de", 1, 8, 4, selection='domain=""'), task("en-de", 9, 5, 4, selection="domain=news")
    evaluation = qeframe.evaluate(profile(registry, parts), [whole, with_attack(news, 1)], registry=registry)
    thief, copied = (next(s for s in evaluation.submissions if s.name == name) for name in ("thief", "m1"))
    (name,) = thief.scores["overall"].tasks
    assert name == "en-de segment_pearson news"
    assert thief.scores["overall"].tasks[name].value == copied.scores["overall"].tasks[name].value
    assert math.isnan(thief.scores["overall"].value)
