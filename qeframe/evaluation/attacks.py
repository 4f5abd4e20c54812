"""Attacks entered into a task as submissions of their own kind, beside the real ones."""

from __future__ import annotations

from collections.abc import Sequence
from zlib import crc32

import attrs
import numpy as np

from qeframe.batches.base import Batch
from qeframe.components.attack import Attack
from qeframe.errors import DataError
from qeframe.tasks.task import Submission, Task

__all__ = ["enter_attacks"]

_MANNERS = ("blind", "informed")
"""The manners of attack that need no honest submission to work on."""


def enter_attacks(tasks: Sequence[Task], attacks: Sequence[Attack], *, seed: int = 0) -> list[Task]:
    """Return the tasks with each attack as a further submission of kind "attack".

    Parameters
    ----------
    attacks : sequence of Attack
        Left out are those made for another kind of batch, those that transform an honest submission, and those whose
        settings an audit chooses by the gold.
    seed : int
        What an attack draws depends on the seed, its name and the task's name only.

    Raises
    ------
    DataError
        If a submission already has the name of an attack.
    """
    return [_entered(task, attacks, seed) for task in tasks]


def _entered(task: Task, attacks: Sequence[Attack], seed: int) -> Task:
    if not task.batches:
        return task
    batch = next(iter(task.batches.values()))
    chosen = [a for a in attacks if isinstance(batch, a.kind) and a.manner in _MANNERS and not a.settings]
    taken = {submission.name for submission in task.batches}
    for attack in chosen:
        if attack.name in taken:
            raise DataError(
                f"a submission of task '{task.name}' has the name of the attack '{attack.name}'",
                remedy=f"call its file, or its METHOD, something else than {attack.name}",
            )
    answers: dict[Submission, Batch] = {
        Submission(attack.name, "attack"): attack.answer(batch, _generator(seed, attack.name, task.name))
        for attack in chosen
    }
    return attrs.evolve(task, batches={**task.batches, **answers})


def _generator(seed: int, *names: str) -> np.random.Generator:
    return np.random.default_rng([seed, *(crc32(name.encode()) for name in names)])
