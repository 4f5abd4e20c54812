"""What components do, in words for readers who do not know their names."""

from typing import TypeVar

from qeframe.core.component import Component
from qeframe.core.errors import QeframeError
from qeframe.core.loader import load
from qeframe.core.significance import SignificanceTest

C = TypeVar("C", bound=Component)

_HOW_TESTED = {
    "equal scores": "p compares the difference with how far it would vary from sample to sample",
    "exchangeable answers": "p compares the difference with those after random exchanges of answers",
    "equal scores or exchangeable answers": "p is the larger of two. One compares the difference with its variation "
    "between samples, the other with random exchanges of answers",
}
"""By the null hypothesis of a test what it does."""


def how_tested(test: str) -> str:
    """Return how a test computes p; empty if no plugin in use brings it, or it has a null hypothesis of its own."""
    found = component(SignificanceTest, test)
    return "" if found is None else _HOW_TESTED.get(found.null, "")


def component(kind: type[C], name: str) -> C | None:
    """Return a component by name; None if no plugin in use brings it."""
    try:
        return load().get(kind, name) if name else None
    except QeframeError:
        return None
