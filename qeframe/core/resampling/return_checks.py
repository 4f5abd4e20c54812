"""What a component returned, in words, and the check that it is numbers of the right shape.

The check is made where a value enters the framework. It does not know the component: `qeframe.core.components.checks`
puts its name in front of the message.
"""

from __future__ import annotations

import pickle
from typing import Any

import numpy as np

from qeframe.core.batches.base import FloatArray, is_sparse
from qeframe.core.errors import PluginError

_LONGEST = 60


class WrongReturnError(PluginError):
    """A component returned something else than it must.

    `what`: the function that returned it: "extract", "bind" ...
    `returned`: what it returned, in words.
    `expected`: what it must return, in words.
    """

    def __init__(self, what: str, returned: str, expected: str) -> None:
        super().__init__(f"{what} returned {returned}, expected {expected}")


class StatisticError(Exception):
    """The statistic at a position of a stack failed.

    Parameters
    ----------
    position : int
        The position among the statistics of the stack.
    cause : BaseException
        The error of the statistic. An executor puts its own `__cause__` on what comes back from a worker.
    """

    def __init__(self, position: int, cause: BaseException) -> None:
        super().__init__(f"{type(cause).__name__}: {cause}")
        self.position, self.cause = position, cause

    def __reduce__(self) -> tuple[Any, ...]:
        """Keep the cause on the way from a worker process, or its words if it cannot be sent."""
        try:
            pickle.loads(pickle.dumps(self.cause))
        except Exception:
            return type(self), (self.position, RuntimeError(str(self)))
        return type(self), (self.position, self.cause)


def describe(value: Any) -> str:
    """Return a value in words: its type, its shape if it has one, and the value itself if that is short."""
    if isinstance(value, np.ndarray) or is_sparse(value):
        sparse = "a sparse" if is_sparse(value) else "a masked" if isinstance(value, np.ma.MaskedArray) else "an"
        return f"{sparse} array of shape {value.shape} and type {value.dtype}"
    text = repr(value)
    shown = text if len(text) <= _LONGEST else f"{text[:_LONGEST]} ..."
    return f"{type(value).__name__} {shown}" if value is not None else "None"


def numbers_of_shape(value: Any, what: str, shape: tuple[int | None, ...], meaning: str = "") -> FloatArray:
    """Return a value as float64 numbers, or raise a `WrongReturnError`.

    `value`: what was returned; a sparse array stays one.
    `what`: the function that returned it.
    `shape`: the expected shape; None for a length that may be any.
    `meaning`: what the dimensions are, for the message.
    """
    expected = f"numbers of shape ({', '.join('n' if size is None else str(size) for size in shape)}"
    expected += f"{',' if len(shape) == 1 else ''})" + (f", {meaning}" if meaning else "")
    if not (isinstance(value, (np.ndarray, np.generic)) or is_sparse(value)):
        raise WrongReturnError(what, describe(value), f"an array of {expected}")
    same = len(value.shape) == len(shape) and all(b in (None, a) for a, b in zip(value.shape, shape, strict=True))
    if not same or value.dtype.kind not in "biuf" or isinstance(value, np.ma.MaskedArray):
        raise WrongReturnError(what, describe(value), expected)
    return value if is_sparse(value) else np.asarray(value, dtype=np.float64)
