"""SeqCor, the sequence correlation of WMT15: how well the spans of either class are found again."""

from __future__ import annotations

from typing import Literal

import numpy as np

from qeframe.plugin import FloatArray, IntArray, Metric, Tags, additive
from qeframe_tagging.matching import exact, find_edges, greedy
from qeframe_tagging.runs import Runs, rows_by_chunk, sum_by

__all__ = ["sentence_correlations", "seqcor"]

Matching = Literal["greedy", "exact"]


def sentence_correlations(batch: Tags, *, matching: Matching = "greedy") -> FloatArray:
    """Return the sequence correlation of every sentence.

    Returns
    -------
    (n,) float64
        In [0, 1]; NaN for an empty sentence.
    """
    rows = batch.rows(_EXTRACTS[matching])
    return np.where(rows[:, 1] > 0, rows[:, 0], np.nan)


def _credits(runs: Runs, matched: IntArray, where: IntArray) -> FloatArray:
    """Return the credit of every sentence and whether it has a token, (sentences, 2).

    With n tokens and C classes, a class weighs n / (C * its gold tokens); the weighted matched tokens are divided by n,
    so n drops out. The total is scaled by the smaller over the larger number of spans.
    """
    side = runs.sentence * runs.classes + runs.gold
    support = sum_by(side, runs.length, runs.sentences * runs.classes)
    shares = matched / (runs.classes * support[side[where]])
    credit = sum_by(runs.sentence[where], shares, runs.sentences)
    spans = [sum_by(runs.sentence, opens, runs.sentences) for opens in (runs.opens_gold, runs.opens_predicted)]
    filled = spans[0] > 0
    scaled = credit * np.minimum(*spans) / np.maximum(np.maximum(*spans), 1.0)
    return np.stack([scaled, filled], axis=1)


def _greedy_credits(runs: Runs) -> FloatArray:
    edges = find_edges(runs)
    return _credits(runs, greedy(edges), edges.run)


def _exact_credits(runs: Runs) -> FloatArray:
    edges = find_edges(runs)
    return _credits(runs, exact(edges), edges.run)


def greedy_rows(batch: Tags) -> FloatArray:
    """Return credit and non-emptiness of every sentence under greedy matching, (n, 2)."""
    return rows_by_chunk(batch, _greedy_credits, 2)


def exact_rows(batch: Tags) -> FloatArray:
    """Return credit and non-emptiness of every sentence under exact matching, (n, 2)."""
    return rows_by_chunk(batch, _exact_credits, 2)


_EXTRACTS = {"greedy": greedy_rows, "exact": exact_rows}


def _mean(sums: FloatArray) -> FloatArray:
    credit, sentences = sums[..., 0], sums[..., 1]
    return np.divide(credit, sentences, out=np.full(np.shape(credit), np.nan), where=sentences > 0)


def seqcor(*, matching: Matching = "greedy") -> Metric:
    """Sequence correlation: matched tokens of spans, classes weighted alike, scaled by the numbers of spans.

    In a sentence of n tokens, the gold spans of each class are matched one to one with predicted spans of that class. A
    class weighs n / (2 * its gold tokens); the sum of weight times matched tokens, divided by n and multiplied by the
    smaller over the larger number of spans of the two sides, is the sentence's score. The mean over sentences is the
    result. With C classes the weight is n / (C * gold tokens).

    Parameters
    ----------
    matching : {"greedy", "exact"}
        greedy: the largest overlap first, among equal ones the earliest gold, then the earliest predicted span, as the
        official script did. exact: the matching with the largest total overlap.

    Returns
    -------
    Metric
        On `Tags`, in [0, 1]. Empty sentences are left out; undefined (NaN) without a sentence that has a token. A
        sentence of one class scores at most 1 / 2, even if it is tagged perfectly: the other class has nothing to give.

    References
    ----------
    Logacheva et al. (2016), WMT; WMT15 QE word level (secondary), its weighted version.
    """
    return Metric(
        name="seqcor",
        summary="Matched tokens of spans, classes weighted alike; a sentence of one class gets at most .5",
        source="WMT15 QE word level (secondary); Logacheva et al. (2016)",
        kind=Tags,
        bind=additive(columns=("credit", "sentences"), extract=_EXTRACTS[matching], score=_mean),
        bounds=(0.0, 1.0),
        degenerate=np.nan,
    )
