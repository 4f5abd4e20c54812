"""The audit: attacks."""

from qeframe.core.metric import Attack

__all__ = ["Attack"]
