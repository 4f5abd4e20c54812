"""How often tests reject equal submissions: tests with known answers, liberal ones."""

from typing import Any

import attrs
import numpy as np
import pytest

from qeframe.core.registry import Registry
from qeframe.plugin import Contest, DataError, Metric, Pairwise, Scores, Sided, SignificanceTest
from qeframe.testing import check_test, checks_of, error_rate, error_weights


def answering(p: float) -> SignificanceTest:
    def run(contest: Contest, sided: Sided) -> Pairwise:
        return Pairwise(p=np.full(len(contest.pairs[0]), p))

    return SignificanceTest(name="fixed", summary="p is fixed", needs="bind", run=run)


@pytest.fixture
def pearson(registry: Registry) -> Metric:
    return registry.get(Metric, "pearson")


@pytest.mark.parametrize(("p", "rate"), [(0.01, 1.0), (0.05, 1.0), (0.06, 0.0)])
def test_a_fixed_p_rejects_always_or_never(pearson: Metric, p: float, rate: float) -> None:
    found = error_rate(answering(p), pearson, runs=10, units=5)
    assert (found.value, found.error, found.runs, found.undefined) == (rate, 0, 10, 0)


def test_undefined_p_values_are_counted_apart(pearson: Metric) -> None:
    found = error_rate(answering(np.nan), pearson, runs=10, units=5)
    assert np.isnan([found.value, found.error]).all()
    assert (found.runs, found.undefined) == (0, 1)


@pytest.mark.parametrize("name", ["williams", "exchange(draws=400)"])
def test_tests_that_hold_their_level_on_normal_scores(registry: Registry, pearson: Metric, name: str) -> None:
    found = error_rate(registry.get(SignificanceTest, name), pearson, runs=300)
    assert abs(found.value - 0.05) <= 3.5 * np.sqrt(0.05 * 0.95 / 300)
    assert found.error == pytest.approx(np.sqrt(found.value * (1 - found.value) / 300))


def test_a_liberal_test_is_found(registry: Registry, pearson: Metric) -> None:
    williams = registry.get(SignificanceTest, "williams")
    found = error_rate(williams, pearson, law=error_weights, runs=200)
    assert found.value > 0.15, "where most of the gold is 0"
    exchange = registry.get(SignificanceTest, "exchange(draws=200)")
    assert error_rate(exchange, pearson, law=error_weights, runs=200).value < 0.1


def divided(test: SignificanceTest) -> SignificanceTest:
    """Return a test whose p is a fifth of what it should be."""

    def run(contest: Contest, sided: Sided) -> Pairwise:
        return attrs.evolve(test.run(contest, sided), p=test.run(contest, sided).p / 5)

    return attrs.evolve(test, name="divided", run=run)


def test_the_law_of_size(registry: Registry) -> None:
    test = registry.get(SignificanceTest, "williams")
    others = {check.law.name: "it is tried elsewhere" for check in checks_of(test)}
    assert "size" not in others, "it is tried where it is asked for"
    check_test(attrs.evolve(test, left_out=others), costly=True)
    with pytest.raises(AssertionError, match=r"two equal submissions .*\n.* breaks the law 'size'"):
        check_test(attrs.evolve(divided(test), left_out=others), costly=True)


def test_the_direction_of_a_one_sided_test_is_not_chosen_by_the_data(registry: Registry, pearson: Metric) -> None:
    williams = registry.get(SignificanceTest, "williams")
    assert error_rate(williams, pearson, runs=300, sided="one").value < 0.09


def test_equal_seeds_give_equal_rates(registry: Registry, pearson: Metric) -> None:
    williams = registry.get(SignificanceTest, "williams")
    rates = [error_rate(williams, pearson, runs=60, units=20, alpha=0.3, seed=seed) for seed in (1, 1, 2, 3, 4)]
    assert rates[0] == rates[1]
    assert len({rate.value for rate in rates}) > 1


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        ({"alpha": 0}, "alpha is 0; give alpha between 0 and 1"),
        ({"alpha": 1}, "alpha is 1; give alpha between 0 and 1"),
        ({"runs": 0}, "runs is 0; give runs at least 1"),
        ({"units": 1}, "units is 1; give units at least 2"),
        ({"sided": "three"}, "sided cannot be 'three'; test '.*' has one, two"),
        ({"metric": "pearson"}, r"'pearson' is no Metric; registry\.get\(Metric, NAME\) returns one"),
        ({"test": "williams"}, r"'williams' is no SignificanceTest; registry\.get"),
    ],
)
def test_mistakes(pearson: Metric, wrong: dict[str, Any], said: str) -> None:
    with pytest.raises(DataError, match=said):
        error_rate(**{"test": answering(0.5), "metric": pearson, **wrong})


def test_a_law_of_other_data(registry: Registry) -> None:
    mcc = registry.get(Metric, "mcc")
    with pytest.raises(DataError, match=f"the law draws {Scores.__name__}; metric 'mcc' scores Tags"):
        error_rate(answering(0.5), mcc)
