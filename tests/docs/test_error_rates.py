"""The study of error rates, coverage and rank sets: tests with known answers, and small simulations of real tests."""

import warnings

import error_rates
import numpy as np
import pytest
import scipy.stats
from attrs import evolve
from error_rates import (
    Simulation,
    error_rate_of_family,
    error_rate_of_pairs,
    error_rate_of_task_set,
    rank_set_coverage,
    share_of,
    task_set,
    true_score,
    unequal_batches,
)
from laws import LAWS, find_law

import qeframe
from qeframe import Registry, profile_from_toml
from qeframe.plugin import Contest, Correction, DataError, FloatArray, Metric, Pairwise, Sided, SignificanceTest


def simulation(registry: Registry, metric: str = "mean", law: str = "independent_values", **sizes: int) -> Simulation:
    return Simulation(metric=registry.get(Metric, metric), law=find_law(law), **{"units": 40, "runs": 200, **sizes})


def answering(p: float) -> SignificanceTest:
    def run(contest: Contest, sided: Sided) -> Pairwise:
        return Pairwise(p=np.full(len(contest.pairs[0]), p))

    return SignificanceTest(name="fixed", summary="p is fixed", needs="bind", run=run)


@pytest.mark.parametrize(("p", "rate"), [(0.01, 1.0), (0.05, 1.0), (0.06, 0.0)])
def test_a_fixed_p_rejects_always_or_never(registry: Registry, p: float, rate: float) -> None:
    assert error_rate_of_pairs(answering(p), simulation(registry, runs=10)).rejected.value == rate


def test_undefined_p_values_are_counted_apart(registry: Registry) -> None:
    found = error_rate_of_pairs(answering(np.nan), simulation(registry, runs=10))
    assert np.isnan(found.rejected.value)
    assert found.undefined == 1.0


@pytest.mark.parametrize("test", ["jackknife", "randomization(draws=200)"])
def test_error_rate_of_a_good_test(registry: Registry, test: str) -> None:
    found = error_rate_of_pairs(registry.get(SignificanceTest, test), simulation(registry))
    assert 0.01 < found.rejected.value < 0.1
    assert found.undefined == 0


def test_documents_need_their_own_resampling(registry: Registry) -> None:
    def rate(resample: str) -> float:
        drawn = Simulation(
            metric=registry.get(Metric, "mean"),
            law=find_law("values_in_documents(share=0.6)"),
            units=400,
            resample=resample,
            runs=200,
        )
        return error_rate_of_pairs(registry.get(SignificanceTest, "jackknife"), drawn).rejected.value

    assert rate("unit") > 0.3
    assert rate("document") < 0.12


def test_coverage(registry: Registry) -> None:
    jackknife, small = registry.get(SignificanceTest, "jackknife"), simulation(registry, "pearson", "normal", units=100)
    assert error_rate_of_pairs(jackknife, small).covered.value == pytest.approx(0.95, abs=0.045)
    wilcoxon = registry.get(SignificanceTest, "wilcoxon")
    assert error_rate_of_pairs(wilcoxon, simulation(registry, runs=5)).covered is None, "it gives no intervals"
    grids = simulation(registry, "segment_pearson", "equal_metrics(systems=3)", runs=5)
    bootstrap = registry.get(SignificanceTest, "bootstrap(draws=50)")
    assert error_rate_of_pairs(bootstrap, grids).covered is None, "each data set has a true score of its own"


def without_stated_truth(registry: Registry, metric: str = "mean", law: str = "independent_values") -> Simulation:
    known = simulation(registry, metric, law, units=100)
    return evolve(known, law=evolve(known.law, true_scores={}))


@pytest.mark.parametrize(
    ("metric", "law", "error"), [("mean", "independent_values", np.sqrt(2)), ("rmse", "normal", 0.5**0.5)]
)
def test_an_estimated_true_score_has_the_error_of_its_units(registry, metric, law, error, monkeypatch) -> None:
    monkeypatch.setattr(error_rates, "_LARGE", 10_000)
    truths = [true_score(evolve(without_stated_truth(registry, metric, law), seed=seed)) for seed in range(30)]
    expected = error / np.sqrt(10_000)  # of a root of the mean of squared normals: the deviation over sqrt(2)
    assert np.sqrt(np.mean([error**2 for _, error in truths])) == pytest.approx(expected, rel=0.15)
    assert np.std([value for value, _ in truths]) == pytest.approx(expected, rel=0.4)


def test_a_coverage_has_the_error_of_its_true_score(registry: Registry, monkeypatch: pytest.MonkeyPatch) -> None:
    """Held against intervals that are computed here, and true scores that are wrong by normal errors."""
    jackknife, study = registry.get(SignificanceTest, "jackknife"), without_stated_truth(registry)
    for error in (0.0, 0.1):
        monkeypatch.setattr(error_rates, "true_score", lambda _, error=error: (0.03, error))
        covered = error_rate_of_pairs(jackknife, study).covered
        values = np.array([study.batches(number)[0].predicted for number in range(study.runs)])
        half = 1.984 * values.std(axis=1, ddof=1) / 10  # t of 99 degrees of freedom
        wrong = 0.03 + error * np.random.default_rng(1).normal(size=2000)
        missed = (np.abs(values.mean(axis=1)[:, None] - np.append(0.03, wrong)) > half[:, None]).mean(axis=0)
        moved = float(np.sqrt(((missed[1:] - missed[0]) ** 2).mean()))
        assert covered.value == pytest.approx(1 - missed[0], abs=0.011)
        assert covered.truth == pytest.approx(moved, rel=0.5, abs=0.004)
        assert covered.error == pytest.approx(
            np.hypot(np.sqrt(covered.value * (1 - covered.value) / 200), covered.truth)
        )


def test_a_stated_true_score_adds_no_error(registry: Registry) -> None:
    jackknife = registry.get(SignificanceTest, "jackknife")
    assert error_rate_of_pairs(jackknife, simulation(registry, "pearson", "normal", runs=20)).covered.truth == 0


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


def test_stated_true_scores_are_those_of_large_data_sets(registry: Registry) -> None:
    names = [*LAWS, "independent_values(law=lognormal)"]
    stated = {(name, metric) for name in names for metric in find_law(name).true_scores}
    assert len(stated) > 20
    for name, metric in stated:
        value, error = true_score(simulation(registry, metric, name))
        large = simulation(registry, metric, name, units=20_000)
        assert value == pytest.approx(large.contest(0).oriented[0], abs=0.04), (name, metric)
        assert error == 0


def test_a_family_counts_claims_in_both_directions(registry: Registry) -> None:
    def better_first(contest: Contest, pairwise: Pairwise, sided: Sided) -> FloatArray:
        first, second = contest.pairs
        return np.where(contest.oriented[first] >= contest.oriented[second], 0.0, 1.0)

    claiming = Correction(
        name="claiming", summary="claims that the better one is better", adjust=np.asarray, adjust_jointly=better_first
    )
    small = simulation(registry, runs=20, submissions=2)
    assert error_rate_of_family(answering(0.5), claiming, small).rejected.value == 1


def test_a_data_set_depends_on_its_number_alone(registry: Registry) -> None:
    drawn = simulation(registry, "pearson", "normal")
    first, again, other = ([batch.predicted for batch in drawn.batches(number)] for number in (7, 7, 8))
    assert np.array_equal(first, again)
    assert not np.array_equal(first, other)


def test_every_law_draws_equal_submissions(registry: Registry) -> None:
    """The scores of a large data set are equal up to their sampling error."""
    metrics = {
        "Scores": "pearson", "Values": "mean", "Tags": "mcc", "Grid": "segment_pearson", "Detections": "auroc",
        "Preferences": "preference_accuracy", "Spans": "mpp_f",
    }  # fmt: skip
    for name in LAWS:
        drawn = simulation(registry, metrics[find_law(name).kind.__name__], name, units=20_000)
        one, other = drawn.contest(0).oriented
        assert one == pytest.approx(other, abs=0.06), name


def test_mistakes(registry: Registry) -> None:
    with pytest.raises(DataError, match="the law 'normal' draws Scores; metric 'mcc' scores Tags"):
        simulation(registry, "mcc", "normal")
    with pytest.raises(DataError, match="are not equal; choose a metric among pearson, spearman"):
        simulation(registry, "mae", "scaled")


def test_a_share_has_the_error_of_its_simulation() -> None:
    assert share_of(5, 100).error == pytest.approx((0.05 * 0.95 / 100) ** 0.5)
    assert np.isnan(share_of(0, 0).value)


@pytest.mark.parametrize(("count", "runs"), [(0, 1), (0, 2000), (5, 100), (50, 100), (99, 100), (7, 7)])
def test_the_interval_of_a_share_is_wilsons(count, runs):
    expected = scipy.stats.binomtest(count, runs).proportion_ci(0.95, "wilson")
    assert share_of(count, runs).interval() == pytest.approx(tuple(expected))
    assert np.isnan(share_of(0, 0).interval()).all()


def test_an_estimated_truth_widens_the_interval_of_a_share() -> None:
    known, estimated = share_of(95, 100), share_of(95, 100, truth=0.03)
    assert estimated.error == pytest.approx(np.hypot(known.error, 0.03))
    for plain, wide in zip(known.interval(), estimated.interval(), strict=True):
        assert abs(wide - 0.95) == pytest.approx(
            min(np.hypot(plain - 0.95, 1.959964 * 0.03), 0.05 if wide > 0.95 else 1)
        )
    assert share_of(100, 100, truth=0.01).interval()[1] == 1


# The error rate of the overall test of a task set.
RULES = """
reader = "mtme"
best = "high"
test = "permutation(draws=99, unit=segment)"
interval = ""
sided = "two"
correction = "none"
strict = false
ranking = "clusters"
overall = "mean"
exchanges = "joint"
[[parts]]
metric = "segment_pearson"
pairs = ["en-de", "cs-uk"]
[[parts]]
metric = "system_pearson"
"""


@pytest.fixture
def grids(registry: Registry) -> Simulation:
    return simulation(registry, "segment_pearson", "equal_metrics(systems=3)", units=8, runs=6, seed=3)


def test_all_parts_of_a_language_pair_score_the_same_data(registry: Registry, grids: Simulation) -> None:
    profile = profile_from_toml(RULES, "made.toml", "made", registry)
    tasks, again, other = (task_set(grids, profile, number, registry) for number in (0, 0, 1))
    assert {task.name for task in tasks} == {"en-de", "cs-uk", "he-en", "zh-en"}
    of_pair = [task for task in tasks if task.name == "en-de"]
    assert len({id(batch) for task in of_pair for batch in task.batches.values()}) == 2
    drawn = [next(iter(found[0].batches.values())).predicted for found in (tasks, again, other)]
    assert np.array_equal(drawn[0], drawn[1])
    assert not np.array_equal(drawn[0], drawn[2])


def test_the_rate_is_that_of_evaluations_one_by_one(registry, grids, monkeypatch) -> None:
    monkeypatch.setattr(error_rates, "ALPHA", 0.4)
    profile, rejected = profile_from_toml(RULES, "made.toml", "made", registry), 0
    for number in range(grids.runs):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            found = qeframe.evaluate(
                profile, task_set(grids, profile, number, registry), seed=number, registry=registry
            )
        (pair,) = [comparison for comparison in found.comparisons if not comparison.task]
        rejected += pair.p <= 0.4
    rate = error_rate_of_task_set(grids, profile, registry)
    assert rate.rejected.value == pytest.approx(rejected / grids.runs)
    assert 0 < rejected < grids.runs
    assert rate.undefined == 0
