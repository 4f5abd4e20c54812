"""Metrics of equal quality on grids."""

import numpy as np
import pytest

from qeframe.core.errors import DataError
from qeframe_nulls.score_grids import equal_metrics


def test_effects_of_segments_and_systems() -> None:
    def spread(**effects: float) -> tuple[float, float]:
        model = equal_metrics(systems=40, **effects)
        one, other = model.draw(np.random.default_rng(3), 400, 2)
        away = one.predicted - other.predicted
        return float(away.mean(axis=1).std()), float(away.mean(axis=0).std())

    plain, by_segment, by_system = spread(), spread(segment_effect=1.0), spread(system_effect=1.0)
    assert by_segment[0] > 3 * plain[0]
    assert by_system[1] > 3 * plain[1]
    assert by_segment[1] < 2 * plain[1]


def test_mistakes() -> None:
    with pytest.raises(DataError, match="systems"):
        equal_metrics(systems=1)
