"""Simulated data sets: what they depend on, and mistakes."""

import numpy as np
import pytest
import scipy.stats

from qeframe.core.components.loading.registry import Registry
from qeframe.extensions.null_model import NullModel
from qeframe.plugin import DataError, FloatArray, Metric
from qeframe.studies.simulation import Simulation, share_of


def simulation(registry: Registry, metric: str = "pearson", null: str = "normal", units: int = 30) -> Simulation:
    return Simulation(metric=registry.get(Metric, metric), null=registry.get(NullModel, null), units=units, runs=45)


def predictions(drawn: Simulation, number: int) -> list[FloatArray]:
    return [np.array(batch.predicted) for batch in drawn.batches(number)]  # type: ignore[attr-defined]


def test_a_data_set_depends_on_its_number_alone(registry: Registry) -> None:
    drawn = simulation(registry)
    for one, again in zip(predictions(drawn, 7), predictions(drawn, 7), strict=True):
        assert np.array_equal(one, again)
    assert not np.array_equal(predictions(drawn, 7)[0], predictions(drawn, 8)[0])
    assert [list(part) for part in drawn.parts] == [list(range(20)), list(range(20, 40)), list(range(40, 45))]


def test_every_null_model_draws_equal_submissions(registry: Registry) -> None:
    """The scores of a large data set are equal up to their sampling error."""
    metrics = {
        "Scores": "pearson", "Values": "mean", "Tags": "mcc", "Grid": "segment_pearson", "Detections": "auroc",
        "Preferences": "preference_accuracy", "Spans": "mpp_f", "TokenScores": "token_auroc",
    }  # fmt: skip
    for null in registry.all(NullModel):
        drawn = simulation(registry, metrics[null.kind.__name__], null.name, units=20_000)
        one, other = drawn.comparable(0).oriented
        assert one == pytest.approx(other, abs=0.06), null.name


def test_mistakes(registry: Registry) -> None:
    with pytest.raises(DataError, match="null model 'normal' draws Scores; metric 'mcc' scores Tags"):
        simulation(registry, "mcc")
    with pytest.raises(DataError, match="are not equal; choose a metric among pearson, spearman"):
        simulation(registry, "mae", "scaled")
    with pytest.raises(DataError, match="at least 2 units"):
        simulation(registry, units=1)


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
