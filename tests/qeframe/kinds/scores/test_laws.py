"""What the two laws of scores draw."""

import numpy as np
import pytest

from qeframe.kinds.scores.laws import error_weights, normal_scores


def test_normal_scores_correlate_one_half() -> None:
    one, other = normal_scores(np.random.default_rng(8), 100_000, 2)
    assert (one.gold == other.gold).all()
    assert [np.corrcoef(one.gold, batch.predicted)[0, 1] for batch in (one, other)] == pytest.approx(
        [0.5] * 2, abs=0.01
    )


@pytest.mark.parametrize("zeros", [0.6, 0.9])
def test_error_weights_have_so_many_zeros(zeros: float) -> None:
    one, _ = error_weights(np.random.default_rng(8), 100_000, 2, zeros=zeros)
    assert (one.gold == 0).mean() == pytest.approx(zeros, abs=0.01)
    assert {one.gold.min(), one.predicted.min()} == {-25}
    assert error_weights(np.random.default_rng(1), 3, 2, zeros=zeros)[0].gold.std() > 0
