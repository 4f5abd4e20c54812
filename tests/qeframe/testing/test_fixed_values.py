import numpy as np
import pytest

import qeframe
from qeframe.core.components.metric import Metric
from qeframe.core.components.reader import Reader
from qeframe.core.errors import DataError
from qeframe.testing.fixed_values import Fixed, digest, fixed_values, same_value, word_of
from qeframe.testing.laws.checks import LAWS
from qeframe.testing.laws.reader_laws import ProfileFile

REGISTRY = qeframe.load()


@pytest.mark.parametrize("kind", [kind for kind in LAWS if kind not in (Reader, ProfileFile)])
def test_every_class_with_numbers_has_values_smallest_first(kind):
    component = REGISTRY.all(kind)[0]
    assert word_of(kind)
    names = [fixed.name for fixed in fixed_values(kind, component)]
    assert names
    assert len(set(names)) == len(names)


def test_a_class_without_numbers_has_no_word():
    assert word_of(object) == ""


def test_values_have_nine_digits():
    def value(computed):
        return Fixed(name="x", compute=lambda: computed, plain={}).value

    assert value(1 / 3) == "0.333333333"
    assert value(np.array([1e-13, np.nan])) == "0 nan"
    assert value(["OK", 0.1234567891]) == digest('["OK", "0.123456789"]')
    assert value(np.zeros(101)).startswith("#")


def test_a_refusal_is_a_value():
    def refuse():
        raise DataError("no")

    assert Fixed(name="x", compute=refuse, plain={}).value == "DataError"


@pytest.mark.parametrize(
    ("before", "after", "same"),
    [
        ("1", "1.00000000001", True),
        ("1", "1.001", False),
        ("nan", "nan", True),
        ("1", "1 2", False),
        ("#a", "#b", False),
    ],
)
def test_values_are_compared_up_to_rounding(before, after, same):
    assert same_value(before, after) is same


def test_the_value_of_a_metric_is_its_score():
    fixed = next(iter(fixed_values(Metric, REGISTRY.get(Metric, "mae"))))
    errors = np.abs(np.array(fixed.plain["gold"]) - np.array(fixed.plain["predicted"]))
    assert float(fixed.value) == pytest.approx(errors.mean())
