"""The permutation test on numbers; its exchanges in grids are tested with the metrics of grids."""

import itertools

import numpy as np
import pytest

import qeframe
from qeframe.core.components.significance import SignificanceTest
from qeframe.core.errors import CapabilityError, DataError

REGISTRY = qeframe.load()
GOLD, A, B = [1.0, 2.0, 3.0, 4.0, 5.0], [1.0, 2.5, 3.0, 4.5, 5.0], [2.0, 3.0, 1.0, 4.0, 3.0]


def p(metric: str, test: str) -> float:
    (pair,) = qeframe.compare(metric, GOLD, {"A": A, "B": B}, test=test, correction="none")
    return pair.p


def test_by_segments_it_is_the_randomization_test() -> None:
    for metric in ("mae", "pearson"):
        assert p(metric, "permutation") == p(metric, "randomization")


def test_few_units_are_enumerated() -> None:
    """By hand: answers are swapped in all 32 ways."""
    away = np.abs(np.array([A, B]) - GOLD)
    gain = away[1] - away[0]
    signs = np.array(list(itertools.product((1, -1), repeat=5)))
    extreme = int((np.abs(signs @ gain) >= abs(gain.sum()) - 1e-9).sum())
    assert p("mae", "permutation") == extreme / 32


def test_what_cannot_be_exchanged_is_refused() -> None:
    with pytest.raises(
        DataError, match="permutation: unit must say what is exchanged; use segment, cell, system or pair"
    ):
        REGISTRY.get(SignificanceTest, "permutation(unit='')")
    with pytest.raises(CapabilityError, match="metric 'pearson' has no exchange of standardized scores: it is not "):
        p("pearson", "permutation(standardize=true)")
    with pytest.raises(CapabilityError, match="metric 'mae' has no exchange "):
        p("mae", "permutation(unit=cell)")
