"""Taggers of equal quality."""

import numpy as np
import pytest

from qeframe.core.errors import DataError
from qeframe_nulls.tag_sequences import equal_taggers


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
