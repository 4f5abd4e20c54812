"""Strategies that raise a score without being better."""

from collections.abc import Sequence

from qeframe import hookimpl
from qeframe.components import Attack, Family
from qeframe_attacks import grids, markings, numbers, pairs, tag_patterns, words
from qeframe_attacks.labelings import all_bad, all_good, optimistic, pessimistic, random_tags

__all__ = ["all_bad", "all_good", "optimistic", "pessimistic", "qeframe_attacks", "random_tags"]


@hookimpl
def qeframe_attacks() -> Sequence[Attack | Family[Attack]]:
    """Bring the attacks on tags, spans, numbers, judgments, grids and texts."""
    labelings = [all_bad, all_good, Family(optimistic), Family(pessimistic), Family(random_tags)]
    others = (
        getattr(module, name)
        for module in (tag_patterns, markings, numbers, pairs, grids, words)
        for name in module.__all__
    )
    return [*labelings, *others]
