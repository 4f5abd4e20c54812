"""Whether the answers of an attack follow what it does not state to know."""

from collections.abc import Callable
from typing import Any, cast

import numpy as np

from qeframe.core.attack import Attack, answer
from qeframe.core.batch import Batch, IntArray
from qeframe.core.ragged import Ragged

_NOTHING = frozenset({"", "nothing"})
"""What an attack states that knows nothing of the gold; others that are blind or cosmetic know frequencies at most."""
_ROUNDING = 1e-9


def breach_of_knowledge(
    attack: Attack, batch: Batch, anonymous: Callable[[Any, Callable[[int], IntArray]], Any], *, seed: int = 0
) -> str:
    """Return how the answers of a blind or cosmetic attack follow what it does not state to know; empty if they do not.

    The gold is permuted, and for attacks that state to know nothing also replaced by one of its values; lengths stay.
    Informed and selecting attacks know the gold, and do not count in the gaming index.

    `anonymous`: `BatchKind.anonymous` of its kind. `seed`: of the permutation and of the draws of the attack.
    """
    if attack.manner not in ("blind", "cosmetic"):
        return ""
    others = {"the order of the gold": anonymous(batch, np.random.default_rng(seed).permutation)}
    if attack.knowledge.strip().lower() in _NOTHING:
        others["the values of the gold"] = anonymous(batch, _first)
    for setting in ("", *attack.settings):
        answers, *theirs = (
            answer(attack, batch_seen, np.random.default_rng(seed), setting=setting)
            for batch_seen in (batch, *others.values())
        )
        for what, other in zip(others, theirs, strict=True):
            if not _equal(cast("Any", answers).predicted, cast("Any", other).predicted):
                states = attack.knowledge.strip() or "nothing"
                return f"it is {attack.manner} and states to know: {states}; but its answers follow {what}"
    return ""


def _first(values: int) -> IntArray:
    """Return the position of the first of so many values, for each of them."""
    return np.zeros(values, dtype=np.int64)


def _equal(answer: Any, other: Any) -> bool:
    """Return whether answers are equal, numbers up to rounding, as the means of permuted numbers are."""
    if isinstance(answer, Ragged):
        return np.array_equal(answer.offsets, other.offsets) and _equal(answer.values, other.values)
    if answer.dtype.kind == "f":
        return answer.shape == other.shape and np.allclose(
            answer, other, rtol=_ROUNDING, atol=_ROUNDING, equal_nan=True
        )
    return np.array_equal(answer, other)
