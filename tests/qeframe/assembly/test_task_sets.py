"""Parts of an evaluation of a set of tasks."""

import math

import attrs
import numpy as np
import pytest

import qeframe
from qeframe import CapabilityError, DataError, Runner, Submission
from qeframe.assembly.parts import bind_parts, plan_parts
from qeframe.core.display import canonical_json
from qeframe.core.exchange import on_scale_of_all
from qeframe.kinds.tags.batch import Tags
from tests.qeframe.assembly.made_sets import WMT23, profile, resolved, task, two_pairs


# Overall scores as a contest: scores, draws, and what they do not have.
@pytest.fixture
def board(registry):
    return bind_parts(resolved(registry), two_pairs(), 0, Runner())


@pytest.fixture
def overall(board):
    return board.contests[0]


def scaled(part, oriented):
    low, high = part.scale
    return part.weight * (oriented - low) / (high - low)


def test_the_overall_score_is_the_weighted_mean_of_scaled_scores(board, overall):
    assert overall.oriented == pytest.approx(sum(scaled(p, p.contest.oriented) for p in board.entries))
    first, second = overall.pairs
    assert (overall.oriented[first] >= overall.oriented[second]).all()


def test_what_an_overall_score_does_not_have(registry, overall):
    alone = bind_parts(attrs.evolve(resolved(registry), test=None), two_pairs(), 0, Runner()).contests[0]
    for ask in (lambda: alone.along("segment"), lambda: alone.exchanged_differences(9, alone.pairs)):
        with pytest.raises(CapabilityError, match="all pairs pairwise_accuracy has none; set test=jackknife or"):
            ask()
    for refused in (overall.outcomes, overall.vectors, overall.per_unit):
        with pytest.raises(CapabilityError, match="an overall score over parts"):
            refused()


def test_all_parts_of_a_language_pair_are_resampled_together(board, overall):
    drawn = overall.resample(50)
    assert drawn == pytest.approx(sum(scaled(p, p.contest.resample(50)) for p in board.entries), nan_ok=True)
    assert len({id(term.sample) for term in overall.terms}) == 2
    assert overall.along("cell") is overall
    assert overall.sizes == (8, 7), "units that several parts share count once"


def test_a_unit_is_left_out_of_all_parts_that_have_it(board, overall):
    """The loop that is obviously right: score every part again without the unit."""
    expected = []
    for units in overall.sizes:
        for unit in range(units):
            total = np.zeros(3)
            for part in board.entries:
                scores = []
                for one in part.contest.terms:
                    weights = np.ones(one.sample.stack.units)
                    if one.sample.stack.units == units:
                        weights[unit] = 0
                    scores.append(one.sign * one.sample.stack(weights).reshape(len(one.sample.metrics), -1)[one.nth])
                total += scaled(part, part.contest.combine(scores))
            expected.append(total)
    assert overall.jackknife() == pytest.approx(np.array(expected), nan_ok=True)


def test_a_submission_that_lacks_a_part_has_no_overall_score(registry):
    from tests.qeframe.assembly.made_sets import task

    tasks = [task("en-de", 1, 8, 4), task("he-en", 2, 7, 5, absent=("m1",))]
    board = bind_parts(resolved(registry), tasks, 0, Runner())
    oriented = board.contests[0].oriented
    assert np.isnan(oriented).tolist() == [False, True, False]


# Submissions that are not ranked, each entered alone.
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


# The plan of a task set: which language pairs take part in a pooled part.
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
        plan_parts(resolved(registry, POOLED), [task("en-de", 1, 8, 1), task("he-en", 2, 7, 1)], complete=True)


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


# Scores over several tasks together, on one scale.
@pytest.fixture
def pooled(registry):
    parts = '[[parts]]\nmetric = "pairwise_accuracy"\npool = true'
    return bind_parts(resolved(registry, parts), two_pairs(), 0, Runner()).entries[0].contest


def test_the_scores_of_a_submission_are_standardized_over_all_tasks(pooled):
    along = pooled.along("cell", standardize=True)
    for nth in range(3):
        each = [term.sample.batches[nth].predicted for term in along.terms]
        together = np.concatenate([values.ravel() for values in each])
        assert (together.mean(), together.std()) == pytest.approx((0, 1))
        assert abs(each[0].mean()) > 1e-3
    assert along.terms[0].swap.unit == "cell"
    assert not along.terms[0].swap.standardize
    assert along.oriented == pytest.approx(pooled.oriented)
    assert pooled.along("cell", standardize=True) is along


def test_a_constant_submission_keeps_its_scale(pooled):
    ones = [attrs.evolve(b, predicted=np.full(b.gold.shape, 3.0)) for b in pooled.terms[0].sample.batches]
    (moved,) = on_scale_of_all([ones], [np.arange(3)])
    assert (moved[0].predicted == 0).all()


def test_only_numbers_are_standardized():
    tags = Tags.from_plain([["OK"]], [["BAD"]])
    with pytest.raises(qeframe.QeframeError, match="only if they are numbers"):
        on_scale_of_all([[tags]], [np.array([0])])
