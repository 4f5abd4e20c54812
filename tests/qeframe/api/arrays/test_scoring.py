"""Scores of given values, and their intervals: those of an evaluation, and those of an obvious bootstrap."""

import math

import numpy as np
import pandas
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import qeframe
from qeframe import Registry, Submission, Task
from qeframe.core.errors import CapabilityError, DataError, ResultWarning, UnknownNameError
from qeframe.plugin import Metric, Scores, SignificanceTest, Values
from tests.outcome import failure

RNG = np.random.default_rng(12)
GOLD = RNG.normal(size=40)
GOOD = GOLD + RNG.normal(scale=0.2, size=40)
DOCUMENTS = [f"d{i // 4}" for i in range(40)]


def test_score_takes_lists_arrays_and_batches(registry: Registry) -> None:
    batch = Scores.from_plain(GOLD, GOOD)
    expected = float(np.abs(GOLD - GOOD).mean())
    for sides in ((GOLD, GOOD), (list(GOLD), list(GOOD)), (batch, None)):
        assert qeframe.score("mae", *sides) == pytest.approx(expected, abs=1e-15)
    assert qeframe.score(registry.get(Metric, "mae"), GOLD, GOOD, registry=registry) == pytest.approx(expected)
    assert qeframe.score("mean", None, [1, 2, 6]) == 3


def test_what_score_cannot_use_is_named() -> None:
    with pytest.raises(UnknownNameError, match="unknown metric 'pearsen'; did you mean 'pearson'"):
        qeframe.score("pearsen", GOLD, GOOD)
    with pytest.raises(UnknownNameError, match="unknown parameter of delta_avg 'tie'; did you mean 'ties'"):
        qeframe.score("delta_avg(tie=input)", GOLD, GOOD)
    with pytest.raises(DataError, match="delta_avg: parameter best = 'up' must be declared or low or high"):
        qeframe.score("delta_avg(best=up)", GOLD, GOOD)
    assert "metric 'pearson' has no parameters" in failure(DataError, qeframe.score, "pearson(x=1)", GOLD, GOOD)
    with pytest.raises(DataError, match="works on Scores, not on Values"):
        qeframe.score("mae", Values.from_plain(None, [1.0]), None)


def evaluated(metric, gold, predicted, seed, *settings, groups=None):
    task = Task(
        name="task",
        batches={Submission("A"): Scores.from_plain(gold, predicted)},
        groups={} if groups is None else {"document": tuple(groups)},
    )
    rules = [f"primary={metric}", "secondary=[]", "test=", *settings]
    return qeframe.evaluate("qe_sentence", task, settings=rules, seed=seed).submissions[0].scores[metric]


@pytest.mark.parametrize("metric", ["pearson", "mae", "delta_avg"])
def test_the_default_interval_is_that_of_an_evaluation(metric):
    found = qeframe.score(metric, GOLD, GOOD, interval="default", seed=3)
    expected = evaluated(metric, GOLD, GOOD, 3)
    assert (found.value, found.low, found.high) == (expected.value, expected.low, expected.high)
    assert found.low < found.value < found.high
    assert found.value == qeframe.score(metric, GOLD, GOOD)


def test_groups_are_resampled_as_in_an_evaluation():
    for interval in ("jackknife", "bootstrap(draws=200)"):
        found = qeframe.score("pearson", GOLD, GOOD, interval=interval, groups=DOCUMENTS, seed=5)
        settings = ("resample=document", f"interval={interval}")
        expected = evaluated("pearson", GOLD, GOOD, 5, *settings, groups=DOCUMENTS)
        assert (found.low, found.high) == (expected.low, expected.high)
        alone = qeframe.score("pearson", GOLD, GOOD, interval=interval, seed=5)
        assert (found.low, found.high) != (alone.low, alone.high)


def test_the_percentiles_of_an_obvious_bootstrap_of_groups_are_near():
    """1,000 draws of documents, the mean of the chosen units: the ends differ by the error of draws alone."""
    rng, values = np.random.default_rng(1), np.repeat(np.arange(10.0), 4)
    means = [values.reshape(10, 4)[rng.integers(10, size=10)].mean() for _ in range(4000)]
    found = qeframe.score("mean", None, values, interval="bootstrap(draws=4000)", groups=DOCUMENTS, confidence=0.9)
    np.testing.assert_allclose([found.low, found.high], np.quantile(means, [0.05, 0.95]), atol=0.15)


@settings(max_examples=15)
@given(st.permutations(range(40)))
def test_groups_follow_the_index(order):
    index = [f"u{i}" for i in range(40)]
    sides = [pandas.Series(values, index=index) for values in (GOLD, GOOD, DOCUMENTS)]
    expected = qeframe.score("pearson", GOLD, GOOD, interval="jackknife", groups=DOCUMENTS)
    gold, good, documents = sides[0], sides[1].iloc[list(order)], sides[2].iloc[list(order)[::-1]]
    assert qeframe.score("pearson", gold, good, interval="jackknife", groups=documents) == expected


def test_a_higher_level_is_wider_and_equal_seeds_are_equal():
    narrow, wide = (qeframe.score("mae", GOLD, GOOD, interval="jackknife", confidence=c) for c in (0.8, 0.99))
    assert wide.low < narrow.low < narrow.high < wide.high
    one, again, other = (qeframe.score("delta_avg", GOLD, GOOD, interval="default", seed=s) for s in (1, 1, 2))
    assert one == again
    assert (one.low, one.high) != (other.low, other.high)


def test_a_test_that_is_a_value_gives_the_same_interval(registry: Registry):
    test = registry.get(SignificanceTest, "jackknife")
    assert qeframe.score("mae", GOLD, GOOD, interval=test) == qeframe.score("mae", GOLD, GOOD, interval="jackknife")


def test_no_zero_is_negative():
    """Errors are negated, so that higher is better, and back again."""
    test = "bootstrap(draws=50)"
    result = qeframe.score("mae", GOLD, GOLD, interval=test)
    profile = qeframe.Profile(name="p", title="", reader="", primary="mae", test="", interval=test)
    (task,) = qeframe.tasks_from_frame(pandas.DataFrame({"gold": GOLD, "a": GOLD}), gold="gold", submissions=["a"])
    (scored,) = qeframe.evaluate(profile, [task]).submissions
    for one in (result, scored.scores["mae"]):
        assert [math.copysign(1.0, number) for number in (one.value, one.low, one.high)] == [1.0, 1.0, 1.0]


def test_without_an_interval_both_ends_are_undefined():
    few = qeframe.score("pearson", [1, 2, 3, 4], [1, 2, 4, 3], interval="default")
    assert few.value == pytest.approx(0.8)
    assert math.isnan(few.low)
    assert math.isnan(few.high)
    assert few.details["no_interval"] == "4 units or groups: a jackknife error needs at least 7"
    constant = qeframe.score("pearson", GOLD, np.zeros(40), interval="bootstrap(draws=50)")
    assert math.isnan(constant.value)
    assert constant.details["undefined_draws"] == 50
    assert constant.details["no_interval"] == "the score is undefined"


@pytest.mark.parametrize(
    ("metric", "gold", "predicted", "options", "why"),
    [
        ("pearson", GOLD, GOLD, {}, "the score is perfect, whole or when one unit is left out"),
        ("mae", GOLD, GOLD + 1, {}, None),
        ("mae", np.arange(8.0), np.arange(8.0) + 1, {},
         "the score is the same whichever unit is left out, so that it has no standard error"),
        ("pearson", np.arange(8) == 0, np.arange(8) > 4, {}, "the score is undefined when one unit is left out"),
        ("mae", GOLD, GOOD, {"groups": [f"d{i % 3}" for i in range(40)]}, "3 units or groups: a jackknife error"),
    ],
)  # fmt: skip
def test_a_missing_interval_has_a_reason(metric, gold, predicted, options, why):
    found = qeframe.score(metric, gold, predicted, interval="jackknife", **options)
    if why is None:  # all but equal differences: rounding leaves a standard error
        assert math.isnan(found.low) == ("no_interval" in found.details)
    else:
        assert math.isnan(found.low)
        assert found.details["no_interval"].startswith(why)


def test_an_interval_needs_no_reason():
    for interval in ("jackknife", "bootstrap(draws=50)"):
        assert "no_interval" not in qeframe.score("mae", GOLD, GOOD, interval=interval).details


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"interval": "williams"}, "test 'williams' gives no intervals; these do: bootstrap, jackknife"),
        ({"groups": DOCUMENTS}, "'groups' change the interval, and none is asked for; give interval=\"default\""),
        ({"interval": "default", "groups": ["a", "b"]}, "'groups' has 2 labels for 40 units; give the group of every"),
        ({"interval": "default", "groups": []}, "'groups' has 0 labels for 40 units"),
        ({"interval": "default", "groups": ["a"] * 40}, "'groups' has a single group; give at least two"),
        ({"interval": "default", "groups": [*DOCUMENTS[1:], None]}, "'groups' has a missing label; give the group"),
        ({"interval": "default", "confidence": 1}, "confidence must lie between 0 and 1, not 1"),
        ({"interval": "default", "seed": -1}, "seed must not be negative, it is -1"),
        (
            {"interval": "default", "groups": pandas.Series(DOCUMENTS, index=range(1, 41))},
            "'groups' has an index of its own, and the gold has none",
        ),
    ],
)
def test_what_has_no_interval_is_refused(options, said):
    assert said in failure(DataError, qeframe.score, "pearson", GOLD, GOOD, **options)


def test_a_metric_without_what_an_interval_needs():
    with pytest.raises(CapabilityError, match="interval 'jackknife' needs a metric smooth in the weights"):
        qeframe.score("delta_avg", GOLD, GOOD, interval="jackknife")


@pytest.mark.parametrize("missing", [None, float("nan"), pandas.NA])
def test_a_missing_label_of_every_kind(missing):
    labels = pandas.Series([*DOCUMENTS[1:], missing], dtype=object)
    with pytest.raises(DataError, match="'groups' has a missing label"):
        qeframe.score("pearson", GOLD, GOOD, interval="default", groups=labels)


def test_a_misspelled_default_interval():
    with pytest.raises(UnknownNameError, match="unknown interval 'defaults'; did you mean 'default'"):
        qeframe.score("pearson", GOLD, GOOD, interval="defaults")
    with pytest.raises(UnknownNameError, match="unknown parameter of bootstrap 'drows'; did you mean 'draws'"):
        qeframe.score("pearson", GOLD, GOOD, interval="bootstrap(drows=10)")


# --- what limits a score --------------------------------------------------------------------------------------------


@pytest.mark.filterwarnings("default::qeframe.core.errors.ResultWarning")
@pytest.mark.parametrize(
    ("gold", "predicted", "interval", "said"),
    [
        (np.ones(40), GOOD, None, ["the gold is constant", "pearson of predicted is undefined"]),
        (GOLD, np.ones(40), "bootstrap(draws=9)", ["pearson of predicted is undefined: the", "undefined in 9 draws"]),
        (GOLD[:5], GOOD[:5], "default", ["no interval of pearson for predicted: 5 units"]),
        (GOLD, np.where(np.arange(40) == 3, 99.0, GOOD), "default", ["few units carry pearson of predicted"]),
    ],
)
def test_what_limits_a_score_is_a_warning_and_a_value(gold, predicted, interval, said):
    with pytest.warns(ResultWarning) as caught:
        found = qeframe.score("pearson", gold, predicted, interval=interval)
    texts = [str(each.message) for each in caught]
    assert all(each.filename == __file__ for each in caught)
    assert [part in text for part, text in zip(said, texts, strict=True)] == [True] * len(said)
    if interval is not None:
        assert found.warnings == tuple(texts)


@pytest.mark.filterwarnings("error::qeframe.core.errors.ResultWarning")
def test_a_score_without_limits_warns_of_nothing():
    assert qeframe.score("pearson", GOLD, GOOD, interval="default").warnings == ()
    assert qeframe.score("pearson", GOLD, GOOD) > 0


def test_each_submission_of_a_task_is_named_once():
    task = Task(name="t", batches={Submission(name): Scores.from_plain(GOLD, np.ones(40)) for name in "AB"})
    with pytest.warns(ResultWarning) as caught:
        qeframe.score("pearson", task)
    assert [str(each.message)[:25] for each in caught] == ["pearson of A is undefined", "pearson of B is undefined"]


def test_an_evaluation_warns_of_its_values():
    task = Task(name="t", batches={Submission(name): Scores.from_plain(GOLD, np.ones(40)) for name in "AB"})
    with pytest.warns(ResultWarning) as caught:
        found = qeframe.evaluate("qe_sentence", task)
    assert tuple(str(each.message) for each in caught) == found.warnings
    assert all(each.filename == __file__ for each in caught)
