"""DeltaAvg against its definition, by loops."""

import numpy as np
import pytest
from hypothesis import given

import qeframe
from qeframe.core.batches.base import FloatArray
from qeframe.core.components.metric import Metric
from qeframe.kinds.scores.batch import Scores
from qeframe.testing import scores_batches
from qeframe_scoring.delta_average import _SMALL, _kept, _kept_of_large, cumulated_coefficients

REGISTRY = qeframe.load()


def delta_by_definition(gold_in_order: list[float]) -> float:
    """D_n is the mean over i < n of the mean of the first i quantiles, minus the mean of all; DeltaAvg their mean."""
    total = len(gold_in_order)
    mean = sum(gold_in_order) / total
    per_n = []
    for n in range(2, total // 2 + 1):
        size = total // n
        tops = []
        for i in range(1, n):
            first = gold_in_order[: i * size]
            tops.append(sum(first) / len(first) - mean)
        per_n.append(sum(tops) / len(tops))
    return sum(per_n) / len(per_n) if per_n else 0.0


def averaged_over_ties(gold: FloatArray, predicted: FloatArray) -> list[float]:
    """Return the gold in ascending order of the prediction, each tied block replaced by its mean."""
    order = np.argsort(predicted, kind="stable")
    return [float(gold[predicted == predicted[unit]].mean()) for unit in order]


@given(scores_batches(max_units=17))
def test_delta_avg_is_its_definition(batch: Scores) -> None:
    order = np.argsort(batch.predicted, kind="stable")
    raw = qeframe.score("delta_avg(ties=input, signed=raw)", batch, None)
    assert raw == pytest.approx(delta_by_definition(list(batch.gold[order])), abs=1e-9)
    perl = qeframe.score("delta_avg(replicate=perl, best=low)", batch, None)
    assert perl == pytest.approx(abs(raw), abs=1e-12)
    low = -delta_by_definition(averaged_over_ties(batch.gold, batch.predicted))
    assert qeframe.score("delta_avg(best=low)", batch, None) == pytest.approx(low, abs=1e-9)
    high = delta_by_definition(averaged_over_ties(batch.gold, -batch.predicted))
    assert qeframe.score("delta_avg(best=high)", batch, None) == pytest.approx(high, abs=1e-9)
    declared = qeframe.score("delta_avg", batch, None)
    assert declared == pytest.approx(high if batch.best == "high" else low, abs=1e-9)


def test_averaged_ties_are_the_mean_over_all_orders() -> None:
    from itertools import permutations

    gold, predicted = np.array([3.0, 1.0, 7.0, 2.0, 5.0]), np.array([1.0, 1.0, 2.0, 1.0, 2.0])
    orders = [
        delta_by_definition([*gold[list(low)], *gold[list(high)]])
        for low in permutations([0, 1, 3])
        for high in permutations([2, 4])
    ]
    assert qeframe.score("delta_avg(best=low)", gold, predicted) == pytest.approx(-np.mean(orders), abs=1e-12)


@pytest.mark.parametrize("units", [4, 5, 9, 100, 257, 1001])
def test_coefficients_of_larger_batches(units: int) -> None:
    gold = np.random.default_rng(units).normal(size=units)
    expected = delta_by_definition(list(gold))
    found = float(np.diff(cumulated_coefficients(units)) @ gold) - float(gold.mean())
    assert found == pytest.approx(expected, abs=1e-10)


def test_delta_avg_needs_whole_weights() -> None:
    statistic = REGISTRY.get(Metric, "delta_avg").bind(Scores.from_plain([1, 2, 3, 4], [1, 2, 3, 4]))
    for wrong in ([0.5, 1, 1, 1], [-1, 1, 1, 1]):
        with pytest.raises(ValueError, match="weights must be whole numbers, none negative"):
            statistic(np.array(wrong))
    assert np.isnan(statistic(np.zeros(4)))


@pytest.mark.parametrize("best", ["low", "high"])
def test_the_raw_sign_says_that_lower_is_better(best: str) -> None:
    """In ascending order of the prediction a good ranking has the low gold values first, whichever end is good."""
    gold = np.arange(12.0)
    shuffled = np.random.default_rng(2).permutation(12).astype(float)
    for name in (f"delta_avg(best={best})", f"delta_avg(best={best}, signed=raw)"):
        (pair,) = qeframe.compare(name, gold, {"A": shuffled, "B": gold}, test="randomization(draws=50)")
        assert (pair.a, pair.b) == ("B", "A"), name
    registry = qeframe.load()
    assert not registry.get(Metric, "delta_avg(signed=raw)").higher_is_better
    assert registry.get(Metric, "delta_avg(signed=raw, replicate=perl)").higher_is_better


def test_coefficients_that_are_kept_take_little_memory() -> None:
    assert _kept.cache_info().maxsize * (_SMALL + 1) * 8 < 2**26
    assert _kept_of_large.cache_info().maxsize <= 4
    assert (cumulated_coefficients(_SMALL + 1)[:2] >= 0).all()
    assert cumulated_coefficients(_SMALL + 1) is cumulated_coefficients(_SMALL + 1)
