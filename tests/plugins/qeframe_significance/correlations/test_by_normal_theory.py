"""The tests of correlations as components: what they say of the data."""

from random import Random

import numpy as np
import pytest

from qeframe.core.components.loading.registry import Registry
from qeframe.core.components.metric import Metric
from qeframe.core.components.significance import SignificanceTest
from qeframe.core.evaluation.comparable_in_task import ComparableInTask
from qeframe.core.evaluation.scored_task import ScoredTask
from qeframe.core.profiles.load import find_profile
from qeframe.extensions.null_model import NullModel
from qeframe.kinds.registered import find_kind
from qeframe.studies.simulation import Simulation
from qeframe_significance.correlations.by_normal_theory import hittner, meng, steiger, williams


def on(registry: Registry, null: str, units: int = 400) -> tuple[str, ...]:
    drawn = Simulation(metric=registry.get(Metric, "pearson"), null=registry.get(NullModel, null), units=units)
    assert williams.remarks is not None
    return tuple(williams.remarks(drawn.comparable(3), "two"))


def test_normal_data_have_the_rate_of_the_level(registry: Registry) -> None:
    (remark,) = on(registry, "normal")
    assert 0.03 < float(remark.split("rejects about ")[1].split()[0]) < 0.08


def test_skewed_data_name_the_rate_that_they_imply(registry: Registry) -> None:
    (remark,) = on(registry, "mqm_like")
    assert "times what it assumes" in remark
    rate = float(remark.split("rejects about ")[1].split()[0])
    assert 0.3 < rate < 0.7


def test_few_units_have_the_rates_of_other_data(registry: Registry) -> None:
    (remark,) = on(registry, "mqm_like", units=10)
    assert "10 are too few" in remark


def test_every_profile_with_a_test_by_normal_theory_says_its_rate(registry: Registry) -> None:
    """On data of the profile's own kind, whatever is resampled there."""
    tested = 0
    for name in registry.profiles:
        profile = find_profile(name, registry)
        if profile.test not in {"williams", "steiger", "meng", "hittner"}:
            continue
        metric, test = registry.get(Metric, profile.primary), registry.get(SignificanceTest, profile.test)
        kind = find_kind(metric.kind)
        assert kind is not None
        assert kind.fixed_submissions is not None
        assert test.remarks is not None
        batches = tuple(kind.fixed_submissions(Random(name), 24))
        given = ComparableInTask(ScoredTask(metrics=(metric,), batches=batches, key=(1,)))
        (remark,) = test.remarks(given, "two")
        assert "of true null hypotheses at .05" in remark, name
        assert "true null hypotheses at .05" in test.measured
        tested += 1
    assert tested > 20


@pytest.mark.parametrize("test", [williams, steiger, meng, hittner])
def test_equal_submissions_do_not_differ(registry: Registry, test: object) -> None:
    import qeframe

    rng = np.random.default_rng(1)
    gold, a = rng.normal(size=(2, 30))
    (pair,) = qeframe.compare("pearson", gold, {"A": a, "B": a}, test=test)  # type: ignore[arg-type]
    assert pair.p == 1.0
