"""The audit: attacks, and laws of data under which all submissions are equally good."""

from qeframe.extensions.attack import Attack
from qeframe.extensions.null_model import NullModel

__all__ = [
    "Attack",
    "NullModel",
]
