"""Whether the order in which a judge sees two answers changes its decision. The gold is not looked at."""

from __future__ import annotations

from typing import Any

import numpy as np

from qeframe.plugin import FloatArray, Metric, Preferences, additive, mean_of_sums, ratio
from qeframe.plugin.kinds import NO_DECISION, NOT_ASKED


def _consistent_rows(batch: Preferences) -> FloatArray:
    """Return whether a pair was judged in both orders, and whether both decisions are one, (n, 2)."""
    first, second = batch.decisions.T
    asked = second != NOT_ASKED
    return np.stack([asked, asked & (first == second) & (first != NO_DECISION)], axis=1).astype(np.float64)


def _consistent_details(batch: Preferences) -> dict[str, Any]:
    asked = batch.decisions[batch.decisions[:, 1] != NOT_ASKED]
    return {"pairs in both orders": len(asked), "decisions not made": int((asked == NO_DECISION).sum())}


swap_consistency = Metric(
    name="swap_consistency",
    summary="Share of pairs with one decision in both orders; a null agrees with nothing; says nothing about the gold",
    source="Zheng et al. (2023), Judging LLM-as-a-judge; JudgeBench",
    formula=r"\frac{1}{n_B} \sum_{i \in B} [d_{i1} = d_{i2}]",
    symbols="$B$ are the pairs that were judged in both orders, $n_B$ is their number, and $d_{i1}$ and $d_{i2}$ are "
    "the decisions on pair $i$: A, tie or B. A bracket is 1 where its condition holds, else 0; a decision that was "
    "not made equals nothing.",
    kind=Preferences,
    bind=additive(columns=("in both orders", "consistent"), extract=_consistent_rows, score=mean_of_sums),
    smooth=True,
    details=_consistent_details,
    bounds=(0.0, 1.0),
    claims=("monotone",),
)


def _position_rows(batch: Preferences) -> FloatArray:
    """Return whether both orders are known, and the decisions for the answer shown first and second, (n, 3)."""
    first, second = batch.decisions.T
    known = (second != NOT_ASKED) & (batch.shown_first != 0)
    for_first = (first == batch.shown_first).astype(np.float64) + (second == -batch.shown_first)
    for_second = (first == -batch.shown_first).astype(np.float64) + (second == batch.shown_first)
    return np.stack([known, known * for_first, known * for_second], axis=1)


def _bias(sums: FloatArray) -> FloatArray:
    return ratio(np.abs(sums[..., 1] - sums[..., 2]), 2 * sums[..., 0])


def _position_details(batch: Preferences) -> dict[str, Any]:
    pairs, for_first, for_second = batch.rows(_position_rows).sum(axis=0)
    return {"pairs": int(pairs), "for the first answer": int(for_first), "for the second answer": int(for_second)}


position_bias = Metric(
    name="position_bias",
    summary="Difference between the shares of decisions for the answer shown first and second, of pairs in both orders",
    source="Wang et al. (2023), Large language models are not fair evaluators; Zheng et al. (2023)",
    formula=r"\frac{\left| F - L \right|}{2 n_B}",
    symbols="$F$ is the number of decisions for the answer that was shown first, $L$ of those for the one shown "
    "second, and $n_B$ the number of pairs that were judged in both known orders.",
    kind=Preferences,
    bind=additive(columns=("in both orders", "for first", "for second"), extract=_position_rows, score=_bias),
    smooth=True,
    details=_position_details,
    bounds=(0.0, 1.0),
    higher_is_better=False,
)
