"""What an attack returns: a batch on the same units."""

from __future__ import annotations

import numpy as np

from qeframe.batches.base import Batch
from qeframe.components.attack import Attack
from qeframe.components.checks.work import at_work
from qeframe.resampling.returned import WrongReturnError, describe

__all__ = ["answer"]


def answer(attack: Attack, batch: Batch, rng: np.random.Generator) -> Batch:
    """Return the answers of an attack to the units of a batch."""
    with at_work(attack, "answer"):
        made = attack.answer(batch, rng)
        if not isinstance(made, attack.kind):
            raise WrongReturnError("answer", describe(made), f"a batch of {attack.kind.__name__}")
        if len(made) != len(batch) or (made.ids != batch.ids).any():
            raise WrongReturnError(
                "answer", f"a batch of {len(made)} units", f"the {len(batch)} units that it was given"
            )
    return made
