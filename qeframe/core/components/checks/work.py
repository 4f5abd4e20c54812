"""Run a function of a component: its failures, its warnings and what it prints name the component."""

from __future__ import annotations

import io
import re
import sys
import threading
import warnings
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext, redirect_stdout
from typing import Any

import numpy as np

from qeframe.core.components.component import Component, class_word
from qeframe.core.errors import TRACEBACK, PluginError, QeframeError
from qeframe.core.returned import StatisticError, WrongReturnError

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
