import numpy as np

from qeframe.kinds.grid.batch import Grid
from qeframe.kinds.grid.kind import KIND

BATCH = Grid.from_plain([[0.0, 1.0], [None, 3.0]], [[1.0, 2.0], [3.0, 4.0]])


def test_rows_and_columns_are_rearranged():
    answers = np.array(list(KIND.rearrangements(BATCH, BATCH.predicted)))
    assert answers.shape == (4, 2, 2)
    assert (answers.mean(axis=0) == 2.5).all()


def test_no_answer_ties_all_systems_of_an_item():
    assert KIND.without_answer(BATCH, 1).tolist() == [[1, 2], [0, 0]]
    assert KIND.may_abstain


def test_mirroring_exchanges_the_best_and_the_worst():
    assert KIND.audit.mirrored(BATCH).predicted.tolist() == [[4, 3], [2, 1]]


def test_rearranged_gold_has_no_missing_cell():
    assert np.isfinite(KIND.audit.rearranged(BATCH, np.random.default_rng(1)).predicted).all()
