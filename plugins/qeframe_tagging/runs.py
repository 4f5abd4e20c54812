"""Runs: the longest stretches of a sentence in which neither side changes its tag.

A span is a stretch in which one side keeps its tag. A run is the intersection of one gold span and one predicted span.
There are far fewer runs than tokens, and every count of this plugin is a sum over runs.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
from attrs import frozen
from numpy.typing import NDArray

from qeframe.plugin import BoolArray, FloatArray, IntArray, Tags

_TOKENS_AT_ONCE = 2**17
"""About 6,500 sentences, so that any corpus needs only a few megabytes of working memory."""


@frozen(eq=False)
class Runs:
    """All runs of some sentences, in reading order.

    Parameters
    ----------
    sentences, classes : int
        How many sentences and classes there are.
    sentence, gold, predicted, length : (r,) int64
        The sentence of a run, its tag on either side, and its number of tokens.
    opens_gold, opens_predicted : (r,) bool
        Whether a span of that side begins with the run.
    """

    sentences: int
    classes: int
    sentence: IntArray
    gold: IntArray
    predicted: IntArray
    length: IntArray
    opens_gold: BoolArray
    opens_predicted: BoolArray

    @property
    def cell(self) -> IntArray:
        """(r,) int64: the cell of each run in the confusion tables, numbered through all sentences."""
        return (self.sentence * self.classes + self.gold) * self.classes + self.predicted


def sum_by(index: IntArray, values: NDArray[Any], groups: int) -> FloatArray:
    """Return the sum of the values (m,) of each group, (groups,) float64."""
    sums: FloatArray = np.bincount(index, weights=values, minlength=groups).astype(np.float64, copy=False)
    return sums


def find_runs(gold: NDArray[np.int8], predicted: NDArray[np.int8], offsets: IntArray, classes: int) -> Runs:
    """Return the runs of sentences, given as flat tags (tokens,) and offsets (sentences + 1,)."""
    filled = np.flatnonzero(np.diff(offsets))
    begins = offsets[filled]
    opens_gold, opens_predicted = _changes(gold, begins), _changes(predicted, begins)
    starts = np.flatnonzero(opens_gold | opens_predicted)
    per_sentence = np.diff(np.searchsorted(starts, begins), append=len(starts))
    return Runs(
        sentences=len(offsets) - 1,
        classes=classes,
        sentence=np.repeat(filled, per_sentence),
        gold=gold[starts].astype(np.int64),
        predicted=predicted[starts].astype(np.int64),
        length=np.diff(starts, append=len(gold)),
        opens_gold=opens_gold[starts],
        opens_predicted=opens_predicted[starts],
    )


def _changes(tags: NDArray[np.int8], begins: IntArray) -> BoolArray:
    """Return where a span begins: the tag or the sentence differs from that of the token before."""
    changes = np.empty(len(tags), dtype=np.bool_)
    np.not_equal(tags[1:], tags[:-1], out=changes[1:])
    changes[begins] = True
    return changes


def rows_by_chunk(batch: Tags, rows_of: Callable[[Runs], FloatArray], columns: int) -> FloatArray:
    """Return the rows (n, columns) of all sentences, computed chunk by chunk."""
    rows = np.empty((len(batch), columns))
    for first, last in _chunks(batch.gold.offsets):
        offsets = batch.gold.offsets[first : last + 1]
        tokens = slice(offsets[0], offsets[-1])
        gold, predicted = batch.gold.values[tokens], batch.predicted.values[tokens]
        rows[first:last] = rows_of(find_runs(gold, predicted, offsets - offsets[0], len(batch.classes)))
    return rows


def _chunks(offsets: IntArray) -> Iterator[tuple[int, int]]:
    """Cut sentences into chunks of about `_TOKENS_AT_ONCE` tokens."""
    cuts = np.searchsorted(offsets, np.arange(0, offsets[-1], _TOKENS_AT_ONCE))
    ends = np.unique(np.append(cuts, [0, len(offsets) - 1]))
    yield from zip(ends[:-1].tolist(), ends[1:].tolist(), strict=True)
