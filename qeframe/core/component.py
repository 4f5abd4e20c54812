"""What all classes of components have: name, summary, origin; their functions at work, and what these must return."""

from __future__ import annotations

import io
import math
import pickle
import re
import sys
import threading
import warnings
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, nullcontext, redirect_stdout
from copy import copy
from numbers import Real
from typing import Any, TypeVar

import numpy as np
from attrs import field, frozen

from qeframe.core.batch import FloatArray, is_masked, is_sparse
from qeframe.core.errors import TRACEBACK, DataError, PluginError, QeframeError
from qeframe.core.origin import Origin

C = TypeVar("C", bound="Component")

PROJECT = "qeframe"
"""The distribution of the core and of the plugins that come with it, and the name of the entry points."""
GIVEN = "(given)"
"""In place of the distribution of a plugin that is given to `load`."""


def as_names(names: str | Iterable[str]) -> tuple[str, ...]:
    """Return a tuple of names; a single string is one name."""
    return (names,) if isinstance(names, str) else tuple(names)


@frozen(kw_only=True, repr=False)
class Component:
    """What every component has.

    Parameters
    ----------
    name : str
        Lower case with underscores. A name with parameters can be read back: ``f_beta(beta=2)``.
    summary : str
        One line for listings.
    source : str
        The paper, and the shared task that fixed the variant.
    origin : Origin, optional
        The plugin that brought it, which messages name. The registry sets it; None: the component was given by hand.
    left_out : mapping of str to str
        Laws that it breaks on purpose, by name, with the reason of each, such as the script that it replicates. It is
        not held to them, and `check-plugin` prints the reason.
    """

    name: str
    summary: str
    source: str = ""
    origin: Origin | None = field(default=None, eq=False, repr=False)
    left_out: Mapping[str, str] = field(factory=dict, hash=False)

    def __str__(self) -> str:
        return self.name

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {self.name}>"


def class_word(kind: type[Component]) -> str:
    """Return what messages call a component of a class or of its subclasses: "metric", "tie policy" ..."""
    *_, first = (c for c in kind.__mro__ if issubclass(c, Component) and c is not Component)
    return re.sub("(?<=[a-z])(?=[A-Z])", " ", first.__name__).lower()


def refuse(component: Component, key: str, value: Any, remedy: str, verb: str = "is") -> None:
    """Raise a `DataError` for the value of a field."""
    raise DataError(_told(component, key, value, verb), remedy=remedy)


def check_field(component: Component, key: str, is_valid: bool, expected: str) -> None:
    """Refuse a field that is not valid: it is not what was expected."""
    if not is_valid:
        raise DataError(f"{_told(component, key, getattr(component, key))}, not {expected}")


def _told(component: Component, key: str, value: Any, verb: str = "is") -> str:
    return f"{class_word(type(component))} '{component.name}': {key} {verb} {describe(value)}"


def check_words(component: Component, key: str, words: Sequence[str]) -> None:
    """Refuse a field that is not one of the words."""
    value = getattr(component, key)
    if not isinstance(value, str) or value not in words:
        refuse(component, key, value, f"give {' or '.join(repr(word) for word in words)}")


def check_functions(component: Component, *keys: str) -> None:
    """Refuse fields that are neither a function nor left out."""
    for key in keys:
        value = getattr(component, key)
        if value is not None and not callable(value):
            refuse(component, key, value, "give a function")


def check_least_p(component: Component, least: Any) -> None:
    """Refuse a lower bound of p that is no share."""
    if isinstance(least, bool) or not (isinstance(least, Real) and 0 <= float(least) <= 1):
        refuse(component, "least_p", least, "give a number from 0 to 1")


def with_origin(component: C, origin: Origin) -> C:
    """Return a copy of a component that says where it comes from."""
    copied = copy(component)
    object.__setattr__(copied, "origin", origin)
    return copied


def is_foreign(component: Component) -> bool:
    """Return whether a component did not come with qeframe: it is tried once more at work, our own is tested."""
    return component.origin is None or component.origin.distribution != PROJECT


_READ_ONLY = re.compile("read-only|WRITEABLE flag")


def full_name(component: Component) -> str:
    """Return a component with its class, its parameters, its plugin and distribution, for messages."""
    origin = f"of {component.origin}" if component.origin else "(given)"
    return f"{class_word(type(component))} '{component.name}' {origin}"


@contextmanager
def at_work(component: Component | str, where: str, *, watched: bool = True) -> Iterator[None]:
    """Run code of a component.

    Parameters
    ----------
    component : Component or str
        The component, or the name of what is at work.
    where : str
        The function that is called: "bind", "run" ...
    watched : bool
        Whether what is printed is named, and warnings of computations are errors. Not where the component runs the
        computation of others, whose results may be printed meanwhile.

    Raises
    ------
    PluginError
        If the code fails in any way, raises `SystemExit`, warns of an undefined computation, or returned what it must
        not. Errors of qeframe pass, and so do an interrupt and a lack of memory.
    """
    who = component if isinstance(component, str) else full_name(component)
    try:
        with named_output(who) if watched else nullcontext():
            yield
    except WrongReturnError as error:
        raise PluginError(f"{who}: {error}") from error
    except (QeframeError, MemoryError, KeyboardInterrupt):
        raise
    except BaseException as error:
        cause = error.cause if isinstance(error, StatisticError) else error
        raise failure_of(who, where, cause) from cause


def failure_of(who: str, where: str, error: BaseException) -> PluginError:
    """Return the error for a failure of a component."""
    if isinstance(error, WrongReturnError):
        return PluginError(f"{who}: {error}")
    said = error_in_words(error)
    if isinstance(error, ValueError) and _READ_ONLY.search(str(error)):
        return PluginError(f"{who} writes to what it is given in {where} ({said}); it must copy an array to change it")
    if isinstance(error, RuntimeWarning):
        return PluginError(f"{who} lets numpy warn in {where} ({said}); it must treat that case itself")
    return PluginError(f"{who} failed in {where}: {said}; {TRACEBACK}=1 shows the traceback")


def error_in_words(error: BaseException) -> str:
    """Return the class and the message of an error."""
    return f"{type(error).__name__}: {error}" if str(error) else type(error).__name__


@contextmanager
def named_output(who: str, *, warnings_are_errors: bool = True) -> Iterator[None]:
    """Send what is printed to standard error, with a name, and raise warnings of computations as errors if asked to.

    Standard output, the filters of warnings and the limit of recursions belong to the whole process: only its main
    thread changes them, and what a component sets ends with it.
    """
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    printed, limit = _NamedLines(who), sys.getrecursionlimit()
    with redirect_stdout(printed), warnings.catch_warnings(), np.errstate():
        if warnings_are_errors:
            warnings.simplefilter("error", RuntimeWarning)
        try:
            yield
        finally:
            sys.setrecursionlimit(limit)
            printed.end()


class _NamedLines(io.TextIOBase):
    """A text stream that writes each line to standard error, with the name of who printed it.

    Threads that run on are not named: they may be those of another component.
    """

    def __init__(self, who: str) -> None:
        self._who, self._line, self._thread = who, "", threading.get_ident()

    def writable(self) -> bool:
        return True

    def write(self, text: str, /) -> int:
        if threading.get_ident() != self._thread:
            return sys.stderr.write(text)
        *lines, self._line = (self._line + text).split("\n")
        for line in lines:
            sys.stderr.write(f"qeframe: {self._who} printed: {_visible(line)}\n")
        return len(text)

    def end(self) -> None:
        """Write a last line that has no end."""
        if self._line:
            self.write("\n")


def _visible(text: Any) -> str:
    return "".join(c if c.isprintable() else repr(c)[1:-1] for c in text)


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
        sparse = "a sparse" if is_sparse(value) else "a masked" if is_masked(value) else "an"
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
    if not same or value.dtype.kind not in "biuf" or is_masked(value):
        raise WrongReturnError(what, describe(value), expected)
    return value if is_sparse(value) else np.asarray(value, dtype=np.float64)


def scores_of_shape(value: Any, what: str, shape: tuple[int | None, ...], meaning: str) -> FloatArray:
    """Return scores as `numbers_of_shape` does; refuse whole numbers, to which the scores of some draws were cut."""
    scores = numbers_of_shape(value, what, shape, meaning)
    if value.dtype.kind != "f":
        raise WrongReturnError(what, describe(value), "floating-point numbers, since whole ones cut scores")
    return scores


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
    scores: bool = False


_FINITE = "finite numbers, or NaN"
_P = "p-values from 0 to 1, or NaN"
RETURNED: Mapping[str, Numbers] = {
    # aggregations
    "aggregate": Numbers("draws x submissions", within=_FINITE),
    "part": Numbers("draws x submissions"),
    # metrics; the range of scores is that of each metric: `check_scores`
    "score": Numbers("a number for each row of weights", scores=True),
    "score, of sums": Numbers("a number for each row of sums", scores=True),
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
    """Return a copy of what a function returned as float64 numbers of a shape, in the range of the table.

    `function`: of the table. `name`: of the function in the message; by default what precedes a comma. `most`:
    the largest of whole numbers. Raises WrongReturnError with the first number that is outside.
    """
    expected = RETURNED[function]
    name = name or function.partition(",")[0]
    numbers = (scores_of_shape if expected.scores else numbers_of_shape)(value, name, shape, expected.meaning).copy()
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
