"""The components that plugins bring: frozen values, one class for each hook.

A component has a name and a one-line summary. Where it has parameters, the plugin brings a `Parametric`: a documented
function from keyword parameters to the component, with which ``f_beta(beta=2)`` is found, checked and printed back.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Literal

import numpy as np
from attrs import field, frozen

from qeframe.batches.base import Batch
from qeframe.components.component import Component
from qeframe.components.metric import Claim

__all__ = ["Attack"]


@frozen(kw_only=True)
class Attack(Component):
    """A strategy that raises a score without being better.

    Parameters
    ----------
    kind : type
        The kind of batch it attacks.
    manner : {"blind", "cosmetic", "informed", "selection"}
    knowledge : str
        What it knows, in words.
    answer : callable
        From a batch and a generator to the attacking batch. Its submission is what a cosmetic attack transforms; its
        gold is there for lengths and frequencies, and for informed attacks.
    settings : mapping of str to callable
        Further ways to answer, by the parameters that name them ("rate=0.4"): the audit takes the one that scores best
        on one half of the gold and scores it on the other. Empty: there is `answer` alone.
    tries : int
        Selection attacks hand in this many answers and keep the best.
    refutes : str, optional
        The claim of a metric that is refuted if the attack succeeds.
    """

    kind: type[Batch]
    manner: Literal["blind", "cosmetic", "informed", "selection"]
    knowledge: str
    answer: Callable[[Any, np.random.Generator], Batch]
    settings: Mapping[str, Callable[[Any, np.random.Generator], Batch]] = field(factory=dict)
    tries: int = 1
    refutes: Claim | None = None
