"""Metrics of token scores, computed in each sentence: explanations of quality estimates.

A sentence counts if its gold has tokens of both classes; the score is the mean over these sentences.
"""

from typing import Literal

import numpy as np
from attrs import frozen

from qeframe.plugin import FloatArray, IntArray, Metric, TokenScores, additive, mean_of_sums

_SOURCE = "WMT21-22 explainable QE"
_SYMBOLS = (
    "$S$ are the sentences whose gold has tokens of both classes, and $n_S$ is their number. In sentence $s$, $x_i$ is "
    "the number of token $i$, $y_i$ is 1 for a BAD token and 0 for an OK one, and $K_s$ tokens are BAD. A bracket is 1 "
    "where its condition holds, else 0."
)


@frozen(eq=False)
class _Groups:
    """The tied groups of all sentences, each sentence from its highest number to its lowest."""

    sentence: IntArray
    hits: FloatArray  # BAD tokens of each group
    totals: FloatArray  # all tokens of each group
    found: FloatArray  # hits of the group and those before it in its sentence
    called: FloatArray  # the same of all tokens
    positives: FloatArray  # of each sentence
    tokens: FloatArray

    def mean_rows(self, values: FloatArray, denominator: FloatArray) -> FloatArray:
        """Return (1, sum of the values of a sentence / denominator), or (0, 0) for a sentence of one class."""
        counts = (self.positives > 0) & (self.positives < self.tokens)
        sums = np.bincount(self.sentence, values, minlength=len(self.tokens)).astype(np.float64)
        scores = np.divide(sums, denominator, out=np.zeros_like(sums), where=counts)
        return np.stack([counts.astype(np.float64), scores], axis=1)


def _groups(batch: TokenScores, *, last_first: bool = False) -> _Groups:
    """Return the tied groups of all sentences; with `last_first` tokens are not tied, a later one is before."""
    sentence, gold = batch.gold.row_of_value, batch.gold.values
    descending = -batch.predicted.values
    keys = (-np.arange(len(gold)), descending, sentence) if last_first else (descending, sentence)
    order = np.lexsort(keys)
    row, value = sentence[order], descending[order]
    fresh = np.ones(len(order), dtype=np.bool_)
    if not last_first:
        fresh[1:] = (row[1:] != row[:-1]) | (value[1:] != value[:-1])
    starts = np.flatnonzero(fresh)
    hits = np.add.reduceat(gold[order], starts) if len(starts) else np.zeros(0)
    totals = np.diff(np.append(starts, len(order))).astype(np.float64)
    positives, tokens = batch.gold.sum_rows(gold), batch.gold.lengths.astype(np.float64)
    of_group = row[starts]
    before = [(np.cumsum(counts) - counts)[of_group] for counts in (positives, tokens)]
    true_positives, called = np.cumsum(hits) - before[0], np.cumsum(totals) - before[1]
    return _Groups(of_group, hits, totals, true_positives, called, positives, tokens)


def _area_rows(batch: TokenScores) -> FloatArray:
    groups = _groups(batch)
    pairs = (groups.found - groups.hits / 2) * (groups.totals - groups.hits)
    return groups.mean_rows(pairs, groups.positives * (groups.tokens - groups.positives))


def _precision_rows(batch: TokenScores) -> FloatArray:
    groups = _groups(batch)
    return groups.mean_rows(groups.hits * groups.found / groups.called, groups.positives)


@frozen
class _RecallRows:
    last_first: bool

    def __call__(self, batch: TokenScores) -> FloatArray:
        groups = _groups(batch, last_first=self.last_first)
        room = groups.positives[groups.sentence] - (groups.called - groups.totals)
        taken = np.clip(room, 0.0, groups.totals)
        return groups.mean_rows(groups.hits * taken / groups.totals, groups.positives)


token_auroc = Metric(
    name="token_auroc",
    summary="Mean over sentences of the area under the ROC curve of tokens; sentences of one class do not count",
    source=f"{_SOURCE} (AUC)",
    formula=r"\frac{1}{n_S} \sum_{s \in S} \frac{1}{K_s (n_s - K_s)} \sum_{i \in s:\, y_i = 1} \; \sum_{j \in s:\, "
    r"y_j = 0} \left( [x_i > x_j] + \frac{1}{2} [x_i = x_j] \right)",
    symbols=f"{_SYMBOLS} $n_s$ is the number of tokens of sentence $s$.",
    kind=TokenScores,
    bind=additive(columns=("sentences", "area"), extract=_area_rows, score=mean_of_sums),
    smooth=True,
    bounds=(0.0, 1.0),
    claims=("constant_proof", "blind_proof", "monotone"),
)

token_average_precision = Metric(
    name="token_average_precision",
    summary="Mean over sentences of the average precision of tokens; sentences of one class do not count",
    source=f"{_SOURCE} (AP)",
    formula=r"\frac{1}{n_S} \sum_{s \in S} \frac{1}{K_s} \sum_{i \in s:\, y_i = 1} \frac{\sum_{j \in s} y_j [x_j \ge "
    r"x_i]}{\sum_{j \in s} [x_j \ge x_i]}",
    symbols=_SYMBOLS,
    kind=TokenScores,
    bind=additive(columns=("sentences", "precision"), extract=_precision_rows, score=mean_of_sums),
    smooth=True,
    bounds=(0.0, 1.0),
    claims=("constant_proof", "monotone"),
    known_weaknesses={"blind": 0.16},
)


def token_recall_at_k(*, ties: Literal["shared", "last"] = "shared") -> Metric:
    """Mean over sentences of the share of BAD tokens among the K highest; K is the number of BAD tokens of a sentence.

    Parameters
    ----------
    ties : {"shared", "last"}
        shared: tokens that are tied at the border count in proportion, the exact expectation over their orders. last:
        the later token of a sentence is before, as in the official script, which takes the last K of an ascending
        order; for replication, since equal numbers for all tokens then mark the end of every sentence. The script sorts
        by an argsort that is not stable: in long sentences it takes others of many equal numbers, in an order that
        depends on the version of numpy. A submission of WMT22 that has .5163 here has .5060 there.

    Returns
    -------
    Metric
        On `TokenScores`, in [0, 1]. Sentences of one class do not count; undefined (NaN) if there is no other.

    References
    ----------
    Fomicheva et al. (2021), The Eval4NLP shared task on explainable quality estimation; WMT22 QE task 2 (primary).
    """
    return Metric(
        name="token_recall_at_k",
        summary="Mean over sentences of the recall of the K highest tokens, K the number of BAD ones",
        source=f"{_SOURCE} (primary in 2022)",
        formula=r"\frac{1}{n_S} \sum_{s \in S} \frac{1}{K_s} \sum_{i \in s:\, y_i = 1} [r_i \le K_s]",
        symbols=f"{_SYMBOLS} $r_i$ is the rank of $x_i$ in its sentence, the highest first; of tokens tied at the "
        "border, each counts with the share of them that is within (`ties=shared`).",
        kind=TokenScores,
        bind=additive(columns=("sentences", "recall"), extract=_RecallRows(ties == "last"), score=mean_of_sums),
        smooth=True,
        bounds=(0.0, 1.0),
        claims=("constant_proof", "blind_proof", "monotone") if ties == "shared" else ("monotone",),
    )
