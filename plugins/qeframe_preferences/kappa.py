"""Agreement of a judge with the gold beyond what the frequencies of the preferences give."""

from __future__ import annotations

from typing import Any, Literal

import numpy as np

from qeframe.plugin import Claim, FloatArray, Metric, Preferences, Score, additive, ratio
from qeframe.plugin.kinds import NO_DECISION

_CLASSES, _VERDICTS = 3, 4
_NAMES = ("A", "tie", "B", "none")
_BASE_RATE = r"\qquad p_e = \max_{c} \frac{N_{c \cdot}}{n}"


def verdicts(batch: Preferences) -> FloatArray:
    """Return what the judge decided in all orders together, (n,): +1, 0, -1, or `NO_DECISION`.

    It is the answer that has more decisions; a tie if both have as many; no decision if the judge made none.
    """
    decided = np.abs(batch.decisions) <= 1
    votes = np.sign(np.where(decided, batch.decisions, 0.0).sum(axis=1))
    return np.where(decided.any(axis=1), votes, NO_DECISION)


def _table_rows(batch: Preferences) -> FloatArray:
    """Return one 1 for each pair: by gold A, tie, B, and then by verdict A, tie, B, none; (n, 12)."""
    verdict = verdicts(batch)
    column = np.where(verdict == NO_DECISION, _VERDICTS - 1, 1 - verdict).astype(np.int64)
    cell = (1 - batch.gold.astype(np.int64)) * _VERDICTS + column
    return (cell[:, None] == np.arange(_CLASSES * _VERDICTS)).astype(np.float64)


def _agreement(sums: FloatArray) -> tuple[FloatArray, FloatArray, FloatArray, FloatArray]:
    """Return the number of pairs, the agreement, and the frequencies of gold and judge, (..., 3) each."""
    table = sums.reshape(*sums.shape[:-1], _CLASSES, _VERDICTS)
    pairs = table.sum(axis=(-2, -1))
    agreed = np.trace(table[..., :_CLASSES], axis1=-2, axis2=-1)
    return pairs, ratio(agreed, pairs), table.sum(axis=-1), table[..., :_CLASSES].sum(axis=-2)


def _cohen(sums: FloatArray) -> FloatArray:
    pairs, agreement, gold, judge = _agreement(sums)
    expected = ratio((gold * judge).sum(axis=-1), pairs * pairs)
    return ratio(agreement - expected, 1 - expected)


def _above_base_rate(sums: FloatArray) -> FloatArray:
    pairs, agreement, gold, _ = _agreement(sums)
    base = ratio(gold.max(axis=-1), pairs)
    return ratio(agreement - base, 1 - base)


def _details(batch: Preferences) -> dict[str, Any]:
    sums = batch.rows(_table_rows).sum(axis=0)
    pairs, agreement, gold, judge = _agreement(sums)
    table = sums.reshape(_CLASSES, _VERDICTS).astype(int).tolist()
    return {
        "agreement": float(agreement),
        "base rate": float(ratio(gold.max(axis=-1), pairs)),
        "expected agreement": float(ratio((gold * judge).sum(axis=-1), pairs * pairs)),
        "confusion": {g: dict(zip(_NAMES, row, strict=True)) for g, row in zip(_NAMES[:_CLASSES], table, strict=True)},
    }


def preference_kappa(*, chance: Literal["cohen", "base_rate"] = "cohen") -> Metric:
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
        On `Preferences`, at most 1. Undefined (NaN) where chance is 1: both sides are one constant, or, under
        base_rate, the gold is. Its details give the base rate, the agreement, the expected agreement and the table of
        confusions.

    References
    ----------
    Cohen (1960), A coefficient of agreement for nominal scales.
    """
    score: Score = _cohen if chance == "cohen" else _above_base_rate
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
        bind=additive(columns=cells, extract=_table_rows, score=score),
        smooth=True,
        details=_details,
        bounds=(-1.0 if chance == "cohen" else -np.inf, 1.0),
        claims=claims,
    )
