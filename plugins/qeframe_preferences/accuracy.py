"""How often a judge prefers the better answer: by the rule of JudgeBench, and decision by decision."""

from __future__ import annotations

import numpy as np
from attrs import frozen

from qeframe.plugin import DataError, FloatArray, Metric, Preferences, additive, mean_of_sums, ratio
from qeframe.plugin.kinds import NOT_ASKED


def _is_right(batch: Preferences) -> FloatArray:
    """Return 1 where the decisions that equal the gold outnumber the opposite ones, (n,)."""
    gold = batch.gold[:, None]
    equal, opposite = batch.decisions == gold, (batch.decisions == -gold) & (gold != 0)
    return (equal.sum(axis=1) > opposite.sum(axis=1)).astype(np.float64)


def right_rows(batch: Preferences) -> FloatArray:
    """Return 1 for each pair, and whether the judge is right by the rule of JudgeBench, (n, 2)."""
    return np.stack([np.ones(len(batch)), _is_right(batch)], axis=1)


judgebench_accuracy = Metric(
    name="judgebench_accuracy",
    summary="Share of pairs in which decisions for the gold outnumber the opposite ones; ties and nulls count nothing",
    source="JudgeBench, utils/metrics.py of ScalerLab/JudgeBench",
    formula=r"\frac{1}{n} \sum_{i=1}^{n} [e_i > o_i]",
    symbols="$e_i$ is the number of decisions on pair $i$ that equal the gold (at most two, one for each order), "
    "$o_i$ the number of those for the other answer (none where the gold is a tie), and $n$ the number of pairs. A "
    "bracket is 1 where its condition holds, else 0.",
    kind=Preferences,
    bind=additive(columns=("pairs", "right"), extract=right_rows, score=mean_of_sums),
    smooth=True,
    per_unit=_is_right,
    bounds=(0.0, 1.0),
    claims=("monotone", "abstention_proof"),
)


def credit_rows(batch: Preferences) -> FloatArray:
    """Return for each pair 1, its share of right decisions, and its share of ties where the gold is decided, (n, 3).

    Shares are of the orders that the judge was asked in. A decision that was not made is wrong.
    """
    gold = batch.gold[:, None]
    asked = (batch.decisions != NOT_ASKED).sum(axis=1)
    right = (batch.decisions == gold).sum(axis=1) / asked
    tied = ((batch.decisions == 0) & (gold != 0)).sum(axis=1) / asked
    return np.stack([np.ones(len(batch)), right, tied], axis=1)


def check_credit(metric: str, ties: float) -> None:
    """Raise a `DataError` unless the credit of a tie is from 0 to 1."""
    if not 0 <= ties <= 1:
        raise DataError(f"{metric}: ties = {ties} must be from 0 to 1", remedy="give 0, or 0.5 for half a credit")


@frozen
class _WithCredit:
    """The share of right decisions, where a tie has a credit: a score of sums, and of pairs."""

    ties: float

    def __call__(self, sums: FloatArray) -> FloatArray:
        return ratio(sums[..., 1] + self.ties * sums[..., 2], sums[..., 0])

    def of_pairs(self, batch: Preferences) -> FloatArray:
        """Return the credit of each pair, (n,)."""
        return self(batch.rows(credit_rows))


def preference_accuracy(*, ties: float = 0.0) -> Metric:
    """Share of decisions that equal the gold; a pair in two orders counts the mean of both.

    With scores of both answers instead of decisions it is the accuracy of RewardBench: the share of pairs in which the
    chosen answer has the higher score.

    Parameters
    ----------
    ties : float
        The credit of a tie where the gold prefers an answer, from 0 to 1. 0: as in the script of RewardBench. 0.5: what
        breaking the tie at random is expected to give. Where the gold is a tie, only a tie is right.

    Returns
    -------
    Metric
        On `Preferences`, in [0, 1]; undefined (NaN) only without pairs. A decision that the judge did not make is
        wrong. With `ties` at 0, a judge gains by breaking its ties at random.

    References
    ----------
    Lambert et al. (2024), RewardBench; scripts/run_rm.py of allenai/reward-bench.
    """
    check_credit("preference_accuracy", ties)
    score = _WithCredit(ties)
    return Metric(
        name="preference_accuracy",
        summary="Share of decisions that equal the gold, by default without credit for ties",
        source="RewardBench: Lambert et al. (2024)",
        formula=r"\frac{1}{n} \sum_{i=1}^{n} \frac{e_i + c \, t_i}{a_i}",
        symbols="On pair $i$ of $n$, $a_i$ decisions were asked for (one or two orders), $e_i$ of them equal the "
        "gold, and $t_i$ are ties where the gold is none. $c$ is the credit of a tie, the parameter `ties`.",
        kind=Preferences,
        bind=additive(columns=("pairs", "right", "tied"), extract=credit_rows, score=score),
        smooth=True,
        per_unit=score.of_pairs,
        bounds=(0.0, 1.0),
        claims=("monotone", "abstention_proof"),
    )
