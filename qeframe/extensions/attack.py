"""`Attack`: a strategy that raises a score without being better."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Literal

import numpy as np
from attrs import field, frozen

from qeframe.core.batches.base import Batch, read_only_mapping
from qeframe.core.components.component import Component
from qeframe.core.components.metric import Claim


@frozen(kw_only=True)
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
