"""A factor of all numbers changes no p of a score that has a unit, and no score that has none."""

import numpy as np
import pytest

import qeframe

FACTORS = (2.0**-498, 2.0**320)
RULES = (
    ("jackknife", "romano_wolf"),
    ("exchange", "max_t"),
    ("jackknife_and_exchange", "romano_wolf_and_max_t"),
    ("bootstrap", "romano_wolf(studentize=spread)"),
    ("bootstrap(interval=bca)", "holm"),
    ("bootstrap_t", "holm"),
    ("bootstrap_t(errors=groups)", "romano_wolf(studentize=student)"),
    ("studentized_exchange", "max_t(studentize=true)"),
    ("randomization(draws=200)", "holm"),
)
OF_UNITS = (("wilcoxon", "holm"), ("either_t_test", "holm"), ("t_test(welch=true)", "holm"), ("sign", "holm"))
OF_CORRELATIONS = (("randomization(studentize=true)", "holm"), ("williams", "holm"), ("meng", "holm"))
CASES = [
    (metric, *rule)
    for metric, more in (("mean", OF_UNITS), ("mae", OF_UNITS), ("rmse", ()), ("pearson", OF_CORRELATIONS))
    for rule in (*RULES, *more)
]


@pytest.fixture(scope="module")
def numbers():
    rng = np.random.default_rng(3)
    gold = rng.normal(size=40)
    answers = {name: gold + noise * rng.normal(size=40) for name, noise in (("a", 1.0), ("b", 1.2), ("c", 3.0))}
    return gold, answers


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize(("metric", "test", "correction"), CASES)
def test_a_factor_changes_no_p(numbers, metric, test, correction):
    gold, answers = numbers

    def values(factor):
        scaled = {name: factor * given for name, given in answers.items()}
        of_gold = None if metric == "mean" else factor * gold
        pairs = qeframe.compare(metric, of_gold, scaled, test=test, correction=correction)
        return np.array([(pair.p, pair.p_adjusted) for pair in pairs])

    whole = values(1.0)
    assert whole.min() < 0.5
    for factor in FACTORS:
        np.testing.assert_allclose(values(factor), whole, rtol=1e-9, err_msg=f"{factor:g}")


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("interval", ["jackknife", "jackknife_and_exchange", "bootstrap", "bootstrap(interval=bca)"])
@pytest.mark.parametrize("metric", ["mean", "pearson"])
def test_an_interval_has_the_factor_of_its_score(numbers, metric, interval):
    gold, answers = numbers

    def ends(factor):
        result = qeframe.score(metric, gold, factor * answers["a"], interval=interval)
        return np.array([result.value, result.low, result.high]) / (factor if metric == "mean" else 1.0)

    for factor in FACTORS:
        np.testing.assert_allclose(ends(factor), ends(1.0), rtol=1e-9, err_msg=f"{factor:g}")


@pytest.mark.parametrize("factor", [1e-300, 1e-188, 1e-160, 1e-150, 1e90])
@pytest.mark.parametrize("metric", ["pearson", "spearman", "kendall_tau_b"])
def test_a_correlation_of_tiny_numbers_is_that_of_the_numbers(numbers, metric, factor):
    gold, answers = numbers
    whole = qeframe.score(metric, gold, answers["a"])
    assert qeframe.score(metric, factor * gold, answers["a"]) == pytest.approx(whole, rel=1e-14)
    assert qeframe.score(metric, gold, factor * answers["a"]) == pytest.approx(whole, rel=1e-14)
    assert qeframe.score(metric, factor * gold, factor * answers["a"]) == pytest.approx(whole, rel=1e-14)


@pytest.mark.filterwarnings("ignore")
def test_probabilities_of_sentences_differ_although_they_are_small():
    rng = np.random.default_rng(0)
    log = rng.normal(-40, 3, 400)
    (pair,) = qeframe.compare("mean", None, {"a": np.exp(log), "b": np.exp(log - 1)}, test="wilcoxon")
    assert pair.significant
    assert pair.p < 1e-60


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("test", ["jackknife", "exchange", "bootstrap", "bootstrap_t", "jackknife_and_exchange"])
def test_correlations_that_are_0_but_for_rounding_are_equal(test):
    gold = np.array([-1.0, -1, 1, 1] * 6)
    answers = {"a": np.array([-1.0, 1, -1, 1] * 6) / 3, "b": np.array([-0.1, 0.3, -0.1, 0.3] * 6) + 0.7}
    scores = [qeframe.score("pearson", gold, given) for given in answers.values()]
    assert scores == [0.0, 0.0]
    (pair,) = qeframe.compare("pearson", gold, answers, test=test)
    assert pair.p == 1.0
