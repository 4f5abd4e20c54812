"""Judges of equal quality."""

import numpy as np
import pytest

from qeframe.core.errors import DataError
from qeframe_nulls.judges import equal_judges


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
def test_mistakes(name):
    with pytest.raises(DataError, match="from 0 to 1"):
        equal_judges(**{name: 1.5})
