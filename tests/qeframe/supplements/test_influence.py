"""Influential units, against scores of the tasks without them."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import qeframe
from qeframe.assembly.compare import whole_evaluation
from qeframe.core.errors import DataError
from qeframe.core.findings import Influence, Unit
from qeframe.supplements.given import SupplementInput
from qeframe.supplements.influence import fewest_to_pass, influence
from tests.qeframe.assembly.made_sets import profile as of_parts
from tests.qeframe.assembly.made_sets import two_pairs
from tests.qeframe.core.evaluation.made_contests import in_task, made_task, scoreboard, scores, without

TASKS = [
    made_task(units=25, noise={"a": 0.7, "b": 0.72, "c": 2}),
    made_task("en-ru", 15, 5, {"a": 0.7, "b": 0.7, "c": 2}),
]


def found_on(board, units):
    """Return the influences that are found on a scoreboard."""
    return influence(units)(whole_evaluation(board, None, 0.05))


def scores_without(registry, metric, units):
    """Return the oriented scores of the tasks without some units, by position over all tasks."""
    kept = [without(TASKS[0], {u for u in units if u < 25}), without(TASKS[1], {u - 25 for u in units if u >= 25})]
    return scores(registry, metric, kept)


@pytest.mark.parametrize("metric", ["pearson", "mae", "spearman"])
def test_influences_are_those_of_the_tasks_without_the_unit(registry, metric):
    board = scoreboard(registry, metric, TASKS)
    found = found_on(board, 40)
    sign, whole = board.contests[0].sign, board.contests[0].oriented
    assert (found.units, found.unit, found.metric) == (40, "segment", metric)
    names = ["a", "b", "c"]
    slow = np.array([scores_without(registry, metric, {unit}) for unit in range(40)])
    for i, name in enumerate(names):
        moved = found.moved[name]
        sizes = [abs(one.influence) for one in moved]
        assert sizes == sorted(sizes, reverse=True)
        for one in moved:
            position = int(one.unit.name) + (25 if one.unit.task == "en-ru" else 0)
            assert one.without == pytest.approx(sign * slow[position, i], abs=1e-9)
            assert one.influence == pytest.approx(sign * (whole[i] - slow[position, i]), abs=1e-9)
    leader = int(np.argmax(whole))
    changed = [unit for unit in range(40) if int(np.argmax(slow[unit])) != leader]
    assert found.leaders == (names[leader],)
    assert found.changing == len(changed) == len(found.winners_without)
    leads = [one.lead for one in found.winners_without]
    assert leads == sorted(leads, reverse=True)
    for one in found.winners_without:
        position = int(one.unit.name) + (25 if one.unit.task == "en-ru" else 0)
        assert one.leaders == (names[int(np.argmax(slow[position]))],)
    if found.fewest is not None:
        positions = [int(u.name) + (25 if u.task == "en-ru" else 0) for u in found.fewest.units]
        assert len(positions) == found.fewest.count == round(found.fewest.share * 40)
        after = scores_without(registry, metric, set(positions))
        assert after[names.index(found.fewest.challenger)] > after[leader]


def influences(contest, names, *, metric, unit, most, reason=""):
    """Return the influences that are found on a contest."""
    given = SupplementInput(
        contest=contest,
        submissions=names,
        metric=metric,
        unit=unit,
        describe=lambda position: Unit(name=str(position)),
        rules=None,
        alpha=0.05,
        not_left_out=reason,
    )
    return influence(most)(given)


def test_no_more_units_than_asked_for(registry):
    found = found_on(scoreboard(registry, "mae", TASKS), 2)
    assert {len(moved) for moved in found.moved.values()} == {2}
    assert len(found.winners_without) <= 2
    with pytest.raises(DataError, match="at least 1"):
        influence(0)


def test_equal_leaders_lead_together_and_a_unit_can_divide_them(registry):
    gold = [0.0] * 8
    contest = in_task(registry, "mae", gold, [[1, 0, 0, 0, 0, 0, 0, 0], [0, 1, 0, 0, 0, 0, 0, 0], [2] * 8])
    found = influences(contest, ["a", "b", "c"], metric="mae", unit="segment", most=5)
    assert found.leaders == ("a", "b")
    assert found.fewest is None
    assert {(one.unit.name, one.leaders) for one in found.winners_without} == {("0", ("a",)), ("1", ("b",))}
    assert found.changing == 2


def test_an_undefined_score_has_no_influence_and_no_lead(registry):
    gold = np.arange(9.0)
    contest = in_task(registry, "pearson", gold, [np.ones(9), gold[::-1] + [5, 0, 0, 0, 0, 0, 0, 0, 0]])
    found = influences(contest, ["flat", "b"], metric="pearson", unit="segment", most=2)
    assert (found.leaders, found.moved["flat"]) == (("b",), ())
    assert list(found.moved) == ["b", "flat"], "the best first"
    none = in_task(registry, "pearson", gold, [np.ones(9), np.ones(9)])
    assert influences(none, ["a", "b"], metric="", unit="", most=2).leaders == ()


def test_a_unit_without_which_a_score_is_undefined_is_first(registry):
    gold = np.arange(9.0)
    contest = in_task(registry, "pearson", gold, [[0, 0, 0, 1, 0, 0, 0, 0, 0], gold])
    found = influences(contest, ["spike", "b"], metric="pearson", unit="segment", most=2)
    assert found.moved["spike"][0].unit.name == "3"
    assert np.isnan(found.moved["spike"][0].influence)


def test_too_much_work_is_one_line(registry, monkeypatch):
    monkeypatch.setattr("qeframe.assembly.compare._MOST_WEIGHTS", 100)
    found = found_on(scoreboard(registry, "delta_avg", TASKS, test="bootstrap(draws=9)"), 3)
    assert found.reason == (
        "a metric that is not additive would be computed again without each of 40 units, which takes too long"
    )
    assert found.moved == {}
    assert found_on(scoreboard(registry, "pearson", TASKS), 3).reason == ""


def test_a_given_reason_is_kept(registry):
    made = influences(
        scoreboard(registry, "mae", TASKS).contests[0], "abc", metric="mae", unit="u", most=1, reason="why"
    )
    assert made == Influence(metric="mae", units=40, unit="u", reason="why")


def search(values):
    """Search on means of values, (n, S); return the result and the function of weights."""

    def weighted(weights):
        return (weights[..., None] * values).sum(axis=-2) / weights.sum(axis=-1)[..., None]

    n = len(values)
    scores, left_out = weighted(np.ones(n)), weighted(1 - np.eye(n))
    return fewest_to_pass(weighted, scores, left_out, int(np.argmax(scores))), weighted


def smallest_by_hand(values):
    """Return the smallest number of units whose removal lets any other pass; for means, removing the largest leads."""
    scores = values.mean(axis=0)
    leader = int(np.argmax(scores))
    best = len(values) + 1
    for other in range(values.shape[1]):
        leads = np.sort(values[:, leader] - values[:, other])[::-1]
        for k in range(1, len(leads)):
            if leads[k:].sum() < 0:
                best = min(best, k)
                break
    return best


@given(st.integers(0, 10_000))
def test_what_is_returned_passes_and_one_less_does_not(seed):
    rng = np.random.default_rng(seed)
    values = rng.normal(size=(30, 3)) + [0.3, 0.0, -0.5]
    found, weighted = search(values)
    expected = smallest_by_hand(values)
    if expected > 15:
        assert found is None
        return
    assert found is not None
    challenger, units = found
    leader = int(np.argmax(values.mean(axis=0)))
    assert abs(len(units) - expected) <= 1, "means are linear but for their denominator: the first guess is near"
    for count, passes in ((len(units), True), (len(units) - 1, False)):
        weights = np.ones(30)
        weights[units[:count]] = 0
        scores = weighted(weights)
        assert (scores[challenger] > scores[leader]) == passes


def test_nothing_suffices():
    values = np.column_stack([np.ones(10), np.zeros(10)])
    assert search(values)[0] is None


def test_an_undefined_score_without_a_unit_does_not_hide_the_others():
    values = np.column_stack([np.r_[4.0, 4.0, np.zeros(8)], np.full(10, 0.3)])
    (challenger, units), weighted = search(values)
    assert (challenger, sorted(units.tolist())) == (1, [0, 1])
    left_out = weighted(1 - np.eye(10))
    left_out[5] = np.nan
    again = fewest_to_pass(weighted, weighted(np.ones(10)), left_out, 0)
    assert again is not None
    assert sorted(again[1].tolist()) == [0, 1]


def test_rivals_without_a_score_are_none():
    values = np.column_stack([np.ones(10), np.full(10, np.nan)])
    assert fewest_to_pass(lambda w: np.array([1.0, np.nan]), np.array([1.0, np.nan]), values, 0) is None


def test_a_unit_of_several_parts_is_not_left_out(registry):
    parts = '[[parts]]\nmetric = ["system_pearson", "segment_pearson"]\n'
    rules = of_parts(registry, parts, test='"jackknife"', correction='"holm"')
    made = qeframe.evaluate(rules, two_pairs(), influence=2, registry=registry).influence
    assert (made.metric, made.unit, made.moved) == ("overall", "unit", {})
    assert made.reason.startswith("a unit belongs to several parts of a task set; run a profile with")
