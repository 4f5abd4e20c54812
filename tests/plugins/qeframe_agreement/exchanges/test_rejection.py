"""How often tests find a difference between equally good metrics, by what they exchange: the table of the docs."""

import numpy as np
import pytest

from qeframe.core.components.significance import SignificanceTest
from qeframe.core.evaluation.comparable_in_task import ComparableInTask
from qeframe.core.evaluation.scored_task import ScoredTask
from qeframe.kinds.grid.batch import Grid

TABLE = [
    ("segment_pearson", "none", {"segment": 0.051, "cell": 0.047, "system": 0.049}),
    ("segment_pearson", "items", {"segment": 0.044, "cell": 0.080, "system": 0.075}),
    ("segment_pearson", "systems", {"segment": 0.256, "cell": 0.252, "system": 0.076}),
    ("acc_eq(epsilon=0.2)", "none", {"segment": 0.045, "cell": 0.041, "pair": 0.130}),
    ("acc_eq(epsilon=0.2)", "items", {"segment": 0.045, "cell": 0.016, "pair": 0.130}),
    ("acc_eq(epsilon=0.2)", "systems", {"segment": 0.137, "cell": 0.142, "pair": 0.287}),
]


def equal_metrics(effect, seed, items=40, systems=8):
    """Draw two metrics with noise of their own, and effects of their own on items or on systems."""
    rng = np.random.default_rng(seed)
    gold = rng.normal(size=(items, systems))
    grids = []
    for _ in range(2):
        of_items, of_systems = rng.normal(0, 1.5, (items, 1)), rng.normal(0, 1.0, (1, systems))
        added = {"none": 0.0, "items": of_items, "systems": of_systems}[effect]
        grids.append(Grid.from_plain(gold, gold + added + rng.normal(0, 1, (items, systems))))
    return tuple(grids)


@pytest.mark.slow
@pytest.mark.parametrize(("name", "effect", "rates"), TABLE)
def test_rejections_of_a_true_null(registry, named, name, effect, rates):
    """Within four standard errors of 100 simulations."""
    for unit, rate in rates.items():
        test = registry.get(SignificanceTest, f"permutation(unit={unit}, draws=99, standardize=true)")
        scored_tasks = [
            ScoredTask(metrics=(named(name),), batches=equal_metrics(effect, seed), key=(seed,)) for seed in range(100)
        ]
        found = np.mean([test.run(ComparableInTask(scored_task), "two").p[0] <= 0.05 for scored_task in scored_tasks])
        assert abs(found - rate) <= 4 * np.sqrt(rate * (1 - rate) / 100) + 0.005, unit
