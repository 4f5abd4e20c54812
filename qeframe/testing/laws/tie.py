"""The laws of ties, for tie policies and for metrics. All cases are computed: no example is drawn."""

from collections.abc import Callable, Mapping
from itertools import product
from typing import Any

import numpy as np

from qeframe.core.batch import Batch
from qeframe.core.batch_kind import Relations
from qeframe.core.metric import Metric, TiePolicy
from qeframe.kinds.judgments.batch import RELATIONS
from qeframe.testing.laws.law import BreachError, Law, claiming
from qeframe.testing.laws.metric import score

_SLACK = 1e-12

TIE_EXPLOITS: Mapping[str, str] = {
    "dear": "Tie the pairs that you are least sure of: a tie counts more than guessing.",
    "cheap": "Never tie: break every tie at random, which counts more than a tie.",
    "excluded": "Tie the hard pairs: they are left out, and you are scored on the easy ones.",
}
"""How ties that are not neutral are exploited: a tie counts more or less than guessing, or only some pairs count."""


def _exploit(tie: float, guess: float) -> str:
    if np.isnan(tie) or np.isnan(guess):
        return TIE_EXPLOITS["excluded"]
    return TIE_EXPLOITS["dear" if tie > guess else "cheap"]


# --- metrics --------------------------------------------------------------------------------------------------------


def tie_neutral_metric(metric: Metric, make: Callable[[Relations], Batch]) -> None:
    """Raise a `BreachError` unless a tie scores the mean of both orders, for the pair alone and with any other pair.

    `make`: from the relations of pairs, human and metric, to a batch with one pair in each unit.
    """
    contexts: list[Relations] = [(), *((cell,) for cell in product(RELATIONS, RELATIONS))]
    for others, human in product(contexts, RELATIONS):
        left, tie, right = (score(metric, make(((human, relation), *others))) for relation in RELATIONS)
        guess = (left + right) / 2
        if not np.isclose(tie, guess, rtol=0, atol=_SLACK, equal_nan=True):
            what = f"where the human relation is '{human}', a tie scores {tie:.6g}, both orders on average {guess:.6g}"
            beside = [f"human {h} metric {m}" for h, m in others]
            raise BreachError(what, exploit=_exploit(tie, guess), human=human, beside=beside)


# --- tables ---------------------------------------------------------------------------------------------------------


def _tie_neutral(policy: TiePolicy, _kind: Any) -> None:
    for human, row in zip(RELATIONS, policy.table, strict=True):
        left, tie, right = (np.nan if entry is None else float(entry) for entry in row)
        guess = (left + right) / 2
        if not (tie == guess or all(entry is None for entry in row)):
            what = f"where the human relation is '{human}', a tie counts {_entry(tie)}"
            what = f"{what}, both orders on average {_entry(guess)}"
            raise BreachError(what, exploit=_exploit(tie, guess), row=list(row))


def _entry(value: float) -> str:
    return "as no pair" if np.isnan(value) else f"{value:g}"


def _finite(policy: TiePolicy, _kind: Any) -> None:
    for human, row in zip(RELATIONS, policy.table, strict=True):
        for entry in row:
            if entry is not None and not np.isfinite(entry):
                raise BreachError(f"the row of '{human}' has {entry}", row=list(row))


def _mirrored(policy: TiePolicy, _kind: Any) -> None:
    mirror = tuple(row[::-1] for row in policy.table[::-1])
    if policy.table != mirror:
        raise BreachError("the table changes if left and right are exchanged", table=policy.table, mirror=mirror)


def _right_is_best(policy: TiePolicy, _kind: Any) -> None:
    for number, (human, row) in enumerate(zip(RELATIONS, policy.table, strict=True)):
        counted = [entry for entry in row if entry is not None]
        right = row[number]
        if counted and (right is None or right < max(counted)):
            raise BreachError(
                f"where the human relation is '{human}', another relation counts more than agreement", row=list(row)
            )


def _defined(policy: TiePolicy, _kind: Any) -> None:
    for human, row in zip(RELATIONS, policy.table, strict=True):
        if human != "=" and all(entry is None for entry in row):
            raise BreachError(f"where the human relation is '{human}', no pair counts", row=list(row))


TIE_LAWS: tuple[Law[TiePolicy], ...] = (
    Law(name="finite", states="coefficients are numbers or None", holds=_finite, exact=True),
    Law(name="defined", states="where the human preferred a side, some pairs count", holds=_defined, exact=True),
    Law(name="mirrored", states="exchanging left and right changes nothing", holds=_mirrored, exact=True),
    Law(
        name="right_is_best",
        states="in every row the relation that the human gave counts most",
        holds=_right_is_best,
        concerns=claiming("right_is_best"),
        exploit="Answer another relation than the one that you believe in: it counts more.",
        exact=True,
    ),
    Law(
        name="tie_neutral",
        states="in every row a tie counts the mean of both orders, or the whole row is excluded",
        holds=_tie_neutral,
        concerns=claiming("tie_neutral"),
        exploit=TIE_EXPLOITS["dear"],
        exact=True,
    ),
)
"""The laws of tie policies. The last two concern those that claim them."""
