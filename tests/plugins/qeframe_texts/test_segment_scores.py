"""Scores of single segments, and of segments that a submission left out."""

import numpy as np
import pytest

from qeframe.core.components.metric import segment_scores
from qeframe.core.errors import DataError
from qeframe.core.tasks.reading import Reading, UnitValues
from qeframe.data.align import align
from qeframe.kinds.texts.batch import Texts, text_array


def test_a_missing_segment_is_scored_as_an_empty_candidate(measure):
    ids, texts = np.arange(3), text_array(["a b", "c d", "e f"])
    gold = UnitValues(name="gold", ids=ids, values=texts)
    submission = UnitValues(name="s", ids=ids[:2], values=texts[:2])
    reading = Reading(name="t", kind=Texts, gold=gold, submissions=(submission,))
    with pytest.raises(DataError, match="segment 2 is missing in s"):
        align(reading)
    task = align(reading, missing="score_as_worst")
    (batch,) = task.batches.values()
    assert batch.predicted.tolist() == ["a b", "c d", ""]
    assert measure("wer", batch) == pytest.approx(100 / 3)


def test_scores_of_segments(metric):
    batch = Texts.from_plain(["a b", "c d", ""], ["a b", "c", ""])
    assert segment_scores(metric("wer"), batch).tolist() == [0, 50, 0]
    empty = Texts.from_plain([], [])
    for name in ("wer", "nist"):
        assert segment_scores(metric(name), empty).shape == (0,)


def test_scores_of_segments_beyond_one_block(metric, monkeypatch):
    batch = Texts.from_plain(["a b", "c d e", "a b c", "d"], ["a b", "c d", "c b", "d"])
    whole = segment_scores(metric("nist"), batch)
    monkeypatch.setattr("qeframe.core.resampling.memory.MOST_CELLS", 16)
    np.testing.assert_array_equal(segment_scores(metric("nist"), batch), whole)
    alone = [float(metric("nist").bind(batch.take(np.array([i])))(np.ones(1))) for i in range(4)]
    np.testing.assert_allclose(whole, alone, rtol=0, atol=1e-12)
