"""F1 by exact spans of tags, as named entities are scored: a span is right if both of its ends are."""

from __future__ import annotations

import numpy as np
from attrs import frozen

from qeframe.plugin import Additive, BoolArray, FloatArray, Metric, Tags
from qeframe_tagging.confusion_counts import fraction
from qeframe_tagging.runs import Runs, rows_by_chunk, sum_by


@frozen
class _ExactRows:
    """The numbers of right, gold and predicted spans of one class in every sentence, (n, 3)."""

    code: int

    def __call__(self, batch: Tags) -> FloatArray:
        return rows_by_chunk(batch, self._count, 3)

    def _count(self, runs: Runs) -> FloatArray:
        gold = runs.opens_gold & (runs.gold == self.code)
        predicted = runs.opens_predicted & (runs.predicted == self.code)
        both = runs.opens_gold & runs.opens_predicted
        # A run has no change inside. Both spans end with it where both open with the next run, or a sentence ends.
        right = gold & predicted & np.append(both[1:], True)
        return np.stack([self._by_sentence(runs, chosen) for chosen in (right, gold, predicted)], axis=-1)

    def _by_sentence(self, runs: Runs, chosen: BoolArray) -> FloatArray:
        return sum_by(runs.sentence, chosen, runs.sentences)


@frozen
class _ExactF1:
    """F1 of sums of right, gold and predicted spans (..., 3); 0 without a right span."""

    def __call__(self, sums: FloatArray) -> FloatArray:
        return fraction(2.0 * sums[..., 0], sums[..., 1] + sums[..., 2])


def _bind(batch: Tags) -> Additive:
    return Additive(batch.rows(_ExactRows(batch.class_code("BAD"))), _ExactF1(), batch.unit)


exact_span_f1_bad = Metric(
    name="exact_span_f1_bad",
    summary="F1 of spans of BAD; a span is right if both ends are; 0 without a right span",
    source="Logacheva et al. (2016), section 2.1, after the scores of named entities (CoNLL-2003)",
    kind=Tags,
    bind=_bind,
    smooth=True,
    bounds=(0.0, 1.0),
    interval_scale="logit",
    degenerate=0.0,
    formula=r"\frac{2 H}{G + P}",
    symbols=(
        "A span is a longest run of words of one sentence that have the tag BAD. $G$ is the number of spans in the "
        "gold, $P$ that in the submission, and $H$ that of the spans that both have, from the same first to the same "
        "last word. All are counted over all sentences."
    ),
)
