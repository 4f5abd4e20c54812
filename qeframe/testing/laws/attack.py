"""The laws of attacks: what an attack may change, and what it may use."""

from typing import Any

import numpy as np
from hypothesis import strategies as st
from hypothesis.strategies import DrawFn, SearchStrategy

from qeframe.api.attacks import breach_of_knowledge
from qeframe.core.batch import Batch
from qeframe.core.metric import Attack
from qeframe.testing.laws.any_component import basic_laws, shape_law
from qeframe.testing.laws.law import BreachError, Law, drawn_from
from qeframe.testing.laws.probes import ordinary_batches

_GOLDS = 3


@st.composite
def _seeded(draw: DrawFn, _attack: Attack, kind: Any) -> tuple[Batch, int]:
    (batch,) = draw(drawn_from(kind, complete=True, submissions=1, min_units=2, max_units=4))
    return batch, draw(st.integers(0, 3))


def _answered(attack: Attack, _kind: Any, batch: Batch, seed: int) -> Batch:
    return attack.answer(batch, np.random.default_rng(seed))


def _answer_fault(attack: Attack, returned: Any, batch: Batch, _seed: int) -> str:
    if not isinstance(returned, attack.kind):
        return f"it returns {type(returned).__name__} instead of {attack.kind.__name__}"
    return "" if len(returned) == len(batch) else f"it answers {len(returned)} units instead of {len(batch)}"


def _units(attack: Attack, kind: Any, batch: Batch, seed: int) -> None:
    before = kind.plain(batch)
    answered = _answered(attack, kind, batch, seed)
    if not np.array_equal(answered.ids, batch.ids):
        raise BreachError(f"the answer is for other units: {answered.ids.tolist()} instead of {batch.ids.tolist()}")
    after, untouched = kind.plain(answered), kind.plain(batch)
    for name, value in before.items():
        if (name != "predicted" and after[name] != value) or untouched[name] != value:
            raise BreachError(f"the attack changes '{name}' from {value} to {after[name]}")


def _blind(attack: Attack, kind: Any, batch: Batch, seed: int) -> None:
    """Compare the answers of the attack to batches with two different submissions."""
    other = kind.with_answers(batch, kind.gold_answers(batch))
    once, again = (kind.plain(_answered(attack, kind, given, seed))["predicted"] for given in (batch, other))
    if once != again:
        raise BreachError(f"beside another submission it answers {again} instead of {once}")


def _ordinary_examples(_attack: Attack, kind: Any) -> SearchStrategy[tuple[Any, ...]]:
    return st.just((ordinary_batches(kind, _GOLDS),))


def _knowledge(attack: Attack, kind: Any, batches: tuple[Batch, ...]) -> None:
    """Compare the answers under golds that have lost what the attack does not state to know."""
    for batch in batches:
        if breach := breach_of_knowledge(attack, batch, kind.anonymous):
            raise BreachError(breach, **kind.plain(batch))


ATTACK_LAWS: tuple[Law[Attack], ...] = (
    shape_law(_answered, _seeded, _answer_fault, "an attack returns a batch of its kind with as many units"),
    *basic_laws(_answered, _seeded),
    Law(
        name="units",
        states="an attack answers the same units and changes neither the gold nor the honest submission",
        examples=_seeded,
        holds=_units,
        needs=("plain",),
    ),
    Law(
        name="blind",
        states="a blind attack does not use the submission",
        examples=_seeded,
        holds=_blind,
        concerns=lambda attack: attack.manner == "blind",
        needs=("plain", "with_answers", "gold_answers"),
    ),
    Law(
        name="knowledge",
        states="a blind or cosmetic attack does not follow the order of the gold, nor its values if it knows nothing",
        examples=_ordinary_examples,
        holds=_knowledge,
        concerns=lambda attack: attack.manner in ("blind", "cosmetic"),
        needs=("plain", "anonymous"),
        exact=True,
    ),
)
"""The laws of attacks."""
