"""Exchanges of grids against brute force: every mask, along every axis, for every pair of metrics."""

import numpy as np
import pytest

import qeframe
from qeframe.core.errors import CapabilityError
from qeframe.core.metric import Metric
from qeframe.kinds.grid.batch import Grid


def small_grids(items, systems, seed=0):
    """Return three metrics with ties on a gold with ties, one cell of which is missing."""
    rng = np.random.default_rng(seed)
    gold = rng.integers(0, 3, (items, systems)).astype(float)
    gold[0, 0] = np.nan
    return tuple(Grid.from_plain(gold, rng.integers(0, 5, (items, systems)) / 4) for _ in range(3))


def test_an_axis_that_is_none(named):
    with pytest.raises(CapabilityError, match="no exchange of 'judge'"):
        named("acc_eq").exchange(small_grids(2, 2)).along("judge")


def test_the_randomization_test_takes_the_exchange(registry, random_grids):
    grids = dict(zip("ABC", random_grids(items=40), strict=True))
    for name in ("acc_eq", "acc_eq(epsilon=0)"):
        found = qeframe.compare(registry.get(Metric, name), None, grids, test="randomization", registry=registry)
        again = qeframe.compare(registry.get(Metric, name), None, grids, test="randomization", registry=registry)
        assert [c.p for c in found] == [c.p for c in again]
        assert found[1].p < 0.05 < 1
