"""How a broken law is told: in lines, without the internals of the framework."""

import sys
from collections.abc import Callable, Sequence
from functools import cache
from traceback import walk_tb
from typing import Any
from unittest import SkipTest

import numpy as np

from qeframe.core.batch import Batch
from qeframe.core.batch_kind import BatchKind

_FOREIGN = {"attr", "attrs", "functools", "hypothesis", "numpy", "qeframe", "scipy"}
_GENERATED = "hypothesis_temporary_module"


class ExitError(Exception):
    """`SystemExit`, or another error of a component that is no `Exception`: the cause."""


def as_exception(error: BaseException) -> Exception:
    """Return an error of a component as an `Exception`, which Hypothesis can catch."""
    if isinstance(error, Exception):
        return error
    wrapped = ExitError().with_traceback(error.__traceback__)
    wrapped.__cause__ = error
    return wrapped


def in_words(error: Exception) -> str:
    """Return the class and the message of an error."""
    told = error.__cause__ if isinstance(error, ExitError) and error.__cause__ else error
    return f"{type(told).__name__}: {told}".removesuffix(": ")


def place_of(error: BaseException) -> str:
    """Return the innermost place of an error, or of its cause, that is in the source of neither qeframe nor a library.

    A wrong return has none: no function of the author is at work any more.
    """
    places = [(f.f_globals.get("__name__", ""), f.f_code.co_name, line) for f, line in walk_tb(error.__traceback__)]
    places_of_author = [
        place for place in places if place[0].partition(".")[0] not in _FOREIGN and not place[0].startswith(_GENERATED)
    ]
    if not places_of_author:
        return place_of(error.__cause__) if error.__cause__ is not None else ""
    module, function, line = places_of_author[-1]
    return f"{function}, line {line} of {module}"


def shown_part(part: Any, kind: BatchKind | None, show: Callable[[Any], str] = repr) -> str:
    """Return a part of an example in Python notation, its values as `show` has them."""
    if isinstance(part, tuple):
        return f"({', '.join(shown_part(value, kind, show) for value in part)})"
    if isinstance(part, Batch) and kind is not None and kind.plain is not None:
        sides = ", ".join(f"{name}={show(value)}" for name, value in kind.plain(part).items())
        return f"{type(part).__name__}({sides})"
    return show(part.tolist() if isinstance(part, np.ndarray) else part)


class _BrokenLawError(AssertionError):
    """A component breaks a law."""


@cache
def _broken_in_pytest() -> type[AssertionError]:
    """Return the class that pytest shows as its text alone, without a traceback; it is an AssertionError too."""
    import pytest

    class ShownAsTextError(AssertionError, pytest.fail.Exception):  # type: ignore[name-defined,misc]
        __module__, __qualname__ = "builtins", "Broken"  # what the summary of pytest calls it

        def __init__(self, text: str) -> None:
            pytest.fail.Exception.__init__(self, text, pytrace=_traceback_is_wanted())

        def __str__(self) -> str:
            return str(self.msg)

    return ShownAsTextError


def _traceback_is_wanted() -> bool:
    """Return whether the test that runs has been asked for with ``--full-trace`` or ``--tb=long``."""
    frame = sys._getframe()
    while frame.f_back is not None:
        frame = frame.f_back
        options = getattr(getattr(frame.f_locals.get("pyfuncitem"), "config", None), "option", None)
        if options is not None:
            return bool(getattr(options, "fulltrace", False) or getattr(options, "tbstyle", "") == "long")
    return False


def failure(lines: Sequence[str]) -> AssertionError:
    """Return the error of a broken law. pytest prints its lines and, unless it is asked to, no traceback."""
    text = "\n".join(lines)
    return _broken_in_pytest()(text) if "pytest" in sys.modules else _BrokenLawError(text)


def not_tried(reason: str) -> BaseException:
    """Return what skips a test, with the place of the test."""
    if "pytest" not in sys.modules:
        return SkipTest(reason)
    import pytest

    skipped = pytest.skip.Exception(reason)
    skipped._use_item_location = True
    return skipped
