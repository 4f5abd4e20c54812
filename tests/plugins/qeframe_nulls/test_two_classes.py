"""Detectors and scorers of tokens of equal quality."""

import numpy as np
import pytest
from scipy.special import ndtr

import qeframe
from qeframe.core.errors import DataError
from qeframe_nulls.two_classes import equal_detectors, equal_token_scorers


def test_share_of_positives_calibration_and_auroc():
    batches = equal_detectors(positive=0.3, separation=1.5).draw(np.random.default_rng(1), 20_000, 2)
    for batch in batches:
        assert batch.gold is batches[0].gold or (batch.gold == batches[0].gold).all()
        assert batch.gold.mean() == pytest.approx(0.3, abs=0.01)
        sure = (batch.predicted > 0.4) & (batch.predicted < 0.6)
        assert batch.gold[sure].mean() == pytest.approx(batch.predicted[sure].mean(), abs=0.03)
        assert qeframe.score("auroc", batch.gold, batch.predicted) == pytest.approx(ndtr(1.5 / 2**0.5), abs=0.01)
    assert (batches[0].predicted != batches[1].predicted).all()


def test_tokens():
    batches = equal_token_scorers(bad=0.1).draw(np.random.default_rng(2), 2000, 2)
    assert set(batches[0].gold.lengths.tolist()) == {20}
    assert batches[0].gold.values.mean() == pytest.approx(0.1, abs=0.01)
    assert (batches[0].gold.values == batches[1].gold.values).all()
    assert [len(each) for each in equal_token_scorers().draw(np.random.default_rng(2), 0, 2)] == [0, 0]


@pytest.mark.parametrize("wrong", [{"positive": 0}, {"positive": 1}, {"separation": -1}, {"separation": float("nan")}])
def test_mistakes(wrong):
    with pytest.raises(DataError, match="must lie between"):
        equal_detectors(**wrong)
    with pytest.raises(DataError, match="bad must lie"):
        equal_token_scorers(bad=1)
