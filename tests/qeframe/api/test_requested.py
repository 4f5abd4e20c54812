"""The supplements that an evaluation is asked for."""

import numpy as np
import pytest

from qeframe.api.requested import requested
from qeframe.core.errors import DataError, UnknownNameError


def names(registry, *supplements, **keywords):
    return [supplement.name for supplement in requested(registry, supplements, **keywords)]


def test_the_keywords_ask_by_name(registry):
    assert names(registry) == []
    assert names(registry, explain=True, equivalence=0.1, detectable=True, influence=3) == [
        "explain",
        "equivalence(delta=0.1)",
        "detectable",
        "influence(units=3)",
    ]
    assert names(registry, equivalence=1, detectable=0.9, influence=np.int64(5)) == [
        "equivalence(delta=1)",
        "detectable(power=0.9)",
        "influence",
    ]


def test_supplements_are_asked_for_by_name_or_given(registry):
    (explain,) = requested(registry, ["explain"])
    assert names(registry, explain, "influence(units=2)") == ["explain", "influence(units=2)"]
    assert requested(registry, explain) == requested(registry, "explain") == (explain,)


def test_what_is_asked_for_twice_is_refused(registry):
    with pytest.raises(DataError, match=r"^supplement 'influence' is asked for twice; ask for it once$"):
        requested(registry, ["influence(units=2)"], influence=3)


@pytest.mark.parametrize(
    "wrong",
    [{"equivalence": 0.0}, {"equivalence": float("nan")}, {"detectable": 1.0}, {"detectable": 0.0}, {"influence": -1}],
)
def test_numbers_out_of_range(registry, wrong):
    with pytest.raises(DataError):
        requested(registry, **wrong)


def test_an_unknown_supplement_is_named(registry):
    with pytest.raises(UnknownNameError, match=r"unknown supplement 'influense'; did you mean 'influence'"):
        requested(registry, ["influense"])
