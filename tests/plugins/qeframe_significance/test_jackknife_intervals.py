"""Intervals on the interval scale of the metric: checked cases, a computation by loops, edges."""

import math
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

import qeframe
from qeframe.core.metric import Metric
from qeframe_significance.jackknife_intervals import _largest_shares
from tests.examples import FEWER
from tests.plugins.contests import CASES2, NEAR, tags

BY_SCALE = "jackknife_and_exchange"


def ends(metric: str, gold: Any, answers: Any, interval: str = BY_SCALE) -> list[float]:
    found = qeframe.score(metric, gold, answers, confidence=0.95, interval=interval)
    return [found.low, found.high]


def expected(case: dict[str, Any], key: str) -> list[list[float]]:
    return [[math.nan if end is None else end for end in both] for both in zip(*case[key], strict=True)]


@pytest.mark.parametrize("name", ["pearson_gross_error", "pearson_perfect"])
@pytest.mark.parametrize(("interval", "key"), [(BY_SCALE, "interval_95_hull"), ("jackknife", "interval_95_t")])
def test_checked_intervals_of_correlations(name, interval, key):
    case = CASES2[name]
    for answers, interval_95 in zip(case["submissions"], expected(case, key), strict=True):
        assert ends("pearson", case["gold"], answers, interval) == pytest.approx(interval_95, **NEAR)


def test_checked_intervals_of_errors():
    case = CASES2["mae_zero_error"]
    for answers, interval_95 in zip(case["submissions"], expected(case, "interval_95_log_scale"), strict=True):
        oriented = [-end for end in reversed(ends("mae", case["gold"], answers))]
        assert oriented == pytest.approx(interval_95, **NEAR)


@pytest.mark.parametrize(("metric", "key"), [("mcc", "interval_95_hull"), ("f1_mult", "f1_mult_interval_95_logit")])
def test_checked_intervals_of_tags(metric, key):
    case = CASES2["mcc_sentences"]
    for submission, interval_95 in enumerate(expected(case, key)):
        gold, answers = tags([of_sentence[submission] for of_sentence in case["counts"]])
        assert ends(metric, gold, answers) == pytest.approx(interval_95, **NEAR)


def by_loops(score: Any, units: int) -> tuple[float, float, list[float], float]:
    """Return a score on its scale, its jackknife error, what is left out, and Student's quantile."""
    left = [score([i for i in range(units) if i != out]) for out in range(units)]
    mean = sum(left) / units
    away = [value - mean for value in left]
    square, fourth = sum(d**2 for d in away), sum(d**4 for d in away)
    freedom = min(max(2 * square**2 / (fourth - square**2 / units), 1), units - 1)
    error = ((units - 1) / units * square) ** 0.5
    return score(list(range(units))), error, away, float(stats.t.ppf(0.975, freedom))


NUMBERS = st.lists(st.integers(-20, 20), min_size=9, max_size=9)


@given(NUMBERS, NUMBERS)
def test_intervals_by_loops(gold, answers):
    errors = [abs(a - b) for a, b in zip(gold, answers, strict=True)]
    if sum(value > 0 for value in errors) > 1 and len(set(errors)) > 1:
        value, error, _, q = by_loops(lambda units: math.log(sum(errors[i] for i in units) / len(units)), 9)
        if error > 1e-9 and value + q * error < 300:
            assert ends("mae", gold, answers) == pytest.approx(
                [math.exp(value - q * error), math.exp(value + q * error)], rel=1e-9
            )

    def z(units: list[int]) -> float:
        r = np.corrcoef([gold[i] for i in units], [answers[i] for i in units])[0, 1]
        return float(np.arctanh(r)) if abs(r) < 1 - 1e-9 else math.nan

    with np.errstate(divide="ignore", invalid="ignore"):
        value, error, away, q = by_loops(z, 9)
    if not (math.isfinite(value + error + q) and error > 1e-9):
        return
    second, third = (sum((-d) ** power for d in away) / 9 for power in (2, 3))
    a = third / second**1.5 / (3 * 9**0.5)

    def hall(y: float) -> float:
        return y if abs(a) < 1e-9 else float((np.cbrt(1 + 3 * a * (y - a / 2)) - 1) / a)

    low = math.tanh(min(value - q * error, value - error * hall(q)))
    high = math.tanh(max(value + q * error, value - error * hall(-q)))
    assert ends("pearson", gold, answers) == pytest.approx([low, high], rel=1e-6, abs=1e-6)


def test_scores_at_an_end_have_no_interval_and_a_reason():
    gold = [["OK", "BAD", "OK"], ["BAD", "OK", "OK"]] * 4
    perfect = qeframe.score("f1_bad", gold, gold, confidence=0.95, interval=BY_SCALE)
    assert math.isnan(perfect.low)
    assert "the score is 0 or 1" in perfect.details["no_interval"]
    one = [["OK", "BAD", "OK"], *[["OK", "OK", "OK"]] * 7]
    found = qeframe.score("f1_bad", gold, one, confidence=0.95, interval=BY_SCALE)
    assert math.isnan(found.low)
    assert "the score is 0 or 1" in found.details["no_interval"]


def test_scales_of_intervals_are_not_those_of_tests(registry):
    scales = {name: registry.get(Metric, name).interval_scale for name in ("f1_mult", "mcc", "cohen_kappa", "mae")}
    assert scales == {"f1_mult": "logit", "mcc": "arctanh", "cohen_kappa": "identity", "mae": "log"}
    assert {registry.get(Metric, name).working_scale for name in scales} == {"identity"}


@given(st.integers(0, 10**6), st.sampled_from([9, 40, 150]))
@FEWER
def test_few_units_carry_a_score_by_the_definition(seed: int, units: int) -> None:
    """The share of the largest squared deviations without each unit, of 3 % of all units and at most three."""
    rng = np.random.default_rng(seed)
    gold = rng.normal(size=units)
    answers = gold + rng.normal(size=units)
    answers[: int(rng.integers(0, 3))] += rng.choice([3.0, 30.0])
    logs = [
        math.log(sum(abs(gold[i] - answers[i]) for i in range(units) if i != j) / (units - 1)) for j in range(units)
    ]
    mean = sum(logs) / units
    squares = sorted(((value - mean) ** 2 for value in logs), reverse=True)
    few = min(3, math.ceil(0.03 * units))
    share = sum(squares[:few]) / sum(squares)
    details = qeframe.score("mae", gold, answers, interval=BY_SCALE).details
    if abs(share - 0.9) > 1e-6:
        assert ("few_units" in details) == (share > 0.9)
    if "few_units" in details:
        assert details["few_units"] == {"units": few, "share": pytest.approx(share)}


def test_units_of_several_samples_carry_the_score_of_all() -> None:
    left_out = np.concatenate([np.zeros(10), [5.0], np.linspace(0, 0.1, 39)])[:, None]
    (share,) = _largest_shares(left_out, (11, 39), 1)
    deviations = [part - part.mean() for part in np.split(left_out[:, 0], [11])]
    squares = np.concatenate([(len(part) - 1) / len(part) * part**2 for part in deviations])
    assert share == pytest.approx(squares.max() / squares.sum())
    assert _largest_shares(np.ones((9, 2)), (9,), 1).tolist() == [0.0, 0.0]
