"""Corrections by hand and against scipy."""

import numpy as np
import pytest
import scipy.stats

import qeframe
from qeframe.core.components.significance import Correction

REGISTRY = qeframe.load()


def test_corrections_by_hand() -> None:
    p = np.array([0.01, 0.04, 0.03, np.nan])
    expected = {
        "none": [0.01, 0.04, 0.03, np.nan],
        "bonferroni": [0.04, 0.16, 0.12, np.nan],
        "holm": [0.04, 0.09, 0.09, np.nan],
        "bh": [0.04, 0.16 / 3, 0.16 / 3, np.nan],
    }
    for name, adjusted in expected.items():
        assert REGISTRY.get(Correction, name).adjust(p) == pytest.approx(adjusted, nan_ok=True), name


def test_bh_is_that_of_scipy() -> None:
    p = np.random.default_rng(1).uniform(0, 0.1, 30)
    assert REGISTRY.get(Correction, "bh").adjust(p) == pytest.approx(scipy.stats.false_discovery_control(p))
