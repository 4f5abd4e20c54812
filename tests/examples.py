"""How many examples of Hypothesis a test has whose peer, or whose definition by loops, takes long."""

from hypothesis import settings

__all__ = ["FEWER"]

FEWER = settings(max_examples=max(5, settings().max_examples * 3 // 10))
"""Three tenths of what the profile tries: a decorator of tests."""
