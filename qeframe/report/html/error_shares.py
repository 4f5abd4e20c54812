"""The share of each unit that is marked as an error: of the tokens of a sentence, or the characters of a segment."""

from __future__ import annotations

import numpy as np

from qeframe.core.batches.base import BoolArray, FloatArray, IntArray
from qeframe.core.batches.ragged import Ragged
from qeframe.kinds.spans import Spans
from qeframe.kinds.tags.batch import Tags


def error_shares(batch: Tags | Spans) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Return the percentage of each unit that the gold marks, that the submission marks, and that one alone marks.

    Returns
    -------
    gold, predicted, gaps : (n,) float64
        NaN for a unit without tokens or characters.
    """
    offsets = _offsets(batch)
    gold, predicted = (_marks(batch, side, offsets) for side in (batch.gold, batch.predicted))
    return _percentages(gold, offsets), _percentages(predicted, offsets), _percentages(gold != predicted, offsets)


def _offsets(batch: Tags | Spans) -> IntArray:
    """Return where each unit begins in the flat sequence of all tokens or characters, (n + 1,)."""
    if isinstance(batch, Tags):
        return np.asarray(batch.gold.offsets, dtype=np.int64)
    return np.concatenate([[0], np.cumsum(batch.text)]).astype(np.int64)


def _marks(batch: Tags | Spans, side: Ragged, offsets: IntArray) -> BoolArray:
    """Return whether each token or character is marked as an error, (offsets[-1],)."""
    if isinstance(batch, Tags):
        good = batch.class_code("OK") if "OK" in batch.classes else 0
        return np.asarray(side.values != good)
    segment = side.row_of_value
    starts, ends = (np.clip(side.values[:, i], 0, batch.text[segment]) + offsets[segment] for i in (0, 1))
    depth = np.zeros(int(offsets[-1]) + 1, dtype=np.int64)
    np.add.at(depth, starts, 1)
    np.add.at(depth, ends, -1)
    return np.asarray(depth.cumsum()[:-1] > 0)


def _percentages(marks: BoolArray, offsets: IntArray) -> FloatArray:
    total = np.concatenate([[0], np.cumsum(marks)])
    lengths = np.diff(offsets)
    counted = np.diff(total[offsets])
    return np.divide(100.0 * counted, lengths, out=np.full(len(lengths), np.nan), where=lengths > 0)
