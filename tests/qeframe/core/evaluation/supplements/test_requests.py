"""What can be asked for."""

import pytest

from qeframe.core.errors import DataError
from qeframe.core.evaluation.supplements.requests import NOTHING, requests_of


def test_nothing_and_defaults():
    assert requests_of(equivalence=None, detectable=False, influence=0) == NOTHING
    assert requests_of(equivalence=None, detectable=True, influence=3).power == 0.8
    assert requests_of(equivalence=0.1, detectable=0.9, influence=0).power == 0.9


@pytest.mark.parametrize(
    "wrong", [{"equivalence": 0.0}, {"equivalence": float("nan")}, {"detectable": 1.0}, {"influence": -1}]
)
def test_numbers_out_of_range(wrong):
    with pytest.raises(DataError):
        requests_of(**{"equivalence": None, "detectable": False, "influence": 0, **wrong})
