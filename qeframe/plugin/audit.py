"""The audit: attacks, and laws of data under which all submissions are equally good."""

from qeframe.components.attack import Attack
from qeframe.components.null_model import NullModel

__all__ = [
    "Attack",
    "NullModel",
]
