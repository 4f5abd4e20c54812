"""The exchange of standardized predictions: the loop over draws and pairs, enumeration, and what is undefined."""

from itertools import product
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import qeframe
from qeframe.core.errors import CapabilityError
from qeframe_significance.correlations.exchanged import CorrelationExchange


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
