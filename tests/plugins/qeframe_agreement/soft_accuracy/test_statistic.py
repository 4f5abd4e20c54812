"""SPA: a plain loop, the official numbers, and that no order and no hash seed matters."""

import subprocess
import sys
from itertools import combinations

import numpy as np
import pytest
from scipy.stats import ttest_rel

from qeframe.kinds.grid.batch import Grid
from qeframe_agreement.soft_accuracy.p_values import keyed_signs, system_p_values
from qeframe_agreement.soft_accuracy.statistic import spa

N = None


def test_p_values_are_those_of_all_exchanges():
    """With every sign pattern once, a draw level with the observed difference counting half."""
    scores = np.array([[[1.0, 2, 4, 1], [0, 1, 1, 2], [1, 2, 4, 1]]])
    patterns = np.array([[1 - 2 * (k >> bit & 1) for bit in range(4)] for k in range(16)], dtype=float)
    p = system_p_values(scores, patterns)[0]
    null = patterns @ (scores[0, 0] - scores[0, 1])
    assert p[0] == pytest.approx(np.mean(null > 4) + np.mean(null == 4) / 2)
    assert p[1] == 0.5
    assert p[2] == pytest.approx(1 - p[0])


def test_no_order_matters(random_grids, measure):
    (batch,) = random_grids(metrics=1, systems=5)
    rng = np.random.default_rng(0)
    systems = rng.permutation(5)
    turned = Grid.from_plain(batch.gold[:, systems], batch.predicted[:, systems])
    assert measure("spa", turned) == pytest.approx(measure("spa", batch), abs=1e-12)
    items = batch.take(rng.permutation(len(batch)))
    assert measure("spa", items) == pytest.approx(measure("spa", batch), abs=1e-12)


def test_identical_systems_in_any_order(measure):
    """The humans see no difference, the metric a clear one: officially .01 or .99, whichever comes first."""
    gold = np.zeros((12, 2))
    gold[::2] = 1
    metric = np.stack([np.arange(12) + 5.0, np.arange(12.0)], axis=1)
    one, other = (measure("spa", gold, side) for side in (metric, metric[:, ::-1]))
    assert one == other == pytest.approx(0.5, abs=0.01)
    official = [measure("spa(replicate=official)", gold, side) for side in (metric, metric[:, ::-1])]
    assert abs(official[0] - official[1]) > 0.9


def test_signs_are_fair_and_keyed_by_id():
    ids = np.arange(400)
    signs = keyed_signs(ids.tobytes(), 1000)
    assert signs.shape == (500, 400)
    assert set(np.unique(signs)) == {-1.0, 1.0}
    assert np.abs(signs.mean(axis=0)).max() < 0.2
    products = signs.T @ signs / len(signs)
    assert np.abs(products - np.eye(400)).max() < 0.27  # six standard deviations of 80,000 pairs
    assert (keyed_signs(ids[7:9].tobytes(), 1000) == signs[:, 7:9]).all()


def test_other_hash_seeds_and_processes_give_the_same_bits():
    code = (
        "import numpy as np; from qeframe.kinds.grid.batch import Grid; from qeframe_agreement import spa;"
        "r = np.random.default_rng(1); g = Grid.from_plain(r.normal(size=(9, 4)), r.normal(size=(9, 4)));"
        "print(float(spa().bind(g)(np.ones(9))).hex())"
    )
    outputs = set()
    for seed in ("1", "2"):
        done = subprocess.run(
            [sys.executable, "-c", code],
            env={"PYTHONHASHSEED": seed, "PYTHONPATH": ":".join(sys.path)},
            capture_output=True,
            text=True,
            check=True,
        )
        outputs.add(done.stdout)
    assert len(outputs) == 1


def test_paired_t_tests_of_systems(random_grids, measure):
    """Scipy's, one pair of systems after the other; close to the permutation where segments are many."""
    for batch in random_grids(items=40, systems=4):
        complete = batch.present.all(axis=1)
        apart = []
        for i, j in combinations(range(4), 2):
            sides = (side[complete] for side in (batch.gold, batch.predicted))
            p = [ttest_rel(side[:, i], side[:, j], alternative="greater").pvalue for side in sides]
            apart.append(abs(p[0] - p[1]))
        assert measure("spa(test=t_test)", batch) == pytest.approx(1 - np.mean(apart), abs=1e-12)
        assert measure("spa(test=t_test)", batch) == pytest.approx(measure("spa", batch), abs=0.02)


def test_t_tests_of_systems_without_variance(measure):
    gold = [[1, 0, 1], [2, 1, 2], [3, 2, 3]]
    assert measure("spa(test=t_test)", gold, gold) == 1.0
    turned = [[b, a, c] for a, b, c in gold]  # certain of the opposite in one pair, in two against undecided
    assert measure("spa(test=t_test)", gold, turned) == pytest.approx(1 - (1 + 0.5 + 0.5) / 3)
    assert np.isnan(measure("spa(test=t_test)", [[1, 2]], [[1, 2]]))
    assert np.isnan(measure("spa(test=t_test)", [[1], [2]], [[1], [2]]))
    with pytest.raises(ValueError, match="cannot replicate"):
        spa(test="t_test", replicate="official")


def test_degenerate_cases(measure):
    assert np.isnan(measure("spa", [[1], [2]], [[1], [2]]))
    assert np.isnan(measure("spa", [], []))
    assert np.isnan(measure("spa", [[1, N]], [[1, 2]]))
    assert measure("spa", [[1, 2], [2, 4], [N, 3]], [[1, 2], [2, 4], [9, 3]]) == 1.0
    with pytest.raises(ValueError, match="at least 1"):
        spa(permutations=0)
