"""How often a judge is right by the rule of JudgeBench and beyond chance; how the order of the answers biases it."""

from functools import partial
from typing import Any, Literal

import numpy as np

from qeframe.plugin import Claim, FloatArray, Metric, Preferences, additive, mean_of_sums, ratio
from qeframe.plugin.kinds import NO_DECISION, NOT_ASKED


def is_right(batch: Preferences) -> FloatArray:
    """Return 1 where the decisions that equal the gold outnumber the opposite ones, (n,)."""
    gold = batch.gold[:, None]
    equal, opposite = batch.decisions == gold, (batch.decisions == -gold) & (gold != 0)
    return (equal.sum(axis=1) > opposite.sum(axis=1)).astype(np.float64)


def _right_rows(batch: Preferences) -> FloatArray:
    """Return 1 for each pair, and whether the judge is right by the rule of JudgeBench, (n, 2)."""
    return np.stack([np.ones(len(batch)), is_right(batch)], axis=1)


judgebench_accuracy = Metric(
    name="judgebench_accuracy",
    summary="Share of pairs in which decisions for the gold outnumber the opposite ones; ties and nulls count nothing",
    source="JudgeBench, utils/metrics.py of ScalerLab/JudgeBench",
    formula=r"\frac{1}{n} \sum_{i=1}^{n} [e_i > o_i]",
    symbols="$e_i$ is the number of decisions on pair $i$ that equal the gold (at most two, one for each order), "
    "$o_i$ the number of those for the other answer (none where the gold is a tie), and $n$ the number of pairs. A "
    "bracket is 1 where its condition holds, else 0.",
    kind=Preferences,
    bind=additive(columns=("pairs", "right"), extract=_right_rows, score=mean_of_sums),
    smooth=True,
    interval_scale="logit",
    per_unit=is_right,
    bounds=(0.0, 1.0),
    claims=("monotone", "abstention_proof"),
    known_weaknesses={"blind": 0.23, "cosmetic": 0.2},
)


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
    known_weaknesses={"cosmetic": 1.02},
)


def _position_rows(batch: Preferences) -> FloatArray:
    """Return whether both orders are known, and the decisions for the answer shown first and second, (n, 3)."""
    first, second = batch.decisions.T
    both = (second != NOT_ASKED) & (batch.shown_first != 0)
    for_first = (first == batch.shown_first).astype(np.float64) + (second == -batch.shown_first)
    for_second = (first == -batch.shown_first).astype(np.float64) + (second == batch.shown_first)
    return np.stack([both, both * for_first, both * for_second], axis=1)


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
    known_weaknesses={"cosmetic": 1.02},
)


Chance = Literal["cohen", "base_rate"]
_CLASSES, _VERDICTS = 3, 4
_NAMES = ("A", "tie", "B", "none")
_BASE_RATE = r"\qquad p_e = \max_{c} \frac{N_{c \cdot}}{n}"


def _verdicts(batch: Preferences) -> FloatArray:
    """Return what the judge decided in all orders together, (n,): +1, 0, -1, or `NO_DECISION`.

    It is the answer that has more decisions; a tie if both have as many; no decision if the judge made none.
    """
    decided = np.abs(batch.decisions) <= 1
    votes = np.sign(np.where(decided, batch.decisions, 0.0).sum(axis=1))
    return np.where(decided.any(axis=1), votes, NO_DECISION)


def _table_rows(batch: Preferences) -> FloatArray:
    """Return one 1 for each pair: by gold A, tie, B, and then by verdict A, tie, B, none; (n, 12)."""
    verdict = _verdicts(batch)
    column = np.where(verdict == NO_DECISION, _VERDICTS - 1, 1 - verdict).astype(np.int64)
    cell = (1 - batch.gold.astype(np.int64)) * _VERDICTS + column
    return (cell[:, None] == np.arange(_CLASSES * _VERDICTS)).astype(np.float64)


def _agreement(sums: FloatArray) -> tuple[FloatArray, FloatArray, FloatArray, FloatArray]:
    """Return the agreement, the number of pairs, and the frequencies of gold and judge, (..., 3) each."""
    table = sums.reshape(*sums.shape[:-1], _CLASSES, _VERDICTS)
    pairs = table.sum(axis=(-2, -1))
    agreed = np.trace(table[..., :_CLASSES], axis1=-2, axis2=-1)
    return ratio(agreed, pairs), pairs, table.sum(axis=-1), table[..., :_CLASSES].sum(axis=-2)


def _by_chance(chance: Chance, pairs: FloatArray, gold: FloatArray, judge: FloatArray) -> FloatArray:
    return (
        ratio(gold.max(axis=-1), pairs) if chance == "base_rate" else ratio((gold * judge).sum(axis=-1), pairs * pairs)
    )


def _kappa(chance: Chance, sums: FloatArray) -> FloatArray:
    agreement, *frequencies = _agreement(sums)
    expected = _by_chance(chance, *frequencies)
    return np.nan_to_num(ratio(agreement - expected, 1 - expected))


def _kappa_details(batch: Preferences) -> dict[str, Any]:
    sums = batch.rows(_table_rows).sum(axis=0)
    agreement, *frequencies = _agreement(sums)
    table = sums.reshape(_CLASSES, _VERDICTS).astype(int).tolist()
    return {
        "agreement": float(agreement),
        "base rate": float(_by_chance("base_rate", *frequencies)),
        "expected agreement": float(_by_chance("cohen", *frequencies)),
        "confusion": {g: dict(zip(_NAMES, row, strict=True)) for g, row in zip(_NAMES[:_CLASSES], table, strict=True)},
    }


def preference_kappa(*, chance: Chance = "cohen") -> Metric:
    """Agreement of judge and gold on A, tie and B, beyond chance: Cohen's kappa.

    The verdict on a pair is the answer that more of the decisions prefer, and a tie if both have as many. A judge that
    decides nothing on a pair disagrees.

    Parameters
    ----------
    chance : {"cohen", "base_rate"}
        cohen: the agreement that is expected from the frequencies of both sides. base_rate: the share of the most
        frequent gold preference, so that a judge scores above 0 only if it is right more often than the best constant.

    Returns
    -------
    Metric
        On `Preferences`, at most 1. 0 where chance is 1: both sides are one constant, or, under base_rate, the gold is;
        and without pairs. Its details give the base rate, the agreement, the expected agreement and the table of
        confusions.

    References
    ----------
    Cohen (1960), A coefficient of agreement for nominal scales.
    """
    claims: tuple[Claim, ...] = ("constant_proof", "blind_proof") if chance == "cohen" else ("monotone",)
    cells = tuple(f"{gold}, {verdict}" for gold in _NAMES[:_CLASSES] for verdict in _NAMES)
    return Metric(
        name="preference_kappa",
        summary="Cohen's kappa of judge and gold; the details give the base rate",
        source="Cohen (1960)",
        formula=(
            r"\kappa = \frac{p_o - p_e}{1 - p_e}, \qquad p_o = \frac{1}{n} \sum_{c} N_{cc}, "
            + (r"\qquad p_e = \sum_{c} \frac{N_{c \cdot} N_{\cdot c}}{n^2}" if chance == "cohen" else _BASE_RATE)
        ),
        symbols=r"$N_{cd}$ is the number of pairs with gold $c$ and verdict $d$, both A, tie or B; $N_{c \cdot}$ and "
        r"$N_{\cdot c}$ are its sums over verdicts and over gold, and $n$ is the number of pairs. $p_o$ is the "
        r"agreement and $p_e$ the agreement by chance. A pair without a verdict disagrees.",
        kind=Preferences,
        bind=additive(columns=cells, extract=_table_rows, score=partial(_kappa, chance)),
        smooth=chance == "cohen",
        details=_kappa_details,
        bounds=(-1.0 if chance == "cohen" else -np.inf, 1.0),
        degenerate=0.0,
        claims=claims,
        known_weaknesses={"blind": 0.23, "cosmetic": 0.17},
    )
