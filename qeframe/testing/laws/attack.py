"""The laws of attacks: what they may touch, and what they may know."""

from __future__ import annotations

from typing import Any

import numpy as np
from hypothesis import strategies as st
from hypothesis.strategies import DrawFn, SearchStrategy

from qeframe.batches.base import Batch
from qeframe.components.attack import Attack
from qeframe.testing.laws.law import BreachError, Law

__all__ = ["ATTACK_LAWS"]


@st.composite
def _seeded(draw: DrawFn, material: Any) -> tuple[Batch, int]:
    (batch,) = draw((material.complete or material.panels)(submissions=1, min_units=2, max_units=4))
    return batch, draw(st.integers(0, 3))


def _examples(_attack: Attack, material: Any) -> SearchStrategy[tuple[Any, ...]]:
    return _seeded(material)


def _answer(attack: Attack, batch: Batch, seed: int) -> Batch:
    return attack.answer(batch, np.random.default_rng(seed))


def _units(attack: Attack, material: Any, batch: Batch, seed: int) -> None:
    before = material.plain(batch)
    answered = _answer(attack, batch, seed)
    if not isinstance(answered, attack.kind) or not np.array_equal(answered.ids, batch.ids):
        raise BreachError(f"the answer is to other units: {answered.ids.tolist()} instead of {batch.ids.tolist()}")
    after, untouched = material.plain(answered), material.plain(batch)
    for name, value in before.items():
        if (name != "predicted" and after[name] != value) or untouched[name] != value:
            raise BreachError(f"the attack changes '{name}' from {value} to {after[name]}")


def _determinism(attack: Attack, material: Any, batch: Batch, seed: int) -> None:
    once, again = (material.plain(_answer(attack, batch, seed))["predicted"] for _ in range(2))
    if once != again:
        raise BreachError(f"the same seed gives {once} and {again}")


def _blind(attack: Attack, material: Any, batch: Batch, seed: int) -> None:
    """Compare its answers beside two submissions."""
    other = material.answer(batch, material.own(batch))
    once, again = (material.plain(_answer(attack, each, seed))["predicted"] for each in (batch, other))
    if once != again:
        raise BreachError(f"beside another submission it answers {again} instead of {once}")


def _is_blind(attack: Attack) -> bool:
    return attack.manner == "blind"


ATTACK_LAWS: tuple[Law[Attack], ...] = (
    Law(
        name="units",
        states="an attack answers the same units and leaves the gold and the honest submission as they are",
        examples=_examples,
        holds=_units,
        needs=("plain",),
    ),
    Law(
        name="determinism",
        states="equal seeds give equal answers",
        examples=_examples,
        holds=_determinism,
        needs=("plain",),
    ),
    Law(
        name="blind",
        states="a blind attack sees no submission",
        examples=_examples,
        holds=_blind,
        concerns=_is_blind,
        needs=("plain", "answer", "own"),
    ),
)
"""What every attack keeps."""
