"""What honest and worthless submissions look like on a gold: the measuring rods of the gaming audit.

For each kind of batch: the gold handed in (`perfect`), the gold's own answers given to other units (`rearranged`, whose
expected score is honest chance), and a submission of a stated quality (`honest`). A plugin that brings a kind of batch
registers its own: ``perfect.register(MyBatch, ...)``.
"""

from __future__ import annotations

from functools import singledispatch
from typing import Any

import attrs
import numpy as np

from qeframe.batches.base import Batch, FloatArray, IntArray
from qeframe.batches.grid import Grid
from qeframe.batches.judgments import Judgments
from qeframe.batches.ragged import Ragged
from qeframe.batches.scores import Scores
from qeframe.batches.spans import Spans
from qeframe.batches.tags import Tags
from qeframe.batches.texts import TextArray, Texts, text_array
from qeframe.errors import DataError

__all__ = ["honest", "mirrored", "perfect", "rearranged"]


def _refusal(batch: Batch) -> DataError:
    return DataError(f"a batch of {type(batch).__name__} has no gold side that an attack could be measured by")


@singledispatch
def perfect(batch: Any) -> Any:
    """Return the batch with the gold handed in as the submission.

    Raises
    ------
    DataError
        If the kind of batch has no gold side, or nobody said what that is.
    """
    raise _refusal(batch)


@singledispatch
def rearranged(batch: Any, rng: np.random.Generator) -> Any:
    """Return the batch with the gold's own answers given to other units, at random.

    Sentences' tags are shuffled, concatenated and recut; scores and judgments are permuted; an item of a grid gets the
    scores of another one with its systems shuffled; a segment gets the reference, or the spans (stretched to its
    length), of another.
    """
    raise _refusal(batch)


@singledispatch
def honest(batch: Any, quality: float, rng: np.random.Generator) -> Any:
    """Return the batch with a submission of a stated quality.

    Parameters
    ----------
    quality : float
        From 0 to 1. Numbers: the correlation with the gold, at the gold's mean and deviation. Judgments: the
        correlation of what lies behind the relations, with as many ties as the gold has. Tags, words and spans: the
        share that is copied from the gold, where the others are drawn from the gold of other places.
    """
    raise _refusal(batch)


@singledispatch
def mirrored(batch: Any) -> Any:
    """Return the same answers given to other units, chosen to balance them out, or None where there is no such way.

    What nobody who knows nothing could prefer to `batch`: of a grid, the best system by its mean answer changes places
    with the worst, the second best with the second worst, and so on, and items do the same. The mean of both scores has
    less noise than that of two others.
    """
    return None


@perfect.register
def _(batch: Scores) -> Scores:
    return attrs.evolve(batch, predicted=batch.gold)


@rearranged.register
def _(batch: Scores, rng: np.random.Generator) -> Scores:
    return attrs.evolve(batch, predicted=rng.permutation(batch.gold))


@honest.register
def _(batch: Scores, quality: float, rng: np.random.Generator) -> Scores:
    return attrs.evolve(batch, predicted=_correlated(batch.gold, quality, rng))


def _correlated(gold: FloatArray, quality: float, rng: np.random.Generator) -> FloatArray:
    """Return numbers of the gold's mean and deviation that correlate with it; NaN stays where it is."""
    center, noise = np.nanmean(gold), np.nanstd(gold) * rng.standard_normal(gold.shape)
    return np.asarray(center + quality * (gold - center) + np.sqrt(1 - quality**2) * noise)


@perfect.register
def _(batch: Tags) -> Tags:
    return attrs.evolve(batch, predicted=batch.gold)


@rearranged.register
def _(batch: Tags, rng: np.random.Generator) -> Tags:
    shuffled = batch.gold.take(rng.permutation(len(batch)))
    turned = np.roll(shuffled.values, rng.integers(max(1, len(shuffled.values))))
    return attrs.evolve(batch, predicted=Ragged(turned, batch.gold.offsets))


@honest.register
def _(batch: Tags, quality: float, rng: np.random.Generator) -> Tags:
    gold = batch.gold.values
    tags = np.where(rng.random(len(gold)) < quality, gold, rng.permutation(gold))
    return attrs.evolve(batch, predicted=Ragged(tags, batch.gold.offsets))


@perfect.register
def _(batch: Judgments) -> Judgments:
    return attrs.evolve(batch, predicted=_beside_zero(batch.human))


def _beside_zero(differences: Any) -> FloatArray:
    """Return differences as scores of left and right, (n, 2)."""
    return np.stack([np.asarray(differences, dtype=np.float64), np.zeros(len(differences))], axis=1)


@rearranged.register
def _(batch: Judgments, rng: np.random.Generator) -> Judgments:
    return attrs.evolve(batch, predicted=_beside_zero(rng.permutation(batch.human)))


@honest.register
def _(batch: Judgments, quality: float, rng: np.random.Generator) -> Judgments:
    from scipy.special import ndtri

    human = batch.human
    ends = np.cumsum([0.0, *((human == sign).mean() if len(human) else 0.0 for sign in (-1, 0, 1))])
    low, high = ends[human + 1], ends[human + 2]
    behind = ndtri(np.clip(low + (high - low) * rng.random(len(human)), 1e-12, 1 - 1e-12))
    said = quality * behind + np.sqrt(1 - quality**2) * rng.standard_normal(len(human))
    tied = np.argsort(np.abs(said), kind="stable")[: int((human == 0).sum())]
    said[tied] = 0.0
    return attrs.evolve(batch, predicted=_beside_zero(said))


@perfect.register
def _(batch: Grid) -> Grid:
    return attrs.evolve(batch, predicted=batch.gold)


@rearranged.register
def _(batch: Grid, rng: np.random.Generator) -> Grid:
    """Give every item the row of another; cells that are missing there are filled with cells of the same row."""
    rows = rng.permuted(batch.gold[rng.permutation(len(batch))], axis=1)
    absent = np.isnan(rows)
    if absent.any():
        order = np.argsort(absent, axis=1, kind="stable")
        there = np.maximum(1, (~absent).sum(axis=1, keepdims=True))
        again = np.take_along_axis(order, np.arange(batch.systems)[None] % there, axis=1)
        packed = np.take_along_axis(rows, again, axis=1)
        rows = rng.permuted(np.where(np.isnan(packed), np.nanmean(batch.gold), packed), axis=1)
    return attrs.evolve(batch, predicted=rows)


@mirrored.register
def _(batch: Grid) -> Grid:
    return attrs.evolve(batch, predicted=batch.predicted[np.ix_(_turned(batch.predicted.T), _turned(batch.predicted))])


def _turned(cells: FloatArray) -> IntArray:
    """Return for each column the one whose rank by its mean is as far from the other end."""
    there = ~np.isnan(cells)
    order = np.argsort(np.where(there, cells, 0.0).sum(axis=0) / np.maximum(1, there.sum(axis=0)), kind="stable")
    source = np.empty_like(order)
    source[order] = order[::-1]
    return source


@honest.register
def _(batch: Grid, quality: float, rng: np.random.Generator) -> Grid:
    return attrs.evolve(batch, predicted=_correlated(batch.gold, quality, rng))


@perfect.register
def _(batch: Texts) -> Texts:
    return attrs.evolve(batch, predicted=_first_references(batch))


def _first_references(batch: Texts) -> TextArray:
    return batch.gold.values[batch.gold.offsets[:-1]]


@rearranged.register
def _(batch: Texts, rng: np.random.Generator) -> Texts:
    """Turn the segments, in random order, by one place: nobody keeps a reference, unless there is one segment only."""
    order = rng.permutation(len(batch))
    texts = _first_references(batch).copy()
    texts[order] = texts[np.roll(order, 1)]
    return attrs.evolve(batch, predicted=texts)


@honest.register
def _(batch: Texts, quality: float, rng: np.random.Generator) -> Texts:
    rows = [text.split() for text in _first_references(batch)]
    words = np.array([word for row in rows for word in row], dtype=np.object_)
    said = np.where(rng.random(len(words)) < quality, words, rng.permutation(words))
    parts = np.split(said, np.cumsum([len(row) for row in rows])[:-1])
    return attrs.evolve(batch, predicted=text_array([" ".join(part) for part in parts]))


@perfect.register
def _(batch: Spans) -> Spans:
    return attrs.evolve(batch, predicted=batch.gold)


@rearranged.register
def _(batch: Spans, rng: np.random.Generator) -> Spans:
    order = rng.permutation(len(batch))
    source = np.empty_like(order)
    source[order] = np.roll(order, 1)
    spans = batch.gold.take(source)
    scale = (batch.text / np.maximum(1, batch.text[source]))[spans.row_of_value, None]
    places = np.floor(spans.values[:, :2] * scale).astype(np.int64)
    return attrs.evolve(batch, predicted=Ragged(np.hstack([places, spans.values[:, 2:]]), spans.offsets))


@honest.register
def _(batch: Spans, quality: float, rng: np.random.Generator) -> Spans:
    gold = batch.gold
    length = gold.values[:, 1] - gold.values[:, 0]
    room = np.maximum(1, batch.text[gold.row_of_value] - length)
    moved = np.floor(rng.random(len(length)) * room).astype(np.int64)
    start = np.where(rng.random(len(length)) < quality, gold.values[:, 0], moved)
    spans = np.stack([start, start + length, gold.values[:, 2]], axis=1)
    return attrs.evolve(batch, predicted=Ragged(spans, gold.offsets))
