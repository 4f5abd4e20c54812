"""SeqCor, the sequence correlation of WMT15: how well the spans of all classes are found."""

from __future__ import annotations

from typing import Literal

import numpy as np

from qeframe.plugin import FloatArray, IntArray, Metric, Tags, additive
from qeframe_tagging.runs import Runs, rows_by_chunk, sum_by
from qeframe_tagging.span_matching import exact, find_edges, greedy

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

    With n tokens and C classes, the weight of a class is n / (C * its gold tokens). The weighted matched tokens are
    divided by n, so n cancels. The sum is multiplied by the smaller number of spans divided by the larger one.
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
    """Sequence correlation: matched tokens of spans, with equal weights of classes, scaled by numbers of spans.

    In a sentence of n tokens, the gold spans of each class are matched one to one with predicted spans of that class.
    The weight of a class is n / (C * its gold tokens), for C classes. The sentence's score is the sum of weight times
    matched tokens, divided by n, times the ratio of the numbers of spans of both sides, the smaller divided by the
    larger one. The result is the mean over sentences.

    Parameters
    ----------
    matching : {"greedy", "exact"}
        greedy: the largest overlap first; among equal ones the earliest gold span, then the earliest predicted span, as
        in the official script. exact: the matching with the largest total overlap.

    Returns
    -------
    Metric
        On `Tags`, in [0, 1]. Empty sentences are left out. Undefined (NaN) if no sentence has a token. A sentence with
        one class of two scores at most 1 / 2, even if all tags are right, since the other class contributes nothing.

    References
    ----------
    Logacheva et al. (2016), WMT; WMT15 QE word level (secondary), its weighted version.
    """
    return Metric(
        name="seqcor",
        summary="Matched tokens of spans, with equal weights of classes; a sentence of one class scores at most .5",
        source="WMT15 QE word level (secondary); Logacheva et al. (2016)",
        formula=r"\frac{1}{n} \sum_{i=1}^{n} \frac{\min(G_i, P_i)}{\max(G_i, P_i)} \cdot \frac{1}{C} \sum_{c} "
        r"\frac{M_{ic}}{N_{ic}}",
        symbols=r"$n$ is the number of sentences with a token, $C$ the number of classes. In sentence $i$, $G_i$ and "
        r"$P_i$ are the numbers of spans of all classes on both sides, $N_{ic}$ is the number of gold tokens of class "
        r"$c$, and $M_{ic}$ how many of them matched spans share. A class without a gold token adds 0.",
        kind=Tags,
        bind=additive(columns=("credit", "sentences"), extract=_EXTRACTS[matching], score=_mean),
        smooth=True,
        bounds=(0.0, 1.0),
        degenerate=np.nan,
    )
