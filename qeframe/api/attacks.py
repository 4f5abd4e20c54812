"""Attacks entered in a task as submissions of the kind "attack", and whether they know more than they state."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, cast
from zlib import crc32

import attrs
import numpy as np

from qeframe.core.batch import Batch, IntArray, private_copy
from qeframe.core.component import GIVEN, PROJECT, Component, WrongReturnError, at_work, describe, is_foreign
from qeframe.core.draws import checked_seed
from qeframe.core.errors import DataError
from qeframe.core.metric import Attack
from qeframe.core.ragged import Ragged
from qeframe.core.task import Submission, Task

_MANNERS = ("blind", "informed")
"""The manners of attack that do not transform an honest submission."""


def enter_attacks(tasks: Sequence[Task], attacks: Sequence[Attack], *, seed: int = 0) -> list[Task]:
    """Return the tasks with each attack as one more submission, of the kind "attack".

    Parameters
    ----------
    tasks : sequence of Task
        A task without submissions is returned unchanged.
    attacks : sequence of Attack
        Attacks for another kind of batch are left out. So are attacks that transform an honest submission, and attacks
        whose settings an audit chooses by the gold.
    seed : int
        The draws of an attack depend only on the seed, the name of the attack and the name of the task.

    Returns
    -------
    list of Task
        In the order given.

    Raises
    ------
    DataError
        If a submission already has the name of an attack.

    Examples
    --------
    >>> import pandas
    >>> import qeframe
    >>> frame = pandas.DataFrame({"gold": [1, 2, 3, 4], "good": [1, 2, 3, 5], "poor": [2, 1, 4, 3]})
    >>> tasks = qeframe.tasks_from_frame(frame, submissions=["good", "poor"])
    >>> from qeframe.plugin.audit import Attack
    >>> attack = qeframe.load().get(Attack, "constant_median")
    >>> [task] = qeframe.enter_attacks(tasks, [attack])
    >>> [submission.name for submission in task.batches]
    ['good', 'poor', 'constant_median']
    """
    seed = checked_seed(seed)
    return [_entered(task, attacks, seed) for task in tasks]


def _entered(task: Task, attacks: Sequence[Attack], seed: int) -> Task:
    if not task.batches:
        return task
    batch = next(iter(task.batches.values()))
    chosen = [a for a in attacks if a.changes_all_of(type(batch)) and a.manner in _MANNERS and not a.settings]
    taken = {submission.name for submission in task.batches}
    for name in (name for attack in chosen for name in (attack.name, name_with_origin(attack))):
        if name in taken:
            raise DataError(
                f"a submission of task '{task.name}' has the name of the attack '{name}'",
                remedy=f"give the submission another name than {name}",
            )
    answers: dict[Submission, Batch] = {
        Submission(name_with_origin(attack), "attack"): answer(attack, batch, generator(seed, attack.name, task.name))
        for attack in chosen
    }
    return attrs.evolve(task, batches={**task.batches, **answers})


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


def generator(seed: int, *names: str) -> np.random.Generator:
    """Return a generator that depends on the seed and the names only."""
    return np.random.default_rng([seed, *(crc32(name.encode()) for name in names)])


def answer(attack: Attack, batch: Batch, rng: np.random.Generator, *, setting: str = "") -> Batch:
    """Return the answers of an attack, or of one of its settings, to the units of a batch."""
    given = private_copy(batch) if is_foreign(attack) else batch
    with at_work(attack, "answer"):
        answers = (attack.settings[setting] if setting else attack.answer)(given, rng)
        if not isinstance(answers, attack.kind):
            raise WrongReturnError("answer", describe(answers), f"a batch of {attack.kind.__name__}")
        if len(answers) != len(batch) or (answers.ids != batch.ids).any():
            raise WrongReturnError(
                "answer", f"a batch of {len(answers)} units", f"the {len(batch)} units that it was given"
            )
        for attribute in attrs.fields(type(batch)):
            answered = attribute.name == "predicted" or attribute.metadata.get("answer")
            kept = attribute.init and not answered and not bool(getattr(attribute.default, "takes_self", False))
            if kept and not same_values(getattr(answers, attribute.name), getattr(batch, attribute.name)):
                raise WrongReturnError(
                    "answer", f"a batch with another '{attribute.name}'", "the one that it was given"
                )
    return answers


def same_values(value: Any, given: Any) -> bool:
    """Return whether a value, or each part of it, is the same object as another one, or equal to it."""
    if value is given:
        return True
    if isinstance(given, np.ndarray) and isinstance(value, np.ndarray):
        return np.array_equal(value, given, equal_nan=given.dtype.kind == value.dtype.kind == "f")
    if type(value) is not type(given):
        return False
    if attrs.has(type(given)):
        parts = [part.name for part in attrs.fields(type(given)) if part.init]
        return all(same_values(getattr(value, part), getattr(given, part)) for part in parts)
    return bool(value == given)


def name_with_origin(component: Component) -> str:
    """Return the name of a component, with the distribution of one that did not come with qeframe."""
    origin = component.origin
    if origin is None or origin.distribution in (PROJECT, GIVEN):
        return component.name
    return f"{component.name} ({f'{origin.distribution} {origin.version}'.strip()})"
