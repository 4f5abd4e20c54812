"""Error rates, coverage and rank sets: tests with known answers, and small simulations of real tests."""

from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
from attrs import evolve

from qeframe import Registry, Runner
from qeframe.extensions.null_model import NullModel
from qeframe.plugin import (
    CapabilityError,
    Comparable,
    Correction,
    DataError,
    FloatArray,
    Metric,
    Pairwise,
    Sided,
    SignificanceTest,
)
from qeframe.studies import error_rates
from qeframe.studies.error_rates import coverage, error_rate, rank_set_coverage, rates_of_pairs, true_score
from qeframe.studies.simulation import Simulation, unequal_batches


def simulation(registry: Registry, metric: str = "mean", null: str = "independent_values", **sizes: int) -> Simulation:
    chosen = {"units": 40, "runs": 200, **sizes}
    return Simulation(metric=registry.get(Metric, metric), null=registry.get(NullModel, null), **chosen)


def answering(p: float) -> SignificanceTest:
    def run(comparable: Comparable, sided: Sided) -> Pairwise:
        return Pairwise(p=np.full(len(comparable.pairs[0]), p))

    return SignificanceTest(name="fixed", summary="p is fixed", needs="bind", run=run)


@pytest.mark.parametrize(("p", "rate"), [(0.01, 1.0), (0.05, 1.0), (0.06, 0.0)])
def test_a_fixed_p_rejects_always_or_never(registry: Registry, p: float, rate: float) -> None:
    assert error_rate(answering(p), simulation(registry, runs=10)).rejected.value == rate


def test_undefined_p_values_are_counted_apart(registry: Registry) -> None:
    found = error_rate(answering(np.nan), simulation(registry, runs=10))
    assert np.isnan(found.rejected.value)
    assert found.undefined == 1.0


@pytest.mark.parametrize("test", ["jackknife", "randomization(draws=200)"])
def test_error_rate_of_a_good_test(registry: Registry, test: str) -> None:
    found = error_rate(registry.get(SignificanceTest, test), simulation(registry))
    assert 0.01 < found.rejected.value < 0.1
    assert found.undefined == 0


def test_the_leader_tested_one_sided_is_claimed_too_often(registry: Registry) -> None:
    jackknife = registry.get(SignificanceTest, "jackknife")
    fixed = error_rate(jackknife, simulation(registry, runs=400), sided="one")
    chosen = error_rate(jackknife, simulation(registry, runs=400), sided="one", leader=True)
    assert chosen.rejected.value > 1.4 * fixed.rejected.value


def test_workers_do_not_change_the_rate(registry: Registry) -> None:
    jackknife, small = registry.get(SignificanceTest, "jackknife"), simulation(registry, runs=60)
    with ThreadPoolExecutor(2) as executor:
        assert error_rate(jackknife, small, runner=Runner(executor)) == error_rate(jackknife, small)


def test_documents_need_their_own_resampling(registry: Registry) -> None:
    def rate(resample: str) -> float:
        drawn = Simulation(
            metric=registry.get(Metric, "mean"),
            null=registry.get(NullModel, "values_in_documents(share=0.6)"),
            units=400,
            resample=resample,
            runs=200,
        )
        return error_rate(registry.get(SignificanceTest, "jackknife"), drawn).rejected.value

    assert rate("unit") > 0.3
    assert rate("document") < 0.12


def test_coverage(registry: Registry) -> None:
    found = coverage(registry.get(SignificanceTest, "jackknife"), simulation(registry, "pearson", "normal", units=100))
    assert found.rejected.value == pytest.approx(0.05, abs=0.045)
    with pytest.raises(CapabilityError, match="gives no intervals"):
        coverage(registry.get(SignificanceTest, "sign"), simulation(registry))


def without_stated_truth(registry: Registry, metric: str = "mean", null: str = "independent_values") -> Simulation:
    known = simulation(registry, metric, null, units=100)
    return evolve(known, null=evolve(known.null, true_scores={}))


@pytest.mark.parametrize(
    ("metric", "null", "error"), [("mean", "independent_values", np.sqrt(2)), ("rmse", "normal", 0.5**0.5)]
)
def test_an_estimated_true_score_has_the_error_of_its_units(registry, metric, null, error, monkeypatch) -> None:
    monkeypatch.setattr(error_rates, "_LARGE", 10_000)
    truths = [true_score(evolve(without_stated_truth(registry, metric, null), seed=seed)) for seed in range(30)]
    expected = error / np.sqrt(10_000)  # of a root of the mean of squared normals: the deviation over sqrt(2)
    assert np.sqrt(np.mean([truth.error**2 for truth in truths])) == pytest.approx(expected, rel=0.15)
    assert np.std([truth.value for truth in truths]) == pytest.approx(expected, rel=0.4)


def test_a_coverage_has_the_error_of_its_true_score(registry: Registry, monkeypatch: pytest.MonkeyPatch) -> None:
    """Held against intervals that are computed here, and true scores that are wrong by normal errors."""
    jackknife, study = registry.get(SignificanceTest, "jackknife"), without_stated_truth(registry)
    for error in (0.0, 0.1):
        truth = error_rates.TrueScore(0.03, error)
        monkeypatch.setattr(error_rates, "true_score", lambda _, truth=truth: truth)
        covered = coverage(jackknife, study).rejected
        values = np.array([study.batches(number)[0].predicted for number in range(study.runs)])
        half = 1.984 * values.std(axis=1, ddof=1) / 10  # t of 99 degrees of freedom
        wrong = 0.03 + error * np.random.default_rng(1).normal(size=2000)
        missed = (np.abs(values.mean(axis=1)[:, None] - np.append(0.03, wrong)) > half[:, None]).mean(axis=0)
        moved = float(np.sqrt(((missed[1:] - missed[0]) ** 2).mean()))
        assert covered.value == pytest.approx(missed[0], abs=0.011)
        assert covered.truth == pytest.approx(moved, rel=0.5, abs=0.004)
        assert covered.error == pytest.approx(
            np.hypot(np.sqrt(covered.value * (1 - covered.value) / 200), covered.truth)
        )


def test_a_stated_true_score_adds_no_error(registry: Registry) -> None:
    jackknife = registry.get(SignificanceTest, "jackknife")
    assert coverage(jackknife, simulation(registry, "pearson", "normal", runs=20)).rejected.truth == 0


def test_rank_sets_hold_for_all_submissions_at_once(registry: Registry) -> None:
    jackknife, small = registry.get(SignificanceTest, "jackknife"), simulation(registry, runs=60)
    correction = registry.get(Correction, "romano_wolf(draws=400)")
    assert rank_set_coverage(jackknife, correction, small, [0.0] * 5).value > 0.85
    assert rank_set_coverage(jackknife, registry.get(Correction, "none"), small, [0.0] * 5).value < 0.85
    assert rank_set_coverage(jackknife, correction, small, [9.0, 9.0, 0.0]).value > 0.85


def test_equal_gaps_are_equal_means(registry: Registry) -> None:
    skewed = simulation(registry, "mean", "independent_values(law=lognormal)", units=50, submissions=3)
    before = [one.predicted for one in skewed.batches(0)]
    after = [one.predicted for one in unequal_batches(skewed, 0, np.array([5.0, 5.0, 0.0]))]
    shifts = [float((b - a).mean()) for a, b in zip(before, after, strict=True)]
    assert shifts[0] == pytest.approx(shifts[1])
    assert shifts[0] == pytest.approx(5 * np.mean([a.std(ddof=1) for a in before]) / np.sqrt(50))
    assert shifts[2] == 0


def test_rank_sets_of_correlations(registry: Registry) -> None:
    jackknife, none = (
        registry.get(kind, name) for kind, name in ((SignificanceTest, "jackknife"), (Correction, "none"))
    )
    small = simulation(registry, "pearson", "normal", units=200, runs=40)
    assert rank_set_coverage(jackknife, none, small, [6.0, 0.0]).value == 1
    unequal = unequal_batches(evolve(small, submissions=2), 0, np.array([0.0, 6.0]))
    low, high = (registry.get(Metric, "pearson").bind(one)(np.ones(200)) for one in unequal)
    assert 0.1 < high - low < 0.6
    with pytest.raises(DataError, match="cannot have correlations that far apart"):
        rank_set_coverage(jackknife, none, small, [60.0, 0.0])
    with pytest.raises(DataError, match="for means of one value per unit, and for correlations"):
        rank_set_coverage(jackknife, none, simulation(registry, "mae", "normal"), [1.0, 0.0])


def test_rates_of_pairs_are_those_of_both_studies(registry: Registry) -> None:
    jackknife, small = registry.get(SignificanceTest, "jackknife"), simulation(registry, runs=30)
    assert rates_of_pairs(jackknife, small) == (error_rate(jackknife, small), coverage(jackknife, small))
    sign = registry.get(SignificanceTest, "wilcoxon")
    assert rates_of_pairs(sign, small) == (error_rate(sign, small), None)
    with pytest.raises(DataError, match="alpha must lie between 0 and 1"):
        rates_of_pairs(jackknife, small, alpha=1)


def test_stated_true_scores_are_those_of_large_data_sets(registry: Registry) -> None:
    lognormal = registry.get(NullModel, "independent_values(law=lognormal)")
    stated = {(null.name, metric) for null in [*registry.all(NullModel), lognormal] for metric in null.true_scores}
    assert len(stated) > 20
    for null, metric in stated:
        known = true_score(simulation(registry, metric, null))
        large = simulation(registry, metric, null, units=20_000)
        assert known.value == pytest.approx(large.comparable(0).oriented[0], abs=0.04), (null, metric)
        assert known.error == 0


def test_a_family_counts_claims_in_both_directions(registry: Registry) -> None:
    def better_first(comparable: Comparable, pairwise: Pairwise, sided: Sided) -> FloatArray:
        first, second = comparable.pairs
        return np.where(comparable.oriented[first] >= comparable.oriented[second], 0.0, 1.0)

    claiming = Correction(
        name="claiming", summary="claims that the better one is better", adjust=np.asarray, adjust_jointly=better_first
    )
    small = simulation(registry, runs=20, submissions=2)
    assert error_rate(answering(0.5), small, correction=claiming).rejected.value == 1
