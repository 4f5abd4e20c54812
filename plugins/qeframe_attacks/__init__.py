"""Strategies that raise a score without being better."""

from collections.abc import Sequence

from qeframe.plugin import Parametric, hookimpl
from qeframe.plugin.audit import Attack
from qeframe_attacks import (
    corrections,
    grids,
    markings,
    number_spaces,
    numbers,
    own_means,
    pairs,
    preferences,
    sentence_patterns,
    tag_patterns,
    text_spaces,
    two_classes,
    words,
)
from qeframe_attacks.labelings import all_bad, all_good, optimistic, pessimistic, random_tags

__all__ = ["all_bad", "all_good", "optimistic", "pessimistic", "qeframe_attacks", "random_tags"]

_MODULES = (
    tag_patterns,
    sentence_patterns,
    markings,
    numbers,
    two_classes,
    pairs,
    grids,
    own_means,
    words,
    preferences,
    number_spaces,
    text_spaces,
    corrections,
)


@hookimpl
def qeframe_attacks() -> Sequence[Attack | Parametric[Attack]]:
    """Return the attacks on tags, spans, numbers, gold of two classes, judgments, grids, texts and so on."""
    labelings: list[Attack | Parametric[Attack]] = [
        all_bad,
        all_good,
        Parametric(optimistic),
        Parametric(pessimistic),
        Parametric(random_tags),
    ]
    brought = [getattr(module, name) for module in _MODULES for name in module.__all__]
    others: list[Attack | Parametric[Attack]] = [one if isinstance(one, Attack) else Parametric(one) for one in brought]
    return [*labelings, *others]
