"""Strategies that raise a score without being better."""

from collections.abc import Sequence

from qeframe import hookimpl
from qeframe.components import Attack, Family
from qeframe_attacks.labelings import all_bad, all_good, optimistic, pessimistic, random_tags

__all__ = ["all_bad", "all_good", "optimistic", "pessimistic", "qeframe_attacks", "random_tags"]


@hookimpl
def qeframe_attacks() -> Sequence[Attack | Family[Attack]]:
    """Bring the synthetic labelings of tags."""
    return [all_bad, all_good, Family(optimistic), Family(pessimistic), Family(random_tags)]
