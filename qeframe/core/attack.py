"""`Attack`: a strategy that raises a score without being better."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Literal
from zlib import crc32

import attrs
import numpy as np
from attrs import field, frozen

from qeframe.core.batch import Batch, private_copy, read_only_mapping
from qeframe.core.component import Component, WrongReturnError, at_work, describe, is_foreign
from qeframe.core.metric import Claim


@frozen(kw_only=True, repr=False)
class Attack(Component):
    """A strategy that raises a score without being better.

    Parameters
    ----------
    kind : type
        The kind of batch it attacks.
    manner : {"blind", "cosmetic", "informed", "selection"}
        blind: the attack knows only what every participant knows. cosmetic: it transforms an honest submission without
        adding information. informed: it knows a stated part of the gold. selection: it keeps the best of many answers.
    knowledge : str
        What the attack knows, in words.
    answer : callable
        From a batch and a generator to the attacking batch. A cosmetic attack transforms the submission in the batch.
        The gold in the batch provides lengths and frequencies; only informed attacks may read more of it.
    settings : mapping of str to callable
        More ways to answer, by their parameters ("rate=0.4"). The audit chooses the one with the best score on other
        gold than it is measured on. Empty: only `answer`.
    space : mapping of str to sequence
        The values of each parameter that ``qeframe audit --search`` may try, for an attack that a `Parametric` makes:
        numbers in ascending order, or words. Empty: the attack is not searched.
    tries : int
        How many answers a selection attack makes; it keeps the best.
    refutes : str, optional
        The claim of a metric that is refuted if the attack succeeds.
    """

    kind: type[Batch]
    manner: Literal["blind", "cosmetic", "informed", "selection"]
    knowledge: str
    answer: Callable[[Any, np.random.Generator], Batch]
    settings: Mapping[str, Callable[[Any, np.random.Generator], Batch]] = field(
        factory=dict, converter=read_only_mapping
    )
    space: Mapping[str, Sequence[Any]] = field(factory=dict, converter=read_only_mapping)
    tries: int = 1
    refutes: Claim | None = None

    def changes_all_of(self, kind: type[Batch]) -> bool:
        """Return whether this is an attack on a kind of batch: its own, or a subclass with no further part of answers.

        An attack on `Scores` that changed the scores of `PostEdits` would leave their texts as they are.
        """
        return issubclass(kind, self.kind) and _parts_of_answers(kind) <= _parts_of_answers(self.kind)


def _parts_of_answers(kind: type[Batch]) -> set[str]:
    return {attribute.name for attribute in attrs.fields(kind) if attribute.metadata.get("answer")}


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
            if kept and not _same(getattr(answers, attribute.name), batch, attribute.name):
                raise WrongReturnError(
                    "answer", f"a batch with another '{attribute.name}'", "the one that it was given"
                )
    return answers


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
