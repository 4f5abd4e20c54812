"""The rows of a calibration."""

import pytest

from qeframe.core.components.loading.registry import Registry
from qeframe.core.components.metric import Metric
from qeframe.core.components.significance import Correction, SignificanceTest
from qeframe.core.errors import DataError
from qeframe.extensions.null_model import NullModel
from qeframe.studies.calibration import calibrate, null_models_of


def test_null_models_are_those_that_fit_the_metric(registry: Registry) -> None:
    names = [null.name for null in null_models_of(registry.get(Metric, "mae"), registry)]
    assert "normal" in names
    assert "scaled" not in names
    assert {null.name for null in null_models_of(registry.get(Metric, "mcc"), registry)} == {
        "equal_taggers",
        "uneven_taggers",
    }


def test_a_row_for_each_null_model_and_size(registry: Registry) -> None:
    test, metric = registry.get(SignificanceTest, "jackknife"), registry.get(Metric, "mean")
    nulls = [registry.get(NullModel, "independent_values"), registry.get(NullModel, "values_in_documents")]
    rows = list(calibrate(test, metric, nulls, units=(20, 30), runs=5))
    assert [(row.null, row.units, row.submissions) for row in rows] == [
        (null.name, units, 2) for null in nulls for units in (20, 30)
    ]
    assert all(row.covered is not None for row in rows)


def test_a_family_has_no_coverage(registry: Registry) -> None:
    test, metric = registry.get(SignificanceTest, "jackknife"), registry.get(Metric, "mean")
    (row,) = calibrate(
        test,
        metric,
        [registry.get(NullModel, "independent_values")],
        units=(20,),
        submissions=4,
        runs=3,
        correction=registry.get(Correction, "holm"),
    )
    assert (row.correction, row.submissions, row.covered) == ("holm", 4, None)


def test_no_null_model_is_a_mistake(registry: Registry) -> None:
    with pytest.raises(DataError, match="no null model for metric 'gtm_f'"):
        list(calibrate(registry.get(SignificanceTest, "jackknife"), registry.get(Metric, "gtm_f"), []))
