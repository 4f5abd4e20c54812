"""Metrics of equal quality on grids."""

import numpy as np
import pytest

from qeframe.core.errors import DataError
from qeframe_nulls.metrics_and_judges import equal_judges, equal_metrics


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


def test_what_a_judge_knows_and_how_it_guesses():
    batches = equal_judges(ties=0.2, quality=0.5, first=0.75).draw(np.random.default_rng(3), 40_000, 2)
    for batch in batches:
        assert (batch.gold == batches[0].gold).all()
        assert (batch.gold == 0).mean() == pytest.approx(0.2, abs=0.01)
        tied = batch.gold == 0
        assert (batch.decisions[tied, 0] == 0).mean() == pytest.approx(0.5, abs=0.02)
        guessed = tied & (batch.decisions[:, 0] != 0)
        assert (batch.decisions[guessed] == [1, -1]).mean(axis=0) == pytest.approx([0.75, 0.75], abs=0.02)
        assert np.isnan(batch.scores).all()
        assert np.bincount(batch.section).tolist() == [10_000] * 4


@pytest.mark.parametrize("name", ["ties", "quality", "first"])
def test_judges_mistakes(name):
    with pytest.raises(DataError, match="from 0 to 1"):
        equal_judges(**{name: 1.5})
