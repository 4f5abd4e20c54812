"""Which metrics separate submissions, and which attacks beat how many of them."""

import math

import attrs
import numpy as np
import pytest

from qeframe import DataError, Submission, Task, choose_profile
from qeframe.core.metric import Attack
from qeframe.kinds.scores.batch import Scores
from qeframe.studies.separation_tables import distinction_coefficient, distinguish_by_attacks


def task_of(rng, qualities):
    gold = rng.standard_normal(60)
    batches = {
        Submission(name): Scores(ids=np.arange(60), gold=gold, predicted=q * gold + (1 - q) * rng.standard_normal(60))
        for name, q in qualities.items()
    }
    return Task(name="made", batches=batches)


def constant(batch, rng):
    return Scores(ids=batch.ids, gold=batch.gold, predicted=np.full(len(batch), np.median(batch.gold)))


MEDIAN = Attack(name="median", summary="", kind=Scores, manner="blind", knowledge="the median", answer=constant)


def test_a_submission_that_lacks_a_task_is_not_counted_among_those_to_be_beaten(registry):
    rng = np.random.default_rng(0)
    qualities = {"good": 0.9, "fair": 0.5, "poor": 0.05}
    tasks = [task_of(rng, qualities), attrs.evolve(task_of(rng, {**qualities, "partial": 0.3}), name="other")]
    (row,) = distinguish_by_attacks(
        choose_profile("qe_sentence", (), registry), tasks, [], registry, metrics=["pearson"]
    )
    assert row.submissions == 3
    assert row.distinction.d == 1.0
    assert row.groups == 3


def test_attacks_beat_those_with_a_strictly_lower_score(registry):
    task = task_of(np.random.default_rng(0), {"good": 0.9, "fair": 0.5, "poor": 0.05})
    rules = choose_profile("qe_sentence", (), registry)
    mae, pearson = distinguish_by_attacks(rules, [task], [MEDIAN], registry, metrics=["mae", "pearson"])
    worse = [float(np.abs(b.predicted - b.gold).mean()) for b in task.batches.values()]
    median = next(iter(task.batches.values())).gold
    bound = float(np.abs(median - np.median(median)).mean())
    assert mae.beaten == {"median": sum(score > bound for score in worse)}
    assert mae.beaten["median"] >= 1
    assert pearson.beaten == {"median": 0}, "an undefined score beats no submission"
    assert pearson.groups == 3
    assert pearson.distinction.d == 1.0
    assert pearson.total == 0


def test_too_few_draws_one_submission_and_a_task_set_are_refused(registry):
    task = task_of(np.random.default_rng(0), {str(i): 0.5 for i in range(12)})
    with pytest.raises(DataError, match="ask for at least 1320 draws"):
        distinguish_by_attacks(choose_profile("qe_sentence", (), registry), [task], [], registry, draws=1000)
    task = task_of(np.random.default_rng(0), {"alone": 0.5})
    with pytest.raises(DataError, match="1 submission cannot be compared"):
        distinguish_by_attacks(choose_profile("qe_sentence", (), registry), [task], [], registry)
    with pytest.raises(DataError, match="'wmt23_metrics' is a task set; give a profile of one metric"):
        distinguish_by_attacks(choose_profile("wmt23_metrics", (), registry), [], [], registry)


def test_names_of_tasks_that_the_user_set_must_be_there(registry):
    task = task_of(np.random.default_rng(0), {"good": 0.9, "fair": 0.5})
    for settings in (["weights={other=2.0}", "across=weighted"], ["across=mean(exclude=[other])"]):
        rules = choose_profile("qe_sentence", settings, registry)
        with pytest.raises(DataError, match=r"task 'other' is .*, but there is no such task"):
            distinguish_by_attacks(rules, [task], [], registry, metrics=["pearson"], draws=100)


P = np.array([[1, 0.9, 0.001, 0.0001], [0.9, 1, 0.02, 0.001], [0.001, 0.02, 1, 0.004], [0.0001, 0.001, 0.004, 1]])


def same(a, b):
    return a == b or (math.isnan(a) and math.isnan(b))


def test_golden_cases(golden):
    cases = [case for case in golden if case["function"] == "distinction"]
    assert len(cases) == 2
    for case in cases:
        found = distinction_coefficient(case["input"]["scores"], case["input"]["p"])
        for key, value in case["expected"]["value"].items():
            assert same(getattr(found, key), float(value)), key


def test_distinctions_of_few_submissions():
    found = distinction_coefficient([4, 3, 2, 1], P)
    assert found.d == pytest.approx(4 / 6)
    assert (found.d_top, found.d_bottom) == (0.0, 1.0)
    found = distinction_coefficient([3, 2, 1], [[1, 0.9, 0.001], [0.9, 1, 0.02], [0.001, 0.02, 1]])
    assert math.isnan(found.d_top)
    assert found.d_bottom == 1.0
    assert math.isnan(distinction_coefficient([1.0], [[1.0]]).d)
    with pytest.raises(DataError, match="2 scores need p-values of shape"):
        distinction_coefficient([1, 2], [[1.0]])


def test_order_of_submissions_is_irrelevant():
    order = [2, 0, 3, 1]
    assert distinction_coefficient(np.array([4, 3, 2, 1])[order], P[np.ix_(order, order)]) == distinction_coefficient(
        [4, 3, 2, 1], P
    )


def test_submissions_without_a_score_and_pairs_that_were_not_tested_do_not_count():
    scores, p = np.append([4.0, 3.0, 2.0, 1.0], np.nan), np.pad(P, (0, 1), constant_values=np.nan)
    assert distinction_coefficient(scores, p) == distinction_coefficient([4, 3, 2, 1], P)
    first, second = [0, 1], [1, 0]
    untested = P.copy()
    untested[first, second] = np.nan
    found = distinction_coefficient([4, 3, 2, 1], untested)
    assert found.d == pytest.approx(4 / 5)
    assert math.isnan(found.d_top)
    assert math.isnan(distinction_coefficient([np.nan, np.nan], [[1.0, np.nan], [np.nan, 1.0]]).d)
