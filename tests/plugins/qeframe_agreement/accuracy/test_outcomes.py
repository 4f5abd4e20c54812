"""The exchange of outcomes: counts against a loop, p-values against every exchange and scipy."""

from itertools import product

import numpy as np
import pytest
from scipy.stats import binomtest

from qeframe.core.errors import DataError
from qeframe.kinds.grid.batch import Grid
from qeframe_agreement import acc_eq, count_outcomes
from qeframe_significance import sign_p_values


def test_counts(random_grids):
    grids = random_grids(items=12)
    for epsilon in (0.0, 0.7, [0.0, 0.3, 1.0]):
        counts = count_outcomes(grids, epsilon=epsilon)
        each = np.broadcast_to(epsilon, 3)
        rows = [acc_eq(epsilon=float(e)).bind(grid)(np.ones(12)) for e, grid in zip(each, grids, strict=True)]
        pairs = (~np.isnan(grids[0].gold).any(axis=1)).sum() * 15
        assert (counts - counts.T) / pairs == pytest.approx(np.subtract.outer(rows, rows), abs=1e-12)
        assert (np.diag(counts) == 0).all()
    calibrated = count_outcomes(grids)
    best = [float(acc_eq().bind(grid)(np.ones(12))) for grid in grids]
    assert (calibrated - calibrated.T) / pairs == pytest.approx(np.subtract.outer(best, best), abs=1e-12)


def test_p_values_are_those_of_all_exchanges():
    for wins, losses in [(5, 1), (3, 3), (0, 4), (2, 0)]:
        exchanges = [sum(signs) for signs in product((1, -1), repeat=wins + losses)]
        one = np.mean([value >= wins - losses for value in exchanges])
        two = np.mean([abs(value) >= abs(wins - losses) for value in exchanges])
        assert float(sign_p_values(wins, losses, sided="one")) == pytest.approx(one, abs=1e-12)
        assert float(sign_p_values(wins, losses)) == pytest.approx(two, abs=1e-12)
        assert float(sign_p_values(wins, losses)) == pytest.approx(binomtest(wins, wins + losses).pvalue, abs=1e-12)
    assert sign_p_values([0], [0]).tolist() == [1.0]
    assert sign_p_values([0], [0], sided="one").tolist() == [1.0]


def test_metrics_on_another_gold(random_grids):
    first, second, _ = random_grids()
    with pytest.raises(DataError, match="metric 1 is on another gold"):
        count_outcomes([first, Grid.from_plain(second.gold + 1, second.predicted)])
