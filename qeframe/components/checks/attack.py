"""What an attack returns: a batch on the same units, with the same gold."""

from __future__ import annotations

from typing import Any

import attrs
import numpy as np

from qeframe.batches.base import Batch
from qeframe.components.attack import Attack
from qeframe.components.checks.work import at_work
from qeframe.resampling.returned import WrongReturnError, describe

__all__ = ["answer"]


def answer(attack: Attack, batch: Batch, rng: np.random.Generator, *, setting: str = "") -> Batch:
    """Return the answers of an attack, or of one of its settings, to the units of a batch."""
    with at_work(attack, "answer"):
        made = (attack.settings[setting] if setting else attack.answer)(batch, rng)
        if not isinstance(made, attack.kind):
            raise WrongReturnError("answer", describe(made), f"a batch of {attack.kind.__name__}")
        if len(made) != len(batch) or (made.ids != batch.ids).any():
            raise WrongReturnError(
                "answer", f"a batch of {len(made)} units", f"the {len(batch)} units that it was given"
            )
        for each in attrs.fields(type(batch)):
            kept = each.init and each.name != "predicted" and not _is_derived(each)
            if kept and not _same(getattr(made, each.name), batch, each.name):
                raise WrongReturnError("answer", f"a batch with another '{each.name}'", "the one that it was given")
    return made


def _is_derived(field: attrs.Attribute[Any]) -> bool:
    """Return whether a field of a batch is computed from the others unless it is given."""
    return bool(getattr(field.default, "takes_self", False))


def _same(value: Any, batch: Any, name: str) -> bool:
    """Return whether a value, or each part of it, is that of a batch: the same object, or equal to it."""
    given = getattr(batch, name)
    if value is given:
        return True
    if isinstance(given, np.ndarray) and isinstance(value, np.ndarray):
        return np.array_equal(value, given, equal_nan=given.dtype.kind == value.dtype.kind == "f")
    if type(value) is not type(given):
        return False
    if attrs.has(type(given)):
        parts = [part.name for part in attrs.fields(type(given)) if part.init]
        return all(_same(getattr(value, part), given, part) for part in parts)
    return bool(value == given)
