"""Strategies that raise a score without being better."""

from collections.abc import Sequence

from qeframe.plugin import Attack, Parametric, hookimpl
from qeframe_attacks import grids, markings, numbers, pairs, tag_patterns, words
from qeframe_attacks.labelings import all_bad, all_good, optimistic, pessimistic, random_tags

__all__ = ["all_bad", "all_good", "optimistic", "pessimistic", "qeframe_attacks", "random_tags"]


@hookimpl
def qeframe_attacks() -> Sequence[Attack | Parametric[Attack]]:
    """Return the attacks on tags, spans, numbers, judgments, grids and texts."""
    labelings = [all_bad, all_good, Parametric(optimistic), Parametric(pessimistic), Parametric(random_tags)]
    others = (
        getattr(module, name)
        for module in (tag_patterns, markings, numbers, pairs, grids, words)
        for name in module.__all__
    )
    return [*labelings, *others]
