"""The sums of MPP: a matched pair of spans earns its overlap as a share of either span."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

import numpy as np
from attrs import frozen

from qeframe.plugin import FloatArray, Spans
from qeframe.plugin.kinds import SEVERITY, AnnotatedSegments
from qeframe_tagging.runs import sum_by
from qeframe_tagging.spans.matching import Fixed, Matching, match_greedily, match_one_to_one
from qeframe_tagging.spans.overlaps import Credit, Overlaps, find_overlaps
from qeframe_tagging.spans.selection import Selection, fault_sums
from qeframe_tagging.spans.shared_coverage import best_pair_sums, coverage_sums

MatchingRule = Literal["best", "greedy", "many_to_many"]
"""How the spans of a segment are matched."""

COLUMNS = ("precision credit", "predicted weight", "recall credit", "gold weight", "possible loss of F")
"""What is summed over segments. The last column is 0 where the matching is known to be the best."""

_SEGMENTS_AT_ONCE = 2**16


@frozen
class PartialCredit:
    """The sums of every segment, (n, 5): see `COLUMNS`."""

    credit: Credit
    matching: MatchingRule
    selection: Selection

    def __call__(self, batch: Spans) -> FloatArray:
        """Return the sums, computed for a bounded number of segments at once."""
        rows = np.zeros((len(batch), len(COLUMNS)))
        for first in range(0, len(batch), _SEGMENTS_AT_ONCE):
            part = slice(first, min(first + _SEGMENTS_AT_ONCE, len(batch)))
            rows[part] = self._rows(self.selection(batch.take(np.arange(part.start, part.stop))))
        return rows

    def _rows(self, batch: Spans) -> FloatArray:
        fixed, loss = self._fixed(batch), np.zeros(len(batch))
        if self.matching == "many_to_many":
            earned = self._shared(batch)
        else:
            pairs = find_overlaps(batch, self.credit)
            found = self._match(pairs, fixed)
            chosen = pairs.take(found.matched)
            earned = np.stack([sum_by(chosen.segment, of, len(batch)) for of in (chosen.precision, chosen.recall)], 1)
            loss[list(found.gap)] = list(found.gap.values())
        columns = (earned[:, 0] + fixed.precision, fixed.predicted, earned[:, 1] + fixed.recall, fixed.gold, loss)
        return np.stack(columns, axis=1)

    def _fixed(self, batch: Spans) -> Fixed:
        faults = fault_sums(batch, self.credit.of_severities, self.credit.weight)
        predicted, gold = (self._weights(side) for side in (batch.predicted, batch.gold))
        return Fixed(faults[:, 0], faults[:, 0], predicted + faults[:, 2], gold + faults[:, 1])

    def _weights(self, side: AnnotatedSegments) -> FloatArray:
        return side.sum_rows(self.credit.weight(side.values[:, SEVERITY]))

    def _shared(self, batch: Spans) -> FloatArray:
        if self.credit.measure == "overlap":
            return coverage_sums(batch, self.credit)
        return best_pair_sums(batch, find_overlaps(batch, self.credit))

    def _match(self, pairs: Overlaps, fixed: Fixed) -> Matching:
        return match_one_to_one(pairs, fixed) if self.matching == "best" else match_greedily(pairs, pairs.harmonic)

    def matched_pairs(self, batch: Spans) -> Sequence[tuple[int, int]]:
        """Return the matched pairs (gold, predicted), numbered through all spans that are selected."""
        selected = self.selection(batch)
        pairs = find_overlaps(selected, self.credit)
        chosen = pairs.take(self._match(pairs, self._fixed(selected)).matched)
        return list(zip(chosen.gold.tolist(), chosen.predicted.tolist(), strict=True))
