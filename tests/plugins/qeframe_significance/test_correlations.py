"""Tests of correlations."""

import math
import re
from itertools import product
from random import Random
from typing import Any, get_args

import numpy as np
import pytest
from error_rates import Simulation
from hypothesis import given, settings
from hypothesis import strategies as st
from laws import find_law

import qeframe
from qeframe.core.errors import CapabilityError, DataError
from qeframe.core.metric import Metric
from qeframe.core.registry import Registry
from qeframe.core.significance import SignificanceTest
from qeframe.kinds.registered import find_kind
from qeframe_significance.correlations.by_normal_theory import williams
from qeframe_significance.correlations.correlation_exchange import CorrelationExchange
from qeframe_significance.correlations.dependent_correlations import Method, dependent_correlations_z
from qeframe_significance.correlations.williams_formula import williams_t
from tests.plugins.contests import contest_of
from tests.registered import profile_named


# The tests of correlations as components: what they say of the data.
def on(registry: Registry, name: str, units: int = 400) -> tuple[str, ...]:
    drawn = Simulation(metric=registry.get(Metric, "pearson"), law=find_law(name), units=units)
    assert williams.remarks is not None
    return tuple(williams.remarks(drawn.contest(3), "two"))


def rate_of(remark: str) -> tuple[float, float, float]:
    """Return the rate that a remark says, and its ends."""
    found = re.search(r"false-positive rate at \.05.* is about (\S+) \((\S+) to (\S+)\)", remark)
    assert found, remark
    rate, low, high = map(float, found.groups())
    return rate, low, high


def test_of_normal_data_whose_rate_is_that_of_the_level_nothing_is_said(registry: Registry) -> None:
    assert on(registry, "normal") == ()


def test_skewed_data_name_the_rate_that_they_imply(registry: Registry) -> None:
    (remark,) = on(registry, "mqm_like")
    assert "times what it assumes" in remark
    rate, low, high = rate_of(remark)
    assert 0.3 < rate < 0.7
    assert 0.05 < low < rate < high


def test_few_units_have_the_rates_of_other_data(registry: Registry) -> None:
    (remark,) = on(registry, "mqm_like", units=10)
    assert "10 are too few" in remark


def test_every_profile_with_a_test_by_normal_theory_says_its_rate(registry: Registry) -> None:
    """On data of the profile's own kind, whatever is resampled there: where it is above .07, or cannot be seen."""
    tested, few, above = 0, 0, 0
    for name in registry.profiles:
        profile = profile_named(name)
        if profile.test not in {"williams", "steiger", "meng", "hittner"}:
            continue
        metric, test = registry.get(Metric, profile.primary), registry.get(SignificanceTest, profile.test)
        kind = find_kind(metric.kind)
        assert kind is not None
        assert kind.fixed_submissions is not None
        assert test.remarks is not None
        remarks = test.remarks(contest_of(metric, kind.fixed_submissions(Random(name), 24)), "two")
        assert len(remarks) <= 1, name
        for remark in remarks:
            if "too few to see" in remark:
                assert "false-positive rate at .05" in remark, name
                few += 1
            else:
                rate, low, high = rate_of(remark)
                assert rate >= 0.07, name
                assert 0.05 < low < rate < high, name
                above += 1
        assert "false-positive rate" in test.measured
        tested += 1
    assert tested > 20
    assert few > 3
    assert above


# The z tests of two correlations: definition, error rates under normality, degenerate cases.
METHODS: tuple[Method, ...] = get_args(Method)


def by_definition(a: float, b: float, ab: float, n: int, method: str) -> float:
    """Compute the score from the covariance matrix of the three correlations, with plain arithmetic."""
    difference = math.atanh(a) - math.atanh(b)
    if method == "meng":
        q = (a * a + b * b) / 2
        f = min(1.0, (1 - ab) / (2 * (1 - q)))
        return difference * math.sqrt((n - 3) / (2 * (1 - ab) * (1 - f * q) / (1 - q)))
    r = (a + b) / 2 if method == "steiger" else math.tanh((math.atanh(a) + math.atanh(b)) / 2)
    psi = ab * (1 - r * r - r * r) - 0.5 * r * r * (1 - r * r - r * r - ab * ab)
    return difference * math.sqrt(n - 3) / math.sqrt(2 - 2 * psi / (1 - r * r) ** 2)


def test_the_factor_of_meng_is_at_most_one() -> None:
    """Two correlations that are large and of opposite submissions: (1 - ab) / (2 (1 - q)) is 1.37, and 1 counts."""
    a, b, ab, n = 0.6, -0.5, -0.9, 100
    assert (1 - ab) / (2 * (1 - (a * a + b * b) / 2)) > 1.3
    expected = (math.atanh(a) - math.atanh(b)) * math.sqrt((n - 3) / (2 * (1 - ab)))
    assert float(dependent_correlations_z(a, b, ab, n, "meng")) == pytest.approx(expected, rel=1e-12)


@given(st.integers(0, 2**32 - 1), st.integers(5, 500), st.sampled_from(METHODS))
def test_score_is_that_of_the_definition(seed: int, n: int, method: Method) -> None:
    matrix = np.corrcoef(np.random.default_rng(seed).normal(size=(3, 7)))
    a, b, ab = matrix[0, 1], matrix[0, 2], matrix[1, 2]
    found = float(dependent_correlations_z(a, b, ab, n, method))
    assert found == pytest.approx(by_definition(a, b, ab, n, method), rel=1e-9)
    assert float(dependent_correlations_z(b, a, ab, n, method)) == pytest.approx(-found, rel=1e-9)


@pytest.mark.parametrize("method", METHODS)
def test_agrees_with_williams_for_many_units(method: Method) -> None:
    a, b, ab, n = (np.array(value) for value in (0.52, 0.5, 0.6, 20_000))
    t = float(williams_t(a, b, ab, int(n)))
    assert float(dependent_correlations_z(a, b, ab, int(n), method)) == pytest.approx(t, rel=0.01)


@pytest.mark.parametrize("method", METHODS)
def test_error_rate_under_normality(method: Method) -> None:
    rng, n, runs = np.random.default_rng(11), 60, 2000
    gold, one, other = rng.normal(size=(3, runs, n))
    sides = np.stack([gold, gold + one, gold + other])
    sides -= sides.mean(axis=-1, keepdims=True)
    sides /= np.linalg.norm(sides, axis=-1, keepdims=True)
    a, b, ab = ((sides[i] * sides[j]).sum(axis=-1) for i, j in ((0, 1), (0, 2), (1, 2)))
    rate = float((np.abs(dependent_correlations_z(a, b, ab, n, method)) > 1.959964).mean())
    assert rate == pytest.approx(0.05, abs=0.015)


@pytest.mark.parametrize("method", METHODS)
def test_degenerate_cases(method: Method) -> None:
    def z(a: float, b: float, ab: float, n: int = 20) -> float:
        return float(dependent_correlations_z(a, b, ab, n, method))

    assert math.isnan(z(0.5, 0.4, 0.3, n=3))
    assert math.isnan(z(1.0, 0.4, 0.4))
    assert math.isnan(z(math.nan, 0.4, 0.4))
    assert z(0.5, 0.5, 1.0) == 0.0
    assert z(0.5, 0.5, 0.2) == 0.0
    with pytest.raises(DataError, match="outside"):
        z(1.5, 0.0, 0.0)


@pytest.mark.parametrize("method", METHODS)
def test_through_compare(method: Method) -> None:
    rng = np.random.default_rng(4)
    gold = rng.normal(size=40)
    submissions = {"A": gold + rng.normal(size=40), "B": gold + 2 * rng.normal(size=40)}
    pair = qeframe.compare("pearson", gold, submissions, test=method)[0]
    matrix = np.corrcoef([gold, submissions[pair.a], submissions[pair.b]])
    z = float(dependent_correlations_z(matrix[0, 1], matrix[0, 2], matrix[1, 2], 40, method))
    assert pair.p == pytest.approx(math.erfc(abs(z) / math.sqrt(2)), rel=1e-9)


# The exchange of standardized predictions: the loop over draws and pairs, enumeration, and what is undefined.
def influences(values: Any, gold: Any) -> tuple[float, Any]:
    """Return the correlation, and the influence of every unit on arctanh of it."""
    a, g = ((side - side.mean()) / side.std() for side in (values, gold))
    r = float(np.mean(a * g))
    return r, (a * g - r / 2 * (a**2 + g**2)) / (1 - r**2)


@settings(max_examples=25)
@given(seed=st.integers(0, 2**32 - 1), units=st.integers(5, 15), submissions=st.integers(2, 4))
def test_the_loop_over_draws_and_pairs(seed: int, units: int, submissions: int) -> None:
    rng = np.random.default_rng(seed)
    gold = rng.normal(size=units)
    predicted = (gold + rng.normal(size=(submissions, units))) * rng.uniform(0.1, 9, size=(submissions, 1)) + 3
    masks = rng.integers(0, 2, size=(4, units))
    first, second = np.triu_indices(submissions, 1)
    plain = CorrelationExchange(gold, predicted)(masks, first, second)
    studentized = CorrelationExchange(gold, predicted, studentize=True)(masks, first, second)
    scaled = (predicted - predicted.mean(axis=1, keepdims=True)) / predicted.std(axis=1, keepdims=True)
    for draw, mask in enumerate(masks.astype(bool)):
        for pair, (i, j) in enumerate(zip(first, second, strict=True)):
            r_a, of_a = influences(np.where(mask, scaled[j], scaled[i]), gold)
            r_b, of_b = influences(np.where(mask, scaled[i], scaled[j]), gold)
            assert plain[draw, pair] == pytest.approx(r_a - r_b, abs=1e-10)
            error = np.sqrt(np.sum((of_a - of_b) ** 2)) / units
            assert studentized[draw, pair] == pytest.approx((np.arctanh(r_a) - np.arctanh(r_b)) / error, rel=1e-6)


def test_a_scale_changes_nothing() -> None:
    rng = np.random.default_rng(3)
    gold = rng.normal(size=30)
    a, b = gold + rng.normal(size=(2, 30))
    for option in ("standardize=true", "studentize=true"):
        test = f"randomization(draws=99, {option})"
        once = qeframe.compare("pearson", gold, {"A": a, "B": b}, test=test)[0]
        other = qeframe.compare("pearson", gold, {"A": a, "B": 100 * b - 5}, test=test)[0]
        assert once.p == pytest.approx(other.p)
        assert once.a == other.a


@pytest.mark.parametrize("option", ["standardize", "studentize"])
def test_few_units_are_enumerated(option: str) -> None:
    gold = np.array([0.0, 1, 3, 2, 5, 4])
    a, b = np.array([0.1, 0.9, 2.5, 2.7, 4.1, 4.0]), np.array([1.0, 0.2, 2.9, 4.0, 2.2, 5.1])
    exchange = CorrelationExchange(gold, np.stack([a, b]), studentize=option == "studentize")
    masks = np.array(list(product((0, 1), repeat=6)))
    found = np.abs(exchange(masks, np.array([0]), np.array([1]))[:, 0])
    pair = qeframe.compare("pearson", gold, {"A": a, "B": b}, test=f"randomization({option}=true)")[0]
    assert pair.p == pytest.approx(np.mean(found >= found[0] - 1e-12))
    assert pair.least_p == 2 / 64


def test_equal_submissions_constants_and_other_metrics() -> None:
    gold = np.arange(12.0)
    noise = np.tile([0.0, 2.0, -1.0], 4)
    test = "randomization(draws=99, studentize=true)"
    assert qeframe.compare("pearson", gold, {"A": gold + noise, "B": gold + noise}, test=test)[0].p == 1.0
    flat = qeframe.compare("pearson", gold, {"A": gold + noise, "B": np.ones(12)}, test=test)[0]
    assert np.isnan(flat.p)
    with pytest.raises(CapabilityError, match="correlation"):
        qeframe.compare("mae", gold, {"A": gold + noise, "B": gold}, test=test)
