import numpy as np
import pytest

from qeframe.kinds.answers import correlated, gold_handed_in, rescaled, with_predicted, with_worst_answer
from qeframe.kinds.scores.batch import Scores

BATCH = Scores.from_plain([0.0, 1.0, 4.0], [1.0, 2.0, 3.0])


def test_other_answers_on_the_same_gold():
    assert with_predicted(BATCH, np.zeros(3)).predicted.tolist() == [0, 0, 0]
    assert gold_handed_in(BATCH).predicted.tolist() == [0, 1, 4]
    assert rescaled(BATCH, -2.0, 1.0).tolist() == [-4, -6, -8]
    assert BATCH.predicted.tolist() == [1, 2, 3]


def test_the_worst_answer_is_within_the_range_of_the_others():
    assert with_worst_answer(2, BATCH, BATCH.gold).tolist() == [1, 2, 1]
    assert with_worst_answer(0, BATCH, BATCH.gold).tolist() == [3, 2, 3]


@pytest.mark.parametrize("quality", [0.0, 0.6, 1.0])
def test_answers_of_a_quality_correlate_that_much(quality):
    rng = np.random.default_rng(1)
    gold = rng.normal(size=20_000)
    assert np.corrcoef(gold, correlated(gold, quality, rng))[0, 1] == pytest.approx(quality, abs=0.02)


def test_missing_cells_stay_missing():
    cells = np.array([[1.0, np.nan], [2.0, 3.0]])
    assert np.isnan(correlated(cells, 0.5, np.random.default_rng(1))).tolist() == [[False, True], [False, False]]
