"""Data sets of stated quality: some sentences tagged by submissions, all others as in the gold.

The sentences of a task take the tags of submissions one by one, in random order, until the share of wrong words (or of
words tagged BAD) reaches a threshold. One order serves all thresholds of a draw. The sums of a metric over a data set
are those of the gold, and what each sentence changes: one sparse product scores a block of data sets.
"""

from collections.abc import Sequence
from functools import partial
from typing import Any, Literal

import numpy as np
from attrs import frozen

from qeframe.core import metric_calls as checked
from qeframe.core.batch import Batch, BoolArray, FloatArray, IntArray, is_sparse
from qeframe.core.draws import DrawBlock, Key, draw_blocks
from qeframe.core.errors import CapabilityError, DataError
from qeframe.core.metric import Metric
from qeframe.core.runner import Runner
from qeframe.core.statistic import Additive, Score
from qeframe.core.statistic_stack import distinct_columns
from qeframe.kinds.registered import kind_of
from qeframe.kinds.unit_numbers import UnitNumbers

Measured = Literal["wrong", "bad"]
"""What the thresholds bound: the percentage of words with a wrong tag, or of words marked as an error (BAD)."""

_ROUNDING = 1e-9


@frozen(kw_only=True, eq=False)
class MixedTask:
    """What data sets of one task are made of.

    `total` (C,): the sums of all distinct columns of the metrics' rows, all sentences tagged as in the gold.
    `changes` (submissions * n, C): what a sentence adds to these sums if a submission tags it.
    `scores` (callable, (k,) int64): by metric, its score of sums and its columns.
    `counts` (submissions, n): what a sentence adds to the number of words that the thresholds bound.
    `start`, `words`: That number in the gold, and the number of all words.
    """

    total: FloatArray
    changes: FloatArray
    scores: tuple[tuple[Score, IntArray], ...]
    counts: FloatArray
    start: float
    words: float

    @property
    def highest(self) -> float:
        """The mean percentage of data sets with all sentences tagged by submissions."""
        return 100 * (self.start + float(self.counts.mean(axis=0).sum())) / self.words

    def _lower_base(self, spread: float) -> str:
        """Return a base such that every data set reaches it and what is `spread` above it, for a remedy."""
        start = 100 * self.start / self.words
        surely = start + 100 * float(self.counts.min(axis=0).sum()) / self.words - spread
        return f", such as {(start + surely) / 2:.3g}" if surely > start else ""

    def draw(self, thresholds: Sequence[float], draws: int, key: Key, runner: Runner) -> FloatArray:
        """Return the scores of data sets.

        `thresholds`: Percentages, in ascending order. `draws`: how many data sets are drawn for each threshold. Those
        of one draw share their random order. Result: not dependent on the number of workers. Raises DataError if a data
        set does not reach a threshold, or the gold is above the lowest one.
        """
        needed = np.asarray(thresholds) * self.words / 100 - _ROUNDING
        if self.start >= needed[0]:
            what = f"the gold alone is above {thresholds[0]:g} %: {100 * self.start / self.words:.4g} %"
            raise DataError(what, remedy="ask for a higher --base")
        blocks = list(draw_blocks(key, draws, self.counts.shape[1]))
        scores = [np.empty((0, len(thresholds), len(self.scores)))]
        for part, reached in runner.imap(partial(_draw_block, self, needed), blocks):
            if not reached.all():
                highest = thresholds[int(np.flatnonzero(~reached)[0])]
                raise DataError(
                    f"some data sets do not reach {highest:g} % even with all sentences tagged by submissions: "
                    f"they then reach {self.highest:.4g} % on average",
                    remedy=f"ask for a lower --base{self._lower_base(thresholds[-1] - thresholds[0])}",
                )
            scores.append(part)
        return np.concatenate(scores)


def mixed_task(batches: Sequence[Batch], metrics: Sequence[Metric], measured: Measured = "wrong") -> MixedTask:
    """Return what data sets of a task are made of.

    `batches`: one for each submission, at least one, all on the same sentences: `Tags`, or another kind that says which
    shares of its units are marked as errors. `metrics`: Additive ones on this kind. Raises CapabilityError if a metric
    is not additive. Raises DataError if there is no word, or the kind of batch marks no errors in units.
    """
    numbers = [batch.unit_numbers() for batch in batches]
    shares = [
        number for number in numbers if number is not None and number.sizes is not None and number.gold is not None
    ]
    answers = kind_of(type(batches[0])).audit
    if len(shares) < len(batches) or answers is None:
        what = f"a batch of {type(batches[0]).__name__} does not say which words are marked as errors"
        raise DataError(what, remedy="give a batch of tags")
    words = float(np.asarray(shares[0].sizes).sum())
    if not words:
        raise DataError("a task without words has no data sets to draw")
    sides = [answers.perfect(batches[0]), *batches]
    tables, columns = _columns([[_bind(metric, side) for side in sides] for metric in metrics])
    in_gold, *others = np.split(tables, len(sides))
    changes = np.concatenate([rows - in_gold for rows in others])
    gold_count, counts = _counts(shares, measured)
    return MixedTask(
        total=in_gold.sum(axis=0), changes=changes, scores=columns, counts=counts, start=gold_count, words=words
    )


def _bind(metric: Metric, batch: Batch) -> Additive:
    statistic = checked.bind(metric, batch)
    if not isinstance(statistic, Additive):
        raise CapabilityError(
            f"metric '{metric.name}' is not a score of sums over sentences: data sets cannot be scored by sums"
        )
    return statistic


def _columns(statistics: Sequence[Sequence[Additive]]) -> tuple[FloatArray, tuple[tuple[Score, IntArray], ...]]:
    """Return the distinct columns of all metrics, the sides one below the other, and each metric's score of them."""
    tables = [np.concatenate([_dense(side.rows) for side in sides]) for sides in statistics]
    columns, positions = distinct_columns(tables)
    scores = tuple((sides[0].score, where) for sides, where in zip(statistics, positions, strict=True))
    return np.ascontiguousarray(np.asarray(columns).T), scores


def _dense(rows: Any) -> FloatArray:
    return np.asarray(rows.toarray() if is_sparse(rows) else rows)


def _counts(shares: Sequence[UnitNumbers], measured: Measured) -> tuple[float, FloatArray]:
    """Return what the thresholds bound: in the gold, and what each sentence of a submission adds, (submissions, n)."""
    if measured == "wrong":
        return 0.0, np.stack([_words(share.gaps, share) for share in shares])
    in_gold = _words(shares[0].gold, shares[0])
    return float(in_gold.sum()), np.stack([_words(share.answers, share) for share in shares]) - in_gold


def _words(percentages: FloatArray | None, of: UnitNumbers) -> FloatArray:
    """Return the number of words of each sentence from their percentages, (n,)."""
    return np.rint(np.nan_to_num(np.asarray(percentages)) * np.asarray(of.sizes) / 100)


def _draw_block(mixed: MixedTask, needed: FloatArray, block: DrawBlock) -> tuple[FloatArray, BoolArray]:
    """Return the scores of a block, (draws, thresholds, metrics), and which thresholds all its data sets reach."""
    from scipy.sparse import csr_array

    rng, (submissions, n) = block.rng(), mixed.counts.shape
    order = rng.permuted(np.broadcast_to(np.arange(n), (block.draws, n)), axis=1)
    tagger = rng.integers(submissions, size=(block.draws, n))
    counted = mixed.start + np.cumsum(mixed.counts[tagger, order], axis=1)
    above = [counted >= least for least in needed]
    reached = np.array([crossed.any(axis=1).all() for crossed in above])
    ends = np.stack([np.where(crossed.any(axis=1), crossed.argmax(axis=1) + 1, n) for crossed in above], axis=1)
    steps = np.diff(ends, axis=1, prepend=0)
    within = np.arange(n) < ends[:, -1:]
    pointers = np.concatenate([[0], np.cumsum(steps.ravel())])
    chosen = (tagger * n + order)[within]
    shape = (steps.size, submissions * n)
    taken = csr_array((np.ones(len(chosen)), chosen, pointers), shape=shape)
    added = np.asarray(taken @ mixed.changes).reshape(block.draws, len(needed), -1)
    sums = mixed.total + np.cumsum(added, axis=1)
    return np.stack([score(sums[..., where]) for score, where in mixed.scores], axis=-1), reached
