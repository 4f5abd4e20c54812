"""MPP: precision, recall and F of spans that are matched one to one, with credit for a part of a span."""

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any, Literal

import numpy as np
from attrs import frozen

from qeframe.plugin import FloatArray, Metric, Spans, additive
from qeframe_tagging.confusion_counts import f_score, fraction
from qeframe_tagging.spans.matching import COLUMNS, MatchingRule, PartialCredit
from qeframe_tagging.spans.overlaps import Credit, Measure
from qeframe_tagging.spans.selection import Faults, OfSeverity, Selection

Average = Literal["micro", "macro"]


def _precision(sums: FloatArray) -> FloatArray:
    return fraction(sums[..., 0], sums[..., 1], 1.0)


def _recall(sums: FloatArray) -> FloatArray:
    return fraction(sums[..., 2], sums[..., 3], 1.0)


def _f(sums: FloatArray) -> FloatArray:
    return f_score(_precision(sums), _recall(sums))


@frozen
class _SegmentValues:
    """The score of each segment alone, (n,): what a macro average is the mean of."""

    rows: PartialCredit
    score: Callable[[FloatArray], FloatArray]

    def __call__(self, batch: Spans) -> FloatArray:
        return self.score(batch.rows(self.rows))

    def counted(self, batch: Spans) -> FloatArray:
        """Return the scores with a count of 1 each, (n, 2)."""
        return np.stack([np.ones(len(batch)), self(batch)], axis=1)


def _mean(sums: FloatArray) -> FloatArray:
    return fraction(sums[..., 1], sums[..., 0], 1.0)


def _details(credits: PartialCredit, batch: Spans) -> dict[str, Any]:
    """Return precision and recall; where a matching may not be the best, how many segments, and the largest loss."""
    rows = batch.rows(credits)
    sums, loss = rows.sum(axis=0), rows[:, -1]
    details: dict[str, Any] = {"precision": float(_precision(sums)), "recall": float(_recall(sums))}
    if loss.any():
        details |= {"unsure_matchings": int((loss > 0).sum()), "largest_loss_of_f": float(loss.max())}
    return details


_KNOWN: Mapping[str, Mapping[str, float]] = {
    "mpp_f": {"blind": 0.57, "cosmetic": 0.49},
    "mpp_precision": {"blind": 1.02, "cosmetic": 0.5},
    "mpp_recall": {"blind": 0.86, "cosmetic": 0.47},
}
"""The largest gaming index that attacks of each kind have, with any value of the parameters."""


def _metric(name: str, score: Callable[[FloatArray], FloatArray], average: Average, rows: PartialCredit) -> Metric:
    values = _SegmentValues(rows, score)
    micro = additive(columns=COLUMNS, extract=rows, score=score)
    return Metric(
        name=name,
        summary=f"{_WORDS[name]} of spans matched one to one, with partial credit; two empty sides: 1",
        source="Perrella, Morales Agostinho and Zaragoza (2026), span-level meta-evaluation",
        kind=Spans,
        bind=micro if average == "micro" else additive(columns=("segments", name), extract=values.counted, score=_mean),
        smooth=True,
        interval_scale="logit",
        per_unit=None if average == "micro" else values,
        details=partial(_details, rows) if average == "micro" else None,
        bounds=(0.0, 1.0),
        degenerate=1.0,
        claims=frozenset({"monotone"}),
        formula=_FORMULAS[name],
        symbols=_SYMBOLS,
        known_weaknesses=_KNOWN[name],
    )


_PRECISION = r"P = \frac{1}{n_A} \sum_{(a, b) \in M} \frac{|a \cap b|}{|a|}"
_RECALL = r"R = \frac{1}{n_B} \sum_{(a, b) \in M} \frac{|a \cap b|}{|b|}"
_FORMULAS = {
    "mpp_f": rf"F = \frac{{2 P R}}{{P + R}}, \qquad {_PRECISION}, \qquad {_RECALL}",
    "mpp_precision": _PRECISION,
    "mpp_recall": _RECALL,
}
_SYMBOLS = (
    r"$M$ are the matched pairs of a predicted span $a$ and a gold span $b$ of one segment, $|a \cap b|$ their common "
    "characters, $|a|$ and $|b|$ their lengths; $n_A$ and $n_B$ are the numbers of predicted and of gold spans of all "
    "segments. A matching is one to one, and the one with the largest F of its segment. This is the form with the "
    "default parameters; weights and penalties multiply the terms."
)
_WORDS = {"mpp_f": "F", "mpp_precision": "precision", "mpp_recall": "recall"}


def mpp_f(
    *,
    average: Average = "micro",
    measure: Measure = "overlap",
    matching: MatchingRule = "best",
    severity_penalty: float = 0.0,
    minor_weight: float = 1.0,
    major_weight: float = 1.0,
    critical_weight: float = 1.0,
    severity: OfSeverity = "all",
    category: str = "",
    faults: Faults = "ignored",
) -> Metric:
    """F of error spans that are matched one to one, with partial credit (MPP).

    A pair of a predicted and a gold span that overlap earns its overlap divided by the length of the predicted span for
    precision, and divided by the length of the gold span for recall. The denominators are the numbers of spans. F is
    2 * P * R / (P + R). F is not a sum over pairs, so that the best matching of a segment is no linear assignment; it
    is searched for. It is the best one, except where both sides of a segment have more than 12 spans that compete and
    the search becomes too large: there it is the best of several linear assignments.

    Each span of an error of several spans is matched by itself and counts as one. `annotation_f1`, the rule for
    documents of WMT19 and WMT20, compares such errors as a whole.

    Parameters
    ----------
    average : {"micro", "macro"}
        micro: numerators and denominators are added over segments. macro: the mean of the scores of segments.
    measure : {"overlap", "exact", "any"}
        What a matched pair earns: its overlap as a share of either span (MPP); 1 if both spans begin and end together
        (EM); 1 for any overlap (MP).
    matching : {"best", "greedy", "many_to_many"}
        best: one to one, so that the F of the segment is largest. greedy: one to one, always the pair with the largest
        overlap as a share of both spans. many_to_many: no matching, every character that both sides mark is credited.
    severity_penalty : float
        What a pair of spans of different severities loses, from 0 to 1.
    minor_weight, major_weight, critical_weight : float
        The weight of a span in the denominators. A pair earns at most the smaller weight of its spans.
    severity : {"all", "minor", "major", "critical"}
        Count only spans of this severity, on both sides.
    category : str
        Count only spans of this category, on both sides: a name, or the first part of names such as
        ``accuracy/addition``; "" for all spans.
    faults : {"ignored", "counted"}
        Whether an omission and a fault against the instructions count, each as one more span of the translation. No
        official rule is known.

    Returns
    -------
    Metric
        On `Spans`, in [0, 1]. Precision is 1 if the submission has no span, recall is 1 if the gold has none, F is 0 if
        both are 0. So two empty sides score 1, and a submission without spans scores 0 if the gold has some. An empty
        span (start = end) overlaps nothing; without such spans, no correction of a segment lowers the score. Details:
        precision, recall; and if a matching may not be the best, in how many segments, and how much of F is lost at
        most.

    Raises
    ------
    DataError
        If the penalty is not from 0 to 1, a weight is negative, or all weights are 0.

    References
    ----------
    Perrella, Morales Agostinho and Zaragoza (2026), Span-level machine translation meta-evaluation, arXiv 2603.19921.
    """
    credit = Credit(measure, severity_penalty, (minor_weight, major_weight, critical_weight))
    return _metric("mpp_f", _f, average, PartialCredit(credit, matching, Selection(severity, category, faults)))


def mpp_precision(
    *,
    average: Average = "micro",
    measure: Measure = "overlap",
    matching: MatchingRule = "best",
    severity_penalty: float = 0.0,
    minor_weight: float = 1.0,
    major_weight: float = 1.0,
    critical_weight: float = 1.0,
    severity: OfSeverity = "all",
    category: str = "",
    faults: Faults = "ignored",
) -> Metric:
    """Precision of error spans that are matched one to one, with partial credit (MPP).

    It is the credit of predicted spans, divided by their number. It is 1 if the submission has none.

    Parameters
    ----------
    average : {"micro", "macro"}
        micro: numerators and denominators are added over segments. macro: the mean of the scores of segments.
    measure, matching, severity_penalty, minor_weight, major_weight, critical_weight
        How spans are matched and credited; see `mpp_f`. Matchings make F as large as possible, not the precision.
    severity, category, faults
        What counts; see `mpp_f`.

    Returns
    -------
    Metric
        On `Spans`, in [0, 1].

    References
    ----------
    Perrella, Morales Agostinho and Zaragoza (2026), Span-level machine translation meta-evaluation, arXiv 2603.19921.
    """
    credit = Credit(measure, severity_penalty, (minor_weight, major_weight, critical_weight))
    return _metric(
        "mpp_precision", _precision, average, PartialCredit(credit, matching, Selection(severity, category, faults))
    )


def mpp_recall(
    *,
    average: Average = "micro",
    measure: Measure = "overlap",
    matching: MatchingRule = "best",
    severity_penalty: float = 0.0,
    minor_weight: float = 1.0,
    major_weight: float = 1.0,
    critical_weight: float = 1.0,
    severity: OfSeverity = "all",
    category: str = "",
    faults: Faults = "ignored",
) -> Metric:
    """Recall of error spans that are matched one to one, with partial credit (MPP).

    It is the credit of gold spans, divided by their number. It is 1 if the gold has none.

    Parameters
    ----------
    average : {"micro", "macro"}
        micro: numerators and denominators are added over segments. macro: the mean of the scores of segments.
    measure, matching, severity_penalty, minor_weight, major_weight, critical_weight
        How spans are matched and credited; see `mpp_f`. Matchings make F as large as possible, not the recall.
    severity, category, faults
        What counts; see `mpp_f`.

    Returns
    -------
    Metric
        On `Spans`, in [0, 1].

    References
    ----------
    Perrella, Morales Agostinho and Zaragoza (2026), Span-level machine translation meta-evaluation, arXiv 2603.19921.
    """
    credit = Credit(measure, severity_penalty, (minor_weight, major_weight, critical_weight))
    return _metric(
        "mpp_recall", _recall, average, PartialCredit(credit, matching, Selection(severity, category, faults))
    )
