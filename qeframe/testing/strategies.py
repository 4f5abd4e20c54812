"""Hypothesis strategies: unit weights and exchanges, and one submission of each kind of batch."""

import numpy as np
from hypothesis.strategies import SearchStrategy
from numpy.typing import NDArray

from qeframe.core.batch import IntArray
from qeframe.kinds.detections.kind import detections_batches
from qeframe.kinds.drawing import whole_numbers
from qeframe.kinds.grid.kind import grids_batches
from qeframe.kinds.judgments.kind import judgments_batches
from qeframe.kinds.preferences.kind import preferences_batches
from qeframe.kinds.scores.kind import scores_batches
from qeframe.kinds.scores.values import values_batches
from qeframe.kinds.spans.kind import spans_batches
from qeframe.kinds.tags.kind import tags_batches
from qeframe.kinds.texts.kind import texts_batches
from qeframe.kinds.token_scores.kind import token_scores_batches

__all__ = [
    "detections_batches",
    "exchanges",
    "grids_batches",
    "judgments_batches",
    "preferences_batches",
    "scores_batches",
    "spans_batches",
    "tags_batches",
    "texts_batches",
    "token_scores_batches",
    "values_batches",
    "weights",
]


def weights(units: int, *, most: int = 3) -> SearchStrategy[IntArray]:
    """Draw whole unit weights from 0 to `most`, (units,), at least one of them positive.

    Examples
    --------
    >>> from hypothesis import given
    >>> from qeframe.testing import weights
    >>> @given(weights(3))
    ... def test_no_weight_is_negative(drawn):
    ...     assert drawn.shape == (3,) and (drawn >= 0).all()
    >>> test_no_weight_is_negative()
    """
    return whole_numbers(units, 0, most).map(_not_all_zero)


def _not_all_zero(drawn: IntArray) -> IntArray:
    """Give the first unit a weight where no unit has one; examples shrink better than those that are filtered."""
    drawn[:1] += not drawn.any()
    return drawn


def exchanges(units: int, *, draws: int = 4) -> SearchStrategy[NDArray[np.uint8]]:
    """Draw exchanges of 0 (kept) and 1 (swapped), (draws, units)."""
    return whole_numbers(draws * units, 0, 1).map(lambda drawn: drawn.reshape(draws, units).astype(np.uint8))
