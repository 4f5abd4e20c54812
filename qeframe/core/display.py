"""How a result shows itself: in a notebook, on a terminal, as a data frame, as a figure; and its values as JSON.

Results are defined below the package that makes tables and figures of them. `Shown` is their base class: it holds the
questions that a notebook or a user asks. The answers are a `ResultView`, which the table `qeframe.report.shown.VIEWS`
names for each class. It is imported when the first question is asked.
"""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Mapping, Sized
from importlib import import_module
from pkgutil import resolve_name
from typing import TYPE_CHECKING, Any, Literal, overload

from attrs import frozen

from qeframe.core.errors import DataError, QeframeError

if TYPE_CHECKING:
    import pandas
    import polars
    import pyarrow
    from matplotlib.figure import Figure


@frozen(repr=False)
class View:
    """A result to look at: a notebook shows `html`, `print` shows `text`.

    Parameters
    ----------
    html : str
        A fragment of a page. All names in it are escaped.
    text : str

    Examples
    --------
    >>> import pandas
    >>> import qeframe
    >>> frame = pandas.DataFrame({"gold": [1, 2, 3, 4], "good": [1, 2, 3, 5], "poor": [2, 1, 4, 3]})
    >>> tasks = qeframe.tasks_from_frame(frame, submissions=["good", "poor"])
    >>> evaluation = qeframe.evaluate("qe_sentence", tasks, settings=["test=", "interval="])
    >>> evaluation.whole().html.startswith("<")
    True
    """

    html: str
    text: str

    def __repr__(self) -> str:
        return self.text

    def _repr_html_(self) -> str:
        return self.html


@frozen(kw_only=True)
class ResultView:
    """How results of a class show themselves.

    Parameters
    ----------
    line : callable
        From a result to what it is, in one line.
    view : callable
        From a result, and from whether all of it is asked for or the most important rows, to a `View`.
    frame : callable, optional
        From a result and the name of a library (None: the first that is installed) to a data frame.
    figure : callable, optional
        From a result, the kind of figure ("" for the usual one) and a task to a figure of matplotlib.
    """

    line: Callable[[Any], str]
    view: Callable[[Any, bool], View]
    frame: Callable[[Any, str | None], Any] | None = None
    figure: Callable[[Any, str, Any], Figure] | None = None


def find_view(shown: type) -> ResultView | None:
    """Return the view of a class of results, or of its nearest ancestor with one; None if there is none."""
    places = import_module("qeframe.report.shown").VIEWS  # by its name: it lies above what it shows
    names = (f"{ancestor.__module__}:{ancestor.__qualname__}" for ancestor in shown.__mro__)
    found = next((places[name] for name in names if name in places), None)
    return None if found is None else resolve_name(found)


def _view_of(value: object) -> ResultView:
    view = find_view(type(value))
    if view is None:
        raise DataError(f"there is no view of {type(value).__name__}", remedy="it has a repr of its fields")
    return view


class Shown:
    """A result that notebooks, terminals and data frames can show.

    In a notebook it is a short table. `print` gives the same as text, `repr` one line.

    Examples
    --------
    >>> import pandas
    >>> import qeframe
    >>> frame = pandas.DataFrame({"gold": [1, 2, 3, 4], "good": [1, 2, 3, 5], "poor": [2, 1, 4, 3]})
    >>> tasks = qeframe.tasks_from_frame(frame, submissions=["good", "poor"])
    >>> evaluation = qeframe.evaluate("qe_sentence", tasks, settings=["test=", "interval="])
    >>> evaluation
    <Evaluation by qe_sentence: 2 submissions, first good (pearson 0.983)>
    >>> len(evaluation.to_frame("pandas"))
    8
    """

    __slots__ = ()

    def whole(self) -> View:
        """Return a view of all rows, columns and notes."""
        return _view_of(self).view(self, True)

    @overload
    def to_frame(self, library: Literal["pandas"]) -> pandas.DataFrame: ...
    @overload
    def to_frame(self, library: Literal["polars"]) -> polars.DataFrame: ...
    @overload
    def to_frame(self, library: Literal["pyarrow"]) -> pyarrow.Table: ...
    @overload
    def to_frame(self, library: str | None = None) -> pandas.DataFrame | polars.DataFrame | pyarrow.Table: ...
    def to_frame(self, library: str | None = None) -> Any:
        """Return a data frame: see "Results as data frames" in the reference for the columns.

        Parameters
        ----------
        library : {"pandas", "polars", "pyarrow"}, optional
            By default the first of these that is installed.

        Returns
        -------
        data frame
            Undefined numbers are missing.

        Raises
        ------
        DataError
            If there is no such library, or it is not installed.
        """
        frame = _view_of(self).frame
        if frame is None:
            raise DataError(f"a {type(self).__name__} has no data frame")
        return frame(self, library)

    def __repr__(self) -> str:
        try:
            return _view_of(self).line(self)
        except QeframeError:  # there is no view of it
            return in_a_line(self)

    def __str__(self) -> str:
        return _view_of(self).view(self, False).text

    def _repr_html_(self) -> str:
        return _view_of(self).view(self, False).html


class Drawn(Shown):
    """A result that has figures. They need matplotlib: ``pip install "qeframe[report]"``.

    Examples
    --------
    >>> import qeframe
    >>> issubclass(qeframe.Evaluation, qeframe.Drawn), issubclass(qeframe.Audit, qeframe.Drawn)
    (True, True)
    """

    __slots__ = ()

    def plot(self, kind: str = "", *, task: Any = "") -> Figure:
        """Return a figure; a notebook shows it.

        Parameters
        ----------
        kind : str
            Of an `Evaluation`: "significance" (default) or "correlations". Other results have one kind of figure.
        task : str or Task
            For "significance" of an `Evaluation`: the name of a task, by default all tasks together. For
            "correlations": a `Task` with its data, which the result does not hold.

        Returns
        -------
        matplotlib.figure.Figure
            It has the method `savefig`.

        Raises
        ------
        DataError
            If matplotlib is not installed, or there is nothing to draw.
        UnknownNameError
            If there is no such kind or task.
        """
        figure = _view_of(self).figure
        if figure is None:
            raise DataError(f"a {type(self).__name__} has no figure")
        return figure(self, kind, task)


WIDEST = 100
"""Characters of a line, about."""


_FIRST = 4
"""Of a list that is too long for a line, so many values are shown."""


class Brief:
    """A frozen value whose `repr` is a line: the fields that differ from their defaults, as far as they fit."""

    __slots__ = ()

    def __repr__(self) -> str:
        return in_a_line(self)


def in_a_line(value: Any) -> str:
    """Return the class of a value and those of its fields that are short and not the default; `...` for the others."""
    said, more = "", False
    for attribute in getattr(type(value), "__attrs_attrs__", ()):
        of_field = getattr(value, attribute.name)
        plain = isinstance(of_field, (str, int, float, type(None)))
        if (plain and of_field == attribute.default) or (isinstance(of_field, Sized) and not len(of_field)):
            continue
        text = f"{attribute.name}={of_field:.4g}" if isinstance(of_field, float) else f"{attribute.name}={of_field!r}"
        fits = plain and len(type(value).__name__) + len(said) + len(text) < WIDEST - 10
        said, more = (f"{said}, {text}" if said else text) if fits else said, more or not fits
    return f"{type(value).__name__}({', '.join(filter(None, [said, '...' if more else '']))})"


def beginning_of(value: Any, show: Callable[[Any], str] = repr) -> str:
    """Return a value as `show` has it; of a long list or text how it begins, and how many there are in all."""
    whole = show(value)
    if len(whole) <= WIDEST or not isinstance(value, (list, tuple, str)):
        return whole
    if isinstance(value, str):
        return f"{show(value[:WIDEST])}... {len(value)} characters in all"
    first = ", ".join(map(beginning_of, value[:_FIRST]))
    return f"[{first}, ... {len(value)} in all]" if len(value) > _FIRST else f"[{first}]"


def plain_values(value: Any) -> Any:
    """Return frozen values, arrays and NaN as values of JSON.

    Parameters
    ----------
    value : object
        A value of attrs, an array, a number, a text, or a mapping or sequence of such. A class with a method
        ``to_plain`` decides for itself.

    Returns
    -------
    object
        Of dict, list, str, int, float, bool and None alone; NaN and infinite numbers are None.
    """
    if type(value) in _PLAIN or (type(value) is float and math.isfinite(value)):
        return value
    if hasattr(value, "to_plain"):
        return value.to_plain()
    if hasattr(value, "__attrs_attrs__"):
        return {a.name.lstrip("_"): plain_values(getattr(value, a.name)) for a in value.__attrs_attrs__}
    match value:
        case Mapping():
            return {str(k): plain_values(v) for k, v in value.items()}
        case float():
            return value if math.isfinite(value) else None
        case str() | bool() | int() | None:
            return value
        case frozenset() | set():
            return sorted(map(plain_values, value))
    if hasattr(value, "tolist"):
        return plain_values(value.tolist())
    return [plain_values(item) for item in value]


def canonical_json(value: Any) -> str:
    """Return JSON with sorted keys and an indent of two spaces; undefined and infinite numbers are null.

    The text is that of ``json.dumps(plain_values(value), sort_keys=True, indent=2, ensure_ascii=False)`` and a line
    feed, in a third of the time.

    Parameters
    ----------
    value : object
        As for `plain_values`.

    Returns
    -------
    str
        Ends with a line feed.
    """
    return _text(plain_values(value), "\n") + "\n"


def _text(value: Any, line: str) -> str:
    """Return the JSON of a plain value; `line` is a line feed and the indent of the line that begins it."""
    if isinstance(value, str):
        return _quoted(value)
    if (type(value) is float and math.isfinite(value)) or type(value) is int:
        return repr(value)
    if value is None:
        return "null"
    inside = line + "  "
    if isinstance(value, dict) and value:
        items = [f"{_quoted(key)}: {_text(value[key], inside)}" for key in sorted(value)]
        return f"{{{inside}{f',{inside}'.join(items)}{line}}}"
    if isinstance(value, list) and value:
        return f"[{inside}{f',{inside}'.join([_text(item, inside) for item in value])}{line}]"
    return _scalar(value)


_PLAIN = frozenset({str, int, bool, type(None)})
_quoted = json.encoder.encode_basestring
_scalar = json.JSONEncoder(allow_nan=False).encode


def plain_details(value: Any) -> Any:
    """Return details as they are after JSON: plain values, and NaN for what is undefined."""
    match plain_values(value):
        case None:
            return math.nan
        case dict(items):
            return {key: plain_details(item) for key, item in items.items()}
        case list(items):
            return [plain_details(item) for item in items]
        case plain:
            return plain
