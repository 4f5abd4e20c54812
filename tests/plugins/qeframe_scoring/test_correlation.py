"""Correlations against scipy and repeated units."""

import warnings

import numpy as np
import pytest
import scipy.stats
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.metrics import mean_absolute_error, root_mean_squared_error

import qeframe
from qeframe.core.components.metric import Metric
from qeframe.core.profiles.schema import Profile
from qeframe.core.tasks.task import Submission, Task
from qeframe.kinds.scores.batch import Scores
from qeframe.testing import scores_batches, weights

REGISTRY = qeframe.load()


@given(scores_batches(), st.data())
def test_weighted_spearman_is_that_of_repeated_units(batch: Scores, data: st.DataObject) -> None:
    weight = data.draw(weights(len(batch)))
    gold, predicted = np.repeat(batch.gold, weight), np.repeat(batch.predicted, weight)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        expected = scipy.stats.spearmanr(gold, predicted).statistic if len(gold) > 1 else np.nan
    found = float(REGISTRY.get(Metric, "spearman").bind(batch)(weight.astype(float)))
    assert found == pytest.approx(expected, abs=1e-12, nan_ok=True)


@settings(max_examples=50)
@given(scores_batches(max_units=30))
def test_against_scipy_and_scikit_learn(batch: Scores) -> None:
    gold, predicted = batch.gold, batch.predicted
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        expected = {
            "pearson": scipy.stats.pearsonr(gold, predicted).statistic,
            "spearman": scipy.stats.spearmanr(gold, predicted).statistic,
            "mae": mean_absolute_error(gold, predicted),
            "rmse": root_mean_squared_error(gold, predicted),
        }
    for name, value in expected.items():
        assert qeframe.score(name, batch, None) == pytest.approx(value, abs=1e-12, nan_ok=True), name


@pytest.mark.parametrize("offset", [0.0, 1e6, 1e9])
def test_correlations_of_large_samples(offset: float) -> None:
    rng = np.random.default_rng(1)
    gold = rng.normal(size=500)
    predicted = offset + gold + rng.normal(size=500)
    assert qeframe.score("pearson", gold, predicted) == pytest.approx(
        scipy.stats.pearsonr(gold, predicted).statistic, abs=1e-6 if offset > 1e8 else 1e-9
    )


@pytest.mark.parametrize("metric", ["pearson", "spearman", "mae", "rmse", "delta_avg", "mean"])
def test_the_largest_numbers_overflow_nowhere(metric: str) -> None:
    """A warning would be an error here; sums of squares and products of 1e100 are finite."""
    gold = np.array([-1e100, 1e100, 5e99, 1.0, -3.0, 7e99])
    answers = {"A": gold[::-1].copy(), "B": gold / 2, "C": np.arange(6.0)}
    able = {"mae": ["wilcoxon", "t_test(welch=true)"], "pearson": ["williams"], "mean": ["t_test"]}
    for test in ["bootstrap(draws=40)", "randomization(draws=40)", *able.get(metric, [])]:
        for pair in qeframe.compare(metric, gold, answers, test=test):
            assert np.isfinite(pair.difference)
    profile = Profile(reader="none", primary=metric, interval="bootstrap(draws=40, interval=bca)", test="")
    batches = {Submission(name): Scores.from_plain(gold, of) for name, of in answers.items()}
    for submission in qeframe.evaluate(profile, Task(name="huge", batches=batches)).submissions:
        assert np.isfinite(submission.scores[metric].value)
