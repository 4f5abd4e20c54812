"""How often a judge prefers the better of two answers, and how much it prefers one side."""

from functools import partial
from typing import Any, Literal

import numpy as np
from attrs import frozen

from qeframe.plugin import DataError, FloatArray, Metric, Preferences, additive, ratio
from qeframe.plugin.kinds import NOT_ASKED


def credit_rows(batch: Preferences) -> FloatArray:
    """Return for each pair 1, its share of right decisions, and its share of ties where the gold is decided, (n, 3).

    Shares are of the orders that the judge was asked in. A decision that was not made is wrong.
    """
    gold = batch.gold[:, None]
    asked = (batch.decisions != NOT_ASKED).sum(axis=1)
    right = (batch.decisions == gold).sum(axis=1) / asked
    tied = ((batch.decisions == 0) & (gold != 0)).sum(axis=1) / asked
    return np.stack([np.ones(len(batch)), right, tied], axis=1)


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
    if not 0 <= ties <= 1:
        what = f"preference_accuracy: ties = {ties} must be from 0 to 1"
        raise DataError(what, remedy="give 0, or 0.5 for half a credit")
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
        interval_scale="logit",
        per_unit=score.of_pairs,
        bounds=(0.0, 1.0),
        claims=("monotone", "abstention_proof"),
        known_weaknesses={"blind": 0.23, "cosmetic": 0.05},
    )


_ROUNDING = 1e-12  # a variance that is a smaller share of the mean square is the rounding of equal scores


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


def _bias_of(of: Literal["decisions", "scores"], signed: bool, sums: FloatArray) -> FloatArray:
    """Return the signed difference of two sides, or its absolute value."""
    difference = (_of_decisions if of == "decisions" else _of_scores)(sums)
    return difference if signed else np.abs(difference)


def _bias_details(batch: Preferences) -> dict[str, Any]:
    pairs, *sums = batch.rows(_shares).sum(axis=0)
    shares = dict(zip(("prefers A", "prefers B", "tied"), ratio(np.array(sums), pairs).tolist(), strict=True))
    difference = float(_of_scores(batch.rows(_score_rows).sum(axis=0)))
    return {"pairs": int(pairs), **shares, "difference of scores": difference}


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
    score, bounds = partial(_bias_of, of, signed), 1.0 if of == "decisions" else np.inf
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
        details=_bias_details,
        bounds=(-bounds if signed else 0.0, bounds),
        higher_is_better=signed,
        known_weaknesses={"cosmetic": 0.05},
    )
