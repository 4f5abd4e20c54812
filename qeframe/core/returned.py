"""What the functions of components return: one table of shapes and ranges, and the errors of what is none of these.

A value is checked where it enters the framework, on every call. The table does not know the component:
`qeframe.core.component.at_work` puts its name in front of the message.
"""

from __future__ import annotations

import math
import pickle
from collections.abc import Mapping
from typing import Any

import numpy as np
from attrs import frozen

from qeframe.core.batch import FloatArray, is_sparse
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


_ROUNDING = 1e-9
"""By how much a number may be outside its range."""


@frozen
class Numbers:
    """Numbers that a function returns; NaN is undefined.

    `meaning`: what the dimensions are. `low`, `high`: the range. `within`: it in words; empty: any number.
    """

    meaning: str
    low: float = -math.inf
    high: float = math.inf
    within: str = ""
    whole: bool = False


_FINITE = "finite numbers, or NaN"
_P = "p-values from 0 to 1, or NaN"
RETURNED: Mapping[str, Numbers] = {
    # aggregations
    "aggregate": Numbers("draws x submissions", within=_FINITE),
    "part": Numbers("draws x submissions"),
    # metrics; the range of scores is that of each metric: `check_scores`
    "score": Numbers("a number for each row of weights"),
    "score, of sums": Numbers("a number for each row of sums"),
    "score, of a unit": Numbers("a number for each unit"),
    "score, of a group": Numbers("a number for each group"),
    "per_unit": Numbers("a number for each unit", within=_FINITE),
    "outcomes": Numbers("the outcomes", within=_FINITE),
    "vectors, gold": Numbers("gold"),
    "vectors, predicted": Numbers("predicted, as long as gold"),
    # significance tests and corrections
    "p of run": Numbers("a p-value for each pair", 0.0, 1.0, _P),
    "p_of of run": Numbers("a p-value for each pair", 0.0, 1.0, _P),
    "statistic of run": Numbers("a number for each pair"),
    "interval": Numbers("an end for each score"),
    "on_differences": Numbers("an end for each pair"),
    "interval, draws": Numbers("draws x scores"),
    "adjust": Numbers("an adjusted p for each p", 0.0, 1.0, _P),
    "adjust_jointly": Numbers("an adjusted p for each pair", 0.0, 1.0, _P),
    # ranking rules; a rank is at most the number of submissions
    "rank": Numbers("a whole number for each submission", 1, within="whole numbers from 1 to {}", whole=True),
    "cluster": Numbers("a whole number for each submission", 0, within="whole numbers from 0 to {}", whole=True),
    "ranges": Numbers("a whole number for each submission", 0, within="whole numbers from 0 to {}", whole=True),
    "shares": Numbers("submissions x ranks", 0.0, 1.0, "shares of draws, from 0 to 1"),
}
"""What functions of components return. Scores, samples of texts and values of JSON have checks of their own."""


def check_returned(
    function: str, value: Any, shape: tuple[int | None, ...], *, name: str = "", most: int | None = None
) -> FloatArray:
    """Return what a function returned as float64 numbers of a shape, in the range of the table.

    `function`: of the table. `name`: of the function in the message; by default what precedes a comma. `most`:
    the largest of whole numbers. Raises WrongReturnError with the first number that is outside.
    """
    expected = RETURNED[function]
    name = name or function.partition(",")[0]
    numbers = numbers_of_shape(value, name, shape, expected.meaning)
    if not expected.within:
        return numbers
    high = expected.high if most is None else max(most, expected.low)
    wrong = np.isinf(numbers) | (numbers < expected.low - _ROUNDING) | (numbers > high + _ROUNDING)
    if expected.whole:
        wrong |= numbers != np.rint(numbers)
    if wrong.any():
        first = float(numbers[wrong][0])
        raise WrongReturnError(name, f"{first:g}" if expected.whole else f"{first!r}", expected.within.format(most))
    return numbers
