"""What limits tests on given data is said where it holds, and nowhere else."""

import numpy as np
import pytest

from qeframe.core.components.loading.registry import Registry
from qeframe.core.components.metric import Metric
from qeframe.core.evaluation.comparable_in_task import ComparableInTask
from qeframe.extensions.null_model import NullModel
from qeframe.studies.simulation import Simulation
from qeframe_significance.limits import on_gold, on_unequal_laws

SETS = 20


def said(registry: Registry, null: str, units: int, metric: str = "pearson") -> tuple[int, int]:
    """Return in how many data sets there is a remark on unequal laws, and on the gold."""
    model = Simulation(metric=registry.get(Metric, metric), null=registry.get(NullModel, null), units=units)
    drawn = [model.comparable(number) for number in range(SETS)]
    laws = sum(len(list(on_unequal_laws(one, "jackknife"))) for one in drawn)
    return laws, sum(len(list(on_gold(one))) for one in drawn)


@pytest.mark.parametrize("null", ["normal", "discrete_gold", "scaled"])
def test_ordinary_data_have_no_remark(registry: Registry, null: str) -> None:
    laws, gold = said(registry, null, 200)
    assert laws <= 1
    assert gold == 0


def test_residuals_of_different_laws_are_told_where_they_matter(registry: Registry) -> None:
    laws, _ = said(registry, "unequal_residuals", 1000)
    assert laws >= SETS / 2


def test_skewed_gold_is_told(registry: Registry) -> None:
    assert said(registry, "lognormal_gold", 200)[1] >= 0.8 * SETS
    assert said(registry, "mqm_like", 200)[1] == 0, "skewed because of its zeros"


def test_metrics_without_vectors_and_scores_that_are_not_smooth(registry: Registry) -> None:
    assert said(registry, "lognormal_gold", 50, "mae")[1] == 0
    assert said(registry, "t3_residuals", 50, "delta_avg") == (0, 0)


def test_constant_gold(registry: Registry) -> None:
    from qeframe.core.evaluation.scored_task import ScoredTask

    metric = registry.get(Metric, "pearson")
    batches = tuple(metric.kind.from_plain(np.ones(9), np.arange(9.0) + k) for k in range(2))
    given = ComparableInTask(ScoredTask(metrics=(metric,), batches=batches, key=()))
    assert not [*on_gold(given), *on_unequal_laws(given, "jackknife")]
