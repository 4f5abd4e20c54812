import numpy as np
import pytest

from qeframe.kinds.tags.batch import Tags
from qeframe.kinds.tags.kind import KIND, bad_runs

BATCH = Tags.from_plain([[0, 1], [1]], [[1, 1], [0]])


def test_plain_tags():
    assert KIND.plain(BATCH) == {"gold": ["OK BAD", "BAD"], "predicted": ["BAD BAD", "OK"]}


def test_every_word_gets_every_tag_equally_often():
    answers = np.array([each.values for each in KIND.rearrangements(BATCH, BATCH.predicted)])
    assert (answers.mean(axis=0) == BATCH.predicted.values.mean()).all()


def test_corrections_set_one_word_right_each():
    assert [each.values.tolist() for each in KIND.corrections(BATCH, 0)] == [[0, 1, 0]]
    assert KIND.without_answer(BATCH, 0).values.tolist() == [1, 0, 0]


def test_runs_have_the_rate_and_the_length():
    bad = bad_runs(np.random.default_rng(1), 200_000, rate=0.18, run=2.2)
    assert bad.mean() == pytest.approx(0.18, abs=0.01)
    starts = (bad[1:] & ~bad[:-1]).sum()
    assert bad.sum() / starts == pytest.approx(2.2, abs=0.1)
