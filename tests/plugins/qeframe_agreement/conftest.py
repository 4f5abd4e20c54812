"""What the tests of agreement share."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from qeframe.core.batch import Batch
from qeframe.core.metric import Metric
from qeframe.kinds.grid.batch import Grid


@pytest.fixture(scope="session")
def weigh(named: Callable[[str], Metric]) -> Callable[[str, Batch, Any], Any]:
    return lambda name, batch, weights: named(name).bind(batch)(np.asarray(weights, dtype=np.float64))


@pytest.fixture(scope="session")
def random_grids() -> Callable[..., list[Grid]]:
    """Make grids of metrics of falling quality on one gold, with ties on both sides and whole rows missing."""

    def make(metrics: int = 3, items: int = 30, systems: int = 6, seed: int = 0) -> list[Grid]:
        rng = np.random.default_rng(seed)
        gold = np.round(rng.normal(0, 1.2, (items, systems)) + rng.normal(0, 1, (items, 1)))
        gold[rng.random(items) < 0.1] = np.nan
        noise = rng.normal(0, 1, (metrics, items, systems)) * np.arange(1, metrics + 1)[:, None, None]
        return [Grid.from_plain(gold, np.round(np.nan_to_num(gold) + each, 1)) for each in noise]

    return make


@pytest.fixture(scope="session")
def scores_by_system(shared_data: Callable[[str], Path]) -> Callable[[str], dict[str, list[float]]]:
    """Read a file of mt-metrics-eval: the scores of the segments, NaN for a missing one, of each system."""

    def read(file: str) -> dict[str, list[float]]:
        table: dict[str, list[float]] = {}
        for line in shared_data(file).read_text(encoding="utf-8").splitlines():
            system, score = line.split()
            table.setdefault(system, []).append(float("nan") if score == "None" else float(score))
        return table

    return read
