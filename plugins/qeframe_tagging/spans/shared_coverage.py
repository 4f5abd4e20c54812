"""Partial credit without matching: every span is credited for its characters that the other side marks too."""

from __future__ import annotations

import numpy as np

from qeframe.plugin import FloatArray, IntArray, Spans
from qeframe.plugin.kinds import SEVERITIES, SEVERITY, AnnotatedSegments
from qeframe_tagging.confusion_counts import fraction
from qeframe_tagging.spans.overlaps import Credit, Overlaps
from qeframe_tagging.spans.selection import clipped, first_positions


def coverage_sums(batch: Spans, credit: Credit) -> FloatArray:
    """Return the numerators of precision and recall of every segment, (n, 2), if spans are not matched.

    On each character the marks of both sides are paired: first marks of the same severity, then the others, which lose
    the penalty. What the marks of a severity earn is divided equally among them. A span earns the mean of its
    characters.
    """
    begins = first_positions(batch)
    sides = (batch.predicted, batch.gold)
    ends = [_absolute(side, batch.text, begins) for side in sides]
    positions = np.unique(np.concatenate([each for pair in ends for each in pair]))
    length = np.diff(positions, append=positions[-1:])
    masses = [_masses(side, *pair, positions, credit) for side, pair in zip(sides, ends, strict=True)]
    sums = []
    for (side, pair), mine, other in zip(zip(sides, ends, strict=True), masses, masses[::-1], strict=True):
        share = fraction(_earned(mine, other, credit.severity_penalty), mine)
        sums.append(_mean_over_spans(side, pair, positions, share * length, credit))
    return np.stack(sums, axis=1)


def _absolute(side: AnnotatedSegments, text: IntArray, begins: IntArray) -> tuple[IntArray, IntArray]:
    start, end = clipped(side, text)
    shift = begins[side.row_of_value]
    return start + shift, end + shift


def _masses(side: AnnotatedSegments, start: IntArray, end: IntArray, positions: IntArray, credit: Credit) -> FloatArray:
    """Return the weight of the marks of each severity between positions, (severities, positions)."""
    severity = side.values[:, SEVERITY]
    counts = np.zeros((len(SEVERITIES), len(positions)))
    np.add.at(counts, (severity, np.searchsorted(positions, start)), 1.0)
    np.add.at(counts, (severity, np.searchsorted(positions, end)), -1.0)
    return counts.cumsum(axis=1) * np.array(credit.weights)[:, None]


def _earned(mine: FloatArray, other: FloatArray, penalty: float) -> FloatArray:
    """Return what the marks of each severity of one side earn, (severities, positions)."""
    same = np.minimum(mine, other)
    left = mine - same
    paired = np.minimum(left.sum(axis=0), (other - same).sum(axis=0))
    return same + (1.0 - penalty) * fraction(left, left.sum(axis=0)) * paired


def _mean_over_spans(
    side: AnnotatedSegments, ends: tuple[IntArray, IntArray], positions: IntArray, earned: FloatArray, credit: Credit
) -> FloatArray:
    """Return the sum over the spans of each segment, (n,), of the mean of what their characters earn."""
    filled = np.flatnonzero(ends[1] > ends[0])
    sums = np.zeros(len(side.values))
    if len(filled):
        start, end = (np.searchsorted(positions, each[filled]) for each in ends)
        severity = side.values[filled, SEVERITY]
        flat = np.concatenate([earned, np.zeros((len(earned), 1))], axis=1)
        step = flat.shape[1]
        cuts = np.stack([severity * step + start, severity * step + end], axis=1).ravel()
        total = np.add.reduceat(flat.ravel(), cuts)[::2]
        sums[filled] = credit.weight(severity) * total / (ends[1] - ends[0])[filled]
    return side.sum_rows(sums)


def best_pair_sums(batch: Spans, pairs: Overlaps) -> FloatArray:
    """Return the numerators of precision and recall, (n, 2), if every span earns the best of its pairs."""
    sums = []
    for side, spans, worth in (
        (batch.predicted, pairs.predicted, pairs.precision),
        (batch.gold, pairs.gold, pairs.recall),
    ):
        best = np.zeros(len(side.values))
        np.maximum.at(best, spans, worth)
        sums.append(side.sum_rows(best))
    return np.stack(sums, axis=1)
