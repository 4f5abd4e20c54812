"""Whether a judge prefers one side where both are equally good. The gold is not looked at."""

from __future__ import annotations

from typing import Any, Literal

import numpy as np
from attrs import frozen

from qeframe.plugin import FloatArray, Metric, Preferences, additive, ratio
from qeframe.plugin.kinds import NOT_ASKED

_ROUNDING = 1e-12
"""A variance that is a smaller share of the mean square is the rounding of equal scores."""


def _shares(batch: Preferences) -> FloatArray:
    """Return for each pair 1, and the shares of its decisions for A, for B and for a tie, (n, 4)."""
    asked = (batch.decisions != NOT_ASKED).sum(axis=1)
    shares = [(batch.decisions == side).sum(axis=1) / asked for side in (1, -1, 0)]
    return np.stack([np.ones(len(batch)), *shares], axis=1)


def _score_rows(batch: Preferences) -> FloatArray:
    """Return for each pair 1, the difference of its scores, their sum and the sum of their squares, (n, 4)."""
    scores = batch.scores
    sums = [scores[:, 0] - scores[:, 1], scores.sum(axis=1), (scores * scores).sum(axis=1)]
    return np.stack([np.ones(len(batch)), *sums], axis=1)


def _of_decisions(sums: FloatArray) -> FloatArray:
    return ratio(sums[..., 1] - sums[..., 2], sums[..., 0])


def _of_scores(sums: FloatArray) -> FloatArray:
    pairs = sums[..., 0]
    mean, square = ratio(sums[..., 2], 2 * pairs), ratio(sums[..., 3], 2 * pairs)
    variance = square - mean * mean
    return ratio(ratio(sums[..., 1], pairs), np.sqrt(np.where(variance > _ROUNDING * square, variance, 0.0)))


@frozen
class _Bias:
    """The signed difference of two sides, or its absolute value: a score of sums."""

    of: Literal["decisions", "scores"]
    signed: bool

    def __call__(self, sums: FloatArray) -> FloatArray:
        difference = (_of_decisions if self.of == "decisions" else _of_scores)(sums)
        return difference if self.signed else np.abs(difference)


def _details(batch: Preferences) -> dict[str, Any]:
    pairs, *shares = batch.rows(_shares).sum(axis=0)
    found = dict(zip(("prefers A", "prefers B", "tied"), ratio(np.array(shares), pairs).tolist(), strict=True))
    return {
        "pairs": int(pairs),
        **found,
        "difference of scores": float(_of_scores(batch.rows(_score_rows).sum(axis=0))),
    }


def preference_bias(*, of: Literal["decisions", "scores"] = "decisions", signed: bool = False) -> Metric:
    """How much more often, or by how much, a judge prefers A to B: a measure for pairs of equal quality.

    For a set such as gambit-gender, in which both translations of a pair are equally good. **A judge that does not look
    at the answers is perfect**, and so is a constant: report it beside a set with a known order.

    Parameters
    ----------
    of : {"decisions", "scores"}
        decisions: the share of decisions for A less the share for B. scores: the mean difference of the scores of A and
        B, in standard deviations of all scores, so that metrics of different scales can be compared.
    signed : bool
        Whether the value keeps its sign: above 0, A is preferred. It is then a direction, not a quality. By default it
        is the absolute value, and lower is better.

    Returns
    -------
    Metric
        On `Preferences`. Of decisions it is at most 1 in absolute value, of scores at most 2. Undefined (NaN) without
        pairs; of scores also where the judge gives none, or all are equal. The interval of an absolute value contains
        no 0: that of the signed one tells whether a bias is there. Its details give the shares of A, B and ties.
    """
    score, bounds = _Bias(of, signed), 1.0 if of == "decisions" else np.inf
    columns = ("A", "B", "tied") if of == "decisions" else ("difference", "sum", "squares")
    return Metric(
        name="preference_bias",
        summary="Difference between how often A and B are preferred, or between their scores; 0 for a constant",
        source="challenge sets of equal pairs, such as gambit-gender of WMT25",
        formula=r"\left| \frac{1}{n} \sum_{i=1}^{n} (a_i - b_i) \right|",
        symbols="$a_i$ and $b_i$ are the shares of the decisions on pair $i$ of $n$ for A and for B. With `of=scores` "
        "they are the scores of A and B, divided by the standard deviation of all $2n$ scores. With `signed=true` the "
        "sign is kept.",
        kind=Preferences,
        bind=additive(columns=("pairs", *columns), extract=_shares if of == "decisions" else _score_rows, score=score),
        smooth=True,
        details=_details,
        bounds=(-bounds if signed else 0.0, bounds),
        higher_is_better=signed,
    )
