"""The audit: attacks."""

from qeframe.core.attack import Attack

__all__ = ["Attack"]
