"""Taggers of equal quality."""

import numpy as np
import pytest

from qeframe.core.errors import DataError
from qeframe_nulls.tags_and_spans import equal_span_detectors, equal_taggers


def test_share_of_bad_words_and_agreement() -> None:
    batches = equal_taggers(bad=0.1, quality=0.5).draw(np.random.default_rng(2), 5000, 2)
    gold = batches[0].gold.values
    assert gold.mean() == pytest.approx(0.1, abs=0.01)
    for batch in batches:
        assert batch.predicted.values.mean() == pytest.approx(0.1, abs=0.01)
        assert (batch.predicted.values == gold).mean() == pytest.approx(0.5 + 0.5 * (0.01 + 0.81), abs=0.01)


def test_mistakes() -> None:
    with pytest.raises(DataError, match="bad"):
        equal_taggers(bad=0)


def test_counts_and_ends():
    batches = equal_span_detectors(spans=2, found=0.7).draw(np.random.default_rng(4), 5000, 2)
    for batch in batches:
        assert (batch.gold.values == batches[0].gold.values).all()
        for side in (batch.gold, batch.predicted):
            start, end, severity = side.values.T
            assert ((start >= 0) & (start < end) & (end <= 120)).all()
            assert len(side.values) / 5000 == pytest.approx(2, abs=0.1)
            assert severity.mean() == pytest.approx(0.35, abs=0.03)
    assert len(batches[0].predicted.values) != len(batches[1].predicted.values)


def test_all_are_found_and_none():
    (all_found,) = equal_span_detectors(found=1).draw(np.random.default_rng(5), 300, 1)
    assert (all_found.predicted.lengths == all_found.gold.lengths).all()
    moved = np.abs(all_found.predicted.values - all_found.gold.values)
    assert moved[:, :2].max() <= 3 + 3  # an end is moved beyond a start that was moved beyond it
    assert not moved[:, 2].any()
    (empty,) = equal_span_detectors().draw(np.random.default_rng(5), 0, 1)
    assert len(empty) == 0


@pytest.mark.parametrize("wrong", [{"spans": 0}, {"spans": 21}, {"found": -0.1}])
def test_marked_spans_mistakes(wrong):
    with pytest.raises(DataError, match="spans must lie"):
        equal_span_detectors(**wrong)
