"""SeqCor of WMT15, and the matching of gold and predicted spans of one class by the size of their overlap.

An edge is a run whose tags agree: the overlap of one gold span with one predicted span of the same class. In reading
order the edges of a span are adjacent. So edges that compete for a span are adjacent and form short chains. Both
matchings below work on all chains of many sentences at once.
"""

from collections.abc import Callable
from typing import Literal, TypeVar

import numpy as np
from attrs import frozen
from numpy.typing import NDArray

from qeframe.plugin import BoolArray, FloatArray, IntArray, Metric, Tags, additive
from qeframe_tagging.confusion_counts import Runs, fraction, rows_by_chunk, sum_by

V = TypeVar("V", np.int64, np.bool_)


@frozen(eq=False)
class Edges:
    """Overlaps of gold and predicted spans of the same class, in reading order; arrays (e,)."""

    run: IntArray
    gold: IntArray  # the spans that it joins, numbered in reading order
    predicted: IntArray
    overlap: IntArray  # in tokens

    def __len__(self) -> int:
        return len(self.run)

    def take(self, kept: BoolArray) -> "Edges":
        """Return the edges where `kept`, (e,), is true."""
        return Edges(self.run[kept], self.gold[kept], self.predicted[kept], self.overlap[kept])

    @property
    def linked(self) -> BoolArray:
        """(e,) bool: whether an edge competes with the one before it for a span."""
        return ~(_opens(self.gold) & _opens(self.predicted))


def find_edges(runs: Runs) -> Edges:
    """Return the edges among runs."""
    agreed = np.flatnonzero(runs.gold == runs.predicted)
    gold, predicted = (np.cumsum(opens, dtype=np.int64) for opens in (runs.opens_gold, runs.opens_predicted))
    return Edges(agreed, gold[agreed], predicted[agreed], runs.length[agreed])


def _opens(spans: IntArray) -> BoolArray:
    """Return where the edges of another span begin, (e,)."""
    opens = np.ones(len(spans), dtype=np.bool_)
    np.not_equal(spans[1:], spans[:-1], out=opens[1:])
    return opens


def greedy(edges: Edges) -> IntArray:
    """Repeatedly match the largest overlap; among equal ones the earliest gold span, then predicted span.

    Returned is the overlap of every edge that is matched, 0 for the others, (e,). An edge that is the best of both its
    spans is taken by that rule whatever happens elsewhere. So all such edges are taken at once, what competes with them
    is removed, and again.
    """
    linked = edges.linked
    alone = ~linked
    alone[:-1] &= ~linked[1:]
    matched = np.where(alone, edges.overlap, 0)
    left, position = edges.take(~alone), np.flatnonzero(~alone)
    while len(left):
        key = left.overlap * len(left) + np.arange(len(left))[::-1]
        best = (key == _best_of(left.gold, key)) & (key == _best_of(left.predicted, key))
        matched[position[best]] = left.overlap[best]
        open_still = ~(_best_of(left.gold, best) | _best_of(left.predicted, best))
        left, position = left.take(open_still), position[open_still]
    return matched


def _best_of(spans: IntArray, values: NDArray[V]) -> NDArray[V]:
    """Return, for every edge, the largest value among the edges of its span."""
    first = np.flatnonzero(_opens(spans))
    return np.repeat(np.maximum.reduceat(values, first), np.diff(first, append=len(spans)))


def exact(edges: Edges) -> IntArray:
    """Match so that the total overlap is the largest possible: that of a chain is at its last edge, 0 elsewhere, (e,).

    In reading order, an edge competes with an unbroken stretch of edges before it: those of its gold span or of its
    predicted span. So the best total of the first i edges of a chain is the larger of two numbers: the best total of
    the first i - 1 edges, and the overlap of edge i plus the best total before that stretch. All chains are computed
    together, step by step.
    """
    starts = np.flatnonzero(~edges.linked)
    lengths = np.diff(starts, append=len(edges))
    earliest = np.minimum(_first_edge(edges.gold), _first_edge(edges.predicted))
    total = edges.overlap.copy()
    order = np.argsort(-lengths, kind="stable")
    starts, lengths = starts[order], lengths[order]
    for step in range(1, int(lengths.max(initial=0))):
        chains = starts[: np.searchsorted(-lengths, -step)]
        at = chains + step
        before = np.where(earliest[at] > chains, total[earliest[at] - 1], 0)
        # the best without this edge, or with it and the best before both of its spans began
        total[at] = np.maximum(total[at - 1], edges.overlap[at] + before)
    matched = np.zeros_like(total)
    last = starts + lengths - 1
    matched[last] = total[last]
    return matched


def _first_edge(spans: IntArray) -> IntArray:
    """Return, for every edge, the first edge of its span."""
    first = np.flatnonzero(_opens(spans))
    return np.repeat(first, np.diff(first, append=len(spans)))


Matching = Literal["greedy", "exact"]


def sentence_correlations(batch: Tags, *, matching: Matching = "greedy") -> FloatArray:
    """Return the sequence correlation of every sentence.

    Returns
    -------
    (n,) float64
        In [0, 1]; NaN for an empty sentence.
    """
    rows = batch.rows(ROWS[matching])
    return np.where(rows[:, 1] > 0, rows[:, 0], np.nan)


@frozen
class _Credits:
    """The credit of every sentence and whether it has a token, (n, 2).

    With n tokens and C classes, the weight of a class is n / (C * its gold tokens). The weighted matched tokens are
    divided by n, so n cancels. The sum is multiplied by the smaller number of spans divided by the larger one.
    """

    match: Callable[[Edges], IntArray]

    def __call__(self, batch: Tags) -> FloatArray:
        return rows_by_chunk(batch, self._credits, 2)

    def _credits(self, runs: Runs) -> FloatArray:
        edges = find_edges(runs)
        side = runs.sentence * runs.classes + runs.gold
        support = sum_by(side, runs.length, runs.sentences * runs.classes)
        shares = self.match(edges) / (runs.classes * support[side[edges.run]])
        credit = sum_by(runs.sentence[edges.run], shares, runs.sentences)
        spans = [sum_by(runs.sentence, opens, runs.sentences) for opens in (runs.opens_gold, runs.opens_predicted)]
        filled = spans[0] > 0
        scaled = credit * np.minimum(*spans) / np.maximum(np.maximum(*spans), 1.0)
        return np.stack([scaled, filled], axis=1)


ROWS = {"greedy": _Credits(greedy), "exact": _Credits(exact)}


def _mean(sums: FloatArray) -> FloatArray:
    return fraction(sums[..., 0], sums[..., 1], np.nan)


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
        bind=additive(columns=("credit", "sentences"), extract=ROWS[matching], score=_mean),
        smooth=True,
        bounds=(0.0, 1.0),
        degenerate=np.nan,
        known_weaknesses={"blind": 0.08},
    )
